"""A small model's records, whole and as the shares of two or three ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mlx.core as mx

from engine.cache.codec.codec import Layout
from engine.cache.disk import disk_tier, dtypes
from engine.cache.keys import in_memory, of_part
from engine.cache.planner import Needs
from engine.cache.segment import Segment, cut
from engine.ranks.division import Division
from engine.ranks.part import Part, Piece, even
from engine.ranks.slices import whole_chain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cache.codec.codec import Arrays
    from storage.segments.records import NewSegment, Tensor
    from storage.segments.store import SegmentStore

NEEDS = Needs(kv=True, state=True)
HEADS = 6
"""As many as two and three ranks can share."""
IDENTITY = "model"


def layout(heads: int) -> Layout:
    """Of records with so many heads."""
    kv = {f"0.{side}": (mx.float32, (1, heads, -1, 2)) for side in ("keys", "values")}
    return Layout(NEEDS, {"kv": kv, "state": {"1.0": (mx.float32, (1, heads, 5))}})


def part(rank: int, ranks: int) -> Part:
    """A rank has some of the heads."""

    def piece(name: str) -> Piece:
        found = even(name, 1, HEADS, rank, ranks)
        assert found is not None
        return found

    return Part(f"part{rank}of{ranks}", {"kv": (piece("0.keys"), piece("0.values")), "state": (piece("1.0"),)})


def division(rank: int, ranks: int) -> Division:
    """As a rank knows it."""
    parts = {number: part(number, ranks) for number in range(ranks)} if not rank else {}
    return Division(IDENTITY, part(rank, ranks), layout(HEADS // ranks), parts, layout(HEADS))


def whole(segment: Segment) -> dict[str, dict[str, Tensor]]:
    """The records of a segment, which differ from those of all others."""
    tokens = segment.end - segment.start
    arrays = {
        "kv": {f"0.{side}": _numbers(segment, (1, HEADS, tokens, 2), at) for at, side in enumerate(("keys", "values"))},
        "state": {"1.0": _numbers(segment, (1, HEADS, 5), 2)},
    }
    return {kind: dtypes.to_tensors(record) for kind, record in arrays.items()}


def _numbers(segment: Segment, shape: tuple[int, ...], at: int) -> mx.array:
    count = 1
    for length in shape:
        count *= length
    return (mx.arange(count, dtype=mx.float32) + 1000 * segment.end + 100_000 * at).reshape(shape)


def share(segment: Segment, rank: int, ranks: int) -> dict[str, Arrays]:
    """The records that a rank computes for a segment."""

    own = part(rank, ranks)
    return {kind: dtypes.to_arrays(own.cut(kind, record)) for kind, record in whole(segment).items()}


def chain_of(turns: int, own: Part | None = None, *, on_disk: bool = True) -> list[Segment]:
    """A chat of so many turns, with the keys of whole records or of a part. One that is not `on_disk` is private."""
    identity = of_part(IDENTITY, own.name) if own else IDENTITY
    identity = identity if on_disk else in_memory(identity)
    return list(cut(identity, range(500), range(10, 20 * turns + 11, 10)))


def shares_to_write(segments: Sequence[Segment], rank: int, ranks: int, durable: Sequence[Segment]) -> list[NewSegment]:
    """The segments as a rank stores them. Only the `durable` ones have a state."""
    identity = of_part(IDENTITY, part(rank, ranks).name)
    return [
        disk_tier.new_segment(
            one,
            identity,
            {k: arrays for k, arrays in share(one, rank, ranks).items() if k == "kv" or one in durable},
        )
        for one in segments
    ]


def is_whole(store: SegmentStore, segments: Sequence[Segment], durable: Sequence[Segment]) -> bool:
    """Whether the store has whole records of all these segments, with states of the durable ones; each as computed."""
    places = {one.key: one.records for one in store.lookup([one.key for one in whole_chain(segments)])}
    for segment, place in zip(segments, whole_chain(segments), strict=True):
        for kind in ("kv", "state") if segment in durable else ("kv",):
            record = places.get(place.key, {}).get(kind)
            if record is None:
                return False
            found = store.read(record).tensors
            assert {name: bytes(one.data) for name, one in found.items()} == {
                name: bytes(one.data) for name, one in whole(segment)[kind].items()
            }
    return True
