"""Divides the bytes of a record into portions that are read at once. Pure: numbers in, numbers out.

A record's bytes belong to rows of several targets, in this order: target after target, row after row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Part(NamedTuple):
    """The bytes `begin` to `end` of the rows `first` to `last` of target number `target`."""

    target: int
    first: int
    last: int
    begin: int
    end: int

    @property
    def bytes(self) -> int:
        """Its size."""
        return (self.last - self.first) * (self.end - self.begin)


class Portion(NamedTuple):
    """`size` bytes from byte `at` behind the header, for `parts`. `direct`: each row is long enough to be read straight
    into place.
    """

    number: int
    at: int
    size: int
    parts: tuple[Part, ...]
    direct: bool


def portions(
    targets: Sequence[tuple[int, int]], size: int, direct: int, last: Portion | None = None
) -> tuple[Portion, ...]:
    """Portions of at most `size` bytes of `targets`, each a number of rows and the bytes of a row. They follow `last`,
    which belongs to targets before these.

    Rows of `direct` bytes or more, or parts of rows, are read straight into place.
    """
    made: list[Portion] = []
    first, at = (last.number + 1, last.at + last.size) if last else (0, 0)
    for number, parts in enumerate(_batches(targets, size), first):
        held = sum(part.bytes for part in parts)
        made.append(Portion(number, at, held, parts, all(part.end - part.begin >= direct for part in parts)))
        at += held
    return tuple(made)


def _batches(targets: Sequence[tuple[int, int]], size: int) -> Iterator[tuple[Part, ...]]:
    """The parts of each portion."""
    batch: list[Part] = []
    room = size
    for part in (part for number, (rows, length) in enumerate(targets) for part in _parts(number, rows, length, size)):
        if part.bytes > room:
            yield tuple(batch)
            batch, room = [], size
        batch.append(part)
        room -= part.bytes
    if batch:
        yield tuple(batch)


def _parts(target: int, rows: int, length: int, size: int) -> Iterator[Part]:
    """Several whole rows at a time, or a long row in parts."""
    if length > size:
        for row in range(rows):
            yield from (Part(target, row, row + 1, at, min(at + size, length)) for at in range(0, length, size))
    elif length:
        count = size // length
        yield from (Part(target, first, min(first + count, rows), 0, length) for first in range(0, rows, count))
