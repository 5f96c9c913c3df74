"""What a rank has of each array of a record, and how a whole record is cut into parts and joined from them. Pure.

A pipeline rank has all of some layers, a tensor rank some heads of all layers. Either way a part says for each of its
arrays which ranges of which whole array it consists of. So cutting and joining know nothing of models.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import prod
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from storage.segments.records import ITEM_BYTES, Tensor, tensor_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class PartMismatchError(ValueError):
    """Arrays do not fit the part that they are said to be."""


class Piece(msgspec.Struct, frozen=True):
    """The array `own` of a part: the `ranges` of the whole array `name` along `axis`, one after another. That axis of
    the whole array has `length` places.
    """

    name: str
    own: str
    axis: int
    length: int
    ranges: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """The length of the own array along the axis."""
        return sum(end - begin for begin, end in self.ranges)

    @property
    def is_whole(self) -> bool:
        """Whether the own array is the whole one."""
        return self.ranges == ((0, self.length),)

    def shape(self, of: Sequence[int], length: int) -> tuple[int, ...]:
        """The shape with another length along the axis. Raises PartMismatchError."""
        if not 0 <= self.axis < len(of):
            raise PartMismatchError(f"{self.name} has no axis {self.axis}")
        return (*of[: self.axis], length, *of[self.axis + 1 :])

    def cut(self, whole: Tensor) -> Tensor:
        """The own array, from the whole one. Raises PartMismatchError."""
        _check(whole, self.shape(whole.shape, self.length))
        if self.is_whole:
            return whole
        shape = self.shape(whole.shape, self.size)
        own = memory(tensor_bytes(whole.dtype, shape))
        data = whole.data.cast("B")
        for here, there in _strips(self, shape, ITEM_BYTES[whole.dtype]):
            own[here] = data[there]
        return Tensor(whole.dtype, shape, own)


class Part(msgspec.Struct, frozen=True):
    """What a rank has of a record, by kind. `name` distinguishes it from other parts of the same model."""

    name: str
    kinds: dict[str, tuple[Piece, ...]]

    def cut(self, kind: str, whole: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """This part of a whole record. Raises PartMismatchError."""
        pieces = self.kinds.get(kind, ())
        if missing := {piece.name for piece in pieces} - whole.keys():
            raise PartMismatchError(f"a {kind} record lacks {min(missing)}")
        return {piece.own: piece.cut(whole[piece.name]) for piece in pieces}


def join(kind: str, shares: Iterable[tuple[Part, Mapping[str, Tensor]]]) -> dict[str, Tensor]:
    """The whole record of which each part has its share. Raises PartMismatchError, also if a piece of it is missing."""
    pieces: dict[str, list[tuple[Piece, Tensor]]] = {}
    for part, share in shares:
        own = part.kinds.get(kind, ())
        if {piece.own for piece in own} != share.keys():
            raise PartMismatchError(f"a {kind} record of {part.name} has other arrays than its part")
        for piece in own:
            pieces.setdefault(piece.name, []).append((piece, share[piece.own]))
    return {name: _joined(some) for name, some in pieces.items()}


def _joined(pieces: Sequence[tuple[Piece, Tensor]]) -> Tensor:
    first, tensor = pieces[0]
    if first.is_whole:
        _check(tensor, first.shape(tensor.shape, first.length))
        return tensor
    if not covers([piece for piece, _ in pieces]):
        raise PartMismatchError(f"no part has all of {first.name}")
    shape = first.shape(tensor.shape, first.length)
    whole = memory(tensor_bytes(tensor.dtype, shape))
    for piece, own in pieces:
        if own.dtype != tensor.dtype or (piece.axis, piece.length) != (first.axis, first.length):
            raise PartMismatchError(f"the parts of {first.name} differ")
        _check(own, piece.shape(shape, piece.size))
        data = own.data.cast("B")
        for here, there in _strips(piece, own.shape, ITEM_BYTES[own.dtype]):
            whole[there] = data[here]
    return Tensor(tensor.dtype, shape, whole)


def sources(kind: str, parts: Mapping[int, Part], own: int) -> list[int]:
    """The other ranks, by their parts, whose shares of a record the rank `own` needs to join it. Raises
    PartMismatchError if all together lack something.
    """
    pieces: dict[str, list[Piece]] = {}
    for piece in (piece for part in parts.values() for piece in part.kinds.get(kind, ())):
        pieces.setdefault(piece.name, [])
    needed = []
    for rank in [own, *(rank for rank in parts if rank != own)]:
        added = [p for p in parts[rank].kinds.get(kind, ()) if not (pieces[p.name] and covers(pieces[p.name]))]
        for piece in added:
            pieces[piece.name].append(piece)
        if added and rank != own:
            needed.append(rank)
    if not all(map(covers, pieces.values())):
        raise PartMismatchError(f"no ranks together have a whole {kind} record")
    return needed


def covers(pieces: Iterable[Piece]) -> bool:
    """Whether the pieces of one array make up the whole array."""
    some = list(pieces)
    reached = 0
    for begin, end in sorted(at for piece in some for at in piece.ranges):
        if begin > reached:
            return False
        reached = max(reached, end)
    return bool(some) and reached == some[0].length


def even(name: str, axis: int, length: int, rank: int, ranks: int) -> Piece | None:
    """The share of one of several ranks of an array that is split evenly. If there are more ranks than places, several
    ranks have the same place. None if neither is possible.
    """
    if length % ranks == 0:
        size = length // ranks
        return Piece(name, name, axis, length, ((rank * size, (rank + 1) * size),))
    if length and ranks % length == 0:
        at = rank * length // ranks
        return Piece(name, name, axis, length, ((at, at + 1),))
    return None


def segmented(name: str, axis: int, segments: Sequence[int], rank: int, ranks: int) -> Piece | None:
    """As `even`, if each of consecutive segments is split by itself. None if one cannot be."""
    if any(segment % ranks for segment in segments):
        return None
    starts = [0, *accumulate(segments)]
    ranges = tuple(
        (start + rank * (end - start) // ranks, start + (rank + 1) * (end - start) // ranks)
        for start, end in pairwise(starts)
    )
    return Piece(name, name, axis, starts[-1], ranges)


def memory(size: int) -> memoryview:
    """So many bytes to write to, which nothing has cleared."""
    return memoryview(np.empty(size, np.uint8))  # type: ignore[arg-type] # an array exports its buffer


def _check(tensor: Tensor, shape: tuple[int, ...]) -> None:
    if (
        tensor.dtype not in ITEM_BYTES
        or tensor.shape != shape
        or tensor.data.nbytes != tensor_bytes(tensor.dtype, shape)
    ):
        raise PartMismatchError(f"an array is {tensor.dtype} of {tensor.shape} and not of {shape}")


def _strips(piece: Piece, own: Sequence[int], item: int) -> Iterator[tuple[slice, slice]]:
    """The bytes that belong together, in the own array of shape `own` and in the whole one."""
    inner = prod(own[piece.axis + 1 :]) * item
    here = 0
    for outer in range(prod(own[: piece.axis])):
        for begin, end in piece.ranges:
            size, there = (end - begin) * inner, (outer * piece.length + begin) * inner
            yield slice(here, here + size), slice(there, there + size)
            here += size
