"""How caches that grow with every token are kept: a span's own keys and values, plain or quantised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.cache.codec.span import SIDES, TOKEN_AXIS, cut, grown, joined
from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cache.codec.span import Arrays, Contents, Span


class _Growing:
    """Keys and values of all tokens. A record holds its span's tokens."""

    record = RecordKind.KV
    is_trimmed, is_bound_again = True, True
    is_padded, is_clustered = True, True
    numbers: tuple[str, ...] = ("offset",)
    numbers_before: tuple[str, ...] = ()

    def max_tokens(self, leaf: Any) -> int:  # noqa: ARG002 - the same for every leaf of this kind
        return 0

    def is_valid(self, leaf: Any, length: int) -> bool:
        if leaf.empty():
            return bool(leaf.offset == 0)
        rooms = {int(array.shape[TOKEN_AXIS]) for array in self.buffers(leaf).values()}
        return len(rooms) == 1 and 0 < leaf.offset == length <= min(rooms)

    def take(self, leaf: Any, start: int, end: int) -> Arrays:
        return {part: cut(array, start, end) for part, array in self.buffers(leaf).items()}

    def contents(self, leaf: Any, spans: Sequence[Span]) -> Contents:  # noqa: ARG002 - as each kind's
        keys, values = (grown(side, spans) for side in SIDES)
        return {"keys": keys, "values": values, "offset": spans[-1].end}

    def buffers(self, leaf: Any) -> Arrays:
        return {} if leaf.empty() else {"keys": leaf.keys, "values": leaf.values}


class _Concatenated(_Growing):
    """As growing, without spare room. It counts as trimmable, but appends behind what was trimmed."""

    is_trimmed = False
    is_padded = False
    numbers: tuple[str, ...] = ()

    def contents(self, leaf: Any, spans: Sequence[Span]) -> Contents:  # noqa: ARG002 - as each kind's
        keys, values = (joined(side, spans) for side in SIDES)
        return {"keys": keys, "values": values, "offset": spans[-1].end}


class _Quantised(_Growing):
    """As growing. Keys and values each consist of packed numbers, scales and biases, named by bits and group size."""

    is_padded = False
    numbers: tuple[str, ...] = ("offset", "group_size", "bits")
    numbers_before: tuple[str, ...] = numbers

    def is_valid(self, leaf: Any, length: int) -> bool:
        if leaf.empty() or not super().is_valid(leaf, length):
            return super().is_valid(leaf, length)
        packed = ((numbers, scales, biases) for numbers, scales, biases in (leaf.keys, leaf.values))
        return all(
            n.shape[-1] * 32 == s.shape[-1] * leaf.group_size * leaf.bits and s.shape == b.shape for n, s, b in packed
        )

    def contents(self, leaf: Any, spans: Sequence[Span]) -> Contents:
        keys, values = (tuple(grown(part, spans) for part in _packed_parts(leaf, side)) for side in SIDES)
        return {"keys": keys, "values": values, "offset": spans[-1].end}

    def buffers(self, leaf: Any) -> Arrays:
        if leaf.empty():
            return {}
        return {
            part: array
            for side, arrays in zip(SIDES, (leaf.keys, leaf.values), strict=True)
            for part, array in zip(_packed_parts(leaf, side), arrays, strict=True)
        }


def _packed_parts(leaf: Any, side: str) -> tuple[str, str, str]:
    whole = f"{side}-{leaf.bits}bits-{leaf.group_size}"
    return whole, f"{whole}-scales", f"{whole}-biases"


GROWING = _Growing()
CONCATENATED = _Concatenated()
QUANTISED = _Quantised()
