"""`python -m tests.bench.ranks.unequal`: a step of two unlike Macs, by how their layers are divided. Simulated.

Nothing here was measured on a Mac. A step of one row reads all weights once, so a Mac's time for a layer is its bytes
over the memory bandwidth that Apple publishes for the chip; in Hearth it is measured at the load. The Macs compute one
after another, so their times add up. A last column gives the fast Mac all layers that its memory holds: that is the
shortest step, and leaves no room for chats on that Mac.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.macs.placement import MODEL_SHARE, Division
from tests.bench.ranks.simulation import LINKS

_GB: Final = 10**9
_LAYERS: Final = 64
_VECTOR: Final = 2 * 8192
_LINK: Final = LINKS["Thunderbolt, TCP"]


@dataclass(frozen=True, slots=True)
class Mac:
    """`memory` in GB, and `rate` of it in GB per second."""

    chip: str
    memory: int
    rate: int


_M4_PRO: Final = Mac("M4 Pro", 64, 273)
PAIRS: Final = (
    (_M4_PRO, _M4_PRO, 60),
    (Mac("M4 Max", 64, 546), _M4_PRO, 60),
    (Mac("M4 Max", 64, 546), Mac("M4", 32, 120), 48),
    (Mac("M3 Ultra", 256, 819), Mac("M4 Max", 128, 546), 200),
    (Mac("M4 Max", 48, 546), Mac("M1 Ultra", 128, 800), 80),
    (Mac("M4 Max", 64, 546), Mac("M2 Pro", 32, 200), 60),
)
"""Two Macs, and a model of so many GB that it would fill one of them at least."""


def division(one: Mac, other: Mac, gigabytes: int) -> Division:
    """What Hearth divides the layers of such a model by."""
    layer = gigabytes * _GB // _LAYERS
    return Division(
        _LAYERS, layer, (one.memory * _GB, other.memory * _GB), (layer // one.rate, layer // other.rate)
    )  # bytes over GB per second are nanoseconds


def filled(own: Division) -> tuple[int, int]:
    """As many layers on the faster Mac as it holds, and at least one on the other."""
    fast = int(own.times[1] < own.times[0])
    most = min(own.layers - 1, int(MODEL_SHARE * own.memory[fast] / own.layer_bytes))
    return (own.layers - most, most) if fast else (most, own.layers - most)


def lines() -> Iterator[str]:
    """The table: layers of both Macs, and tokens per second."""
    ways = ("by memory", "by speed too", "fast one filled")
    yield f"  {'':42}{''.join(way.rjust(22) for way in ways)}{'gain'.rjust(8)}"
    for one, other, gigabytes in PAIRS:
        own = division(one, other, gigabytes)
        name = f"{one.chip} {one.memory}, {other.chip} {other.memory}: {gigabytes} GB"
        splits = own.by_memory(), own.by_speed(), filled(own)
        cells = (f"{_words(split)} {1 / _seconds(own, split):5.2f} tok/s".rjust(22) for split in splits)
        gain = _seconds(own, splits[0]) / _seconds(own, splits[1])
        yield f"  {name:42}{''.join(cells)}{f'{gain:.2f}x'.rjust(8)}"


def _words(split: tuple[int, ...]) -> str:
    return "+".join(map(str, split))


def _seconds(own: Division, split: tuple[int, ...]) -> float:
    """A step: the layers of both Macs, a vector that goes on, and its end that comes back."""
    return own.step(split) / 1e9 + 2 * _LINK.seconds(_VECTOR)


if __name__ == "__main__":
    print("\n".join(lines()))
