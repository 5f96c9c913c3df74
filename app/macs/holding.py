"""What each Mac of a group holds of the model that is loaded, and why. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.base.settings import ModelSettings
from app.macs.placement import Division
from ui.state.macs import GroupPace


@dataclass(frozen=True, slots=True)
class Holding:
    """`model` is the model's name; empty if it is not loaded on several Macs. `sizes` are the bytes that each Mac
    holds, and `paces` are those for which a Mac has more or fewer layers than its memory says, by fingerprint ("" is
    this Mac).
    """

    model: str = ""
    sizes: Mapping[str, int] = field(default_factory=dict)
    paces: Mapping[str, GroupPace] = field(default_factory=dict)


def holding(model: str, settings: ModelSettings, sizes: Sequence[int], memory: Sequence[int]) -> Holding:
    """Return what the Macs of `settings`, with which the model was loaded, hold: `sizes` in bytes."""
    macs = ("", *settings.macs)
    return Holding(model, dict(zip(macs, sizes, strict=False)), dict(zip(macs, _paces(settings, memory), strict=False)))


def _paces(settings: ModelSettings, memory: Sequence[int]) -> tuple[GroupPace, ...]:
    if not (settings.layer_times and all(memory)):
        return ()
    alone = Division(sum(settings.shares), 0, tuple(memory)).by_memory()
    return tuple(_pace(has, by_memory) for has, by_memory in zip(settings.shares, alone, strict=False))


def _pace(has: int, by_memory: int) -> GroupPace:
    if has == by_memory:
        return GroupPace.ALIKE
    return GroupPace.FASTER if has > by_memory else GroupPace.SLOWER
