"""Many segments in one array for each layer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import mlx.core as mx

from engine.cache import lookup
from engine.cache.codec.codec import Piece
from engine.cache.memory.block import Block, BlockPart, HeldRecord, arrays_of
from engine.cache.segment import Segment, cut
from storage.segments.records import RecordKind

NAMES = ("0.keys", "0.values")


def block(start: int, end: int) -> Block:
    return Block(start, end, {name: mx.random.normal((1, 2, end - start, 4)) for name in NAMES})


def chain(*ends: int) -> list[Segment]:
    return list(cut("m", [0] * ends[-1], ends))


def pieces(segments: Iterable[Segment], records: Mapping[str, Mapping[str, HeldRecord]]) -> list[Piece]:
    needed = [(s, kind) for kind in RecordKind for s in segments if kind in records.get(s.key, ())]
    return lookup.pieces((segment, kind, records[segment.key][kind]) for segment, kind in needed)


def parts(of: Block, segments: list[Segment]) -> dict[str, dict[str, BlockPart]]:
    return {s.key: {"kv": BlockPart(of, s.start, s.end)} for s in segments}


def test_a_part_is_its_own_tokens_and_costs_nothing() -> None:
    """A segment's part of a block is a view; the whole range is the block itself."""
    whole = block(10, 60)
    mx.eval(whole.arrays)
    before = mx.get_active_memory()
    cut_out = arrays_of(BlockPart(whole, 20, 35))
    mx.eval(cut_out)
    assert all(mx.array_equal(cut_out[name], whole.arrays[name][:, :, 10:25]).item() for name in NAMES)
    assert arrays_of(BlockPart(whole, 10, 60)) is whole.arrays
    assert mx.get_active_memory() == before
    assert whole.bytes == 2 * 2 * 50 * 4 * 4


def test_a_part_of_its_own_keeps_nothing_of_the_rest() -> None:
    """A copy of the beginning of a block does not keep the whole block alive."""
    whole = block(0, 4000)
    mx.eval(whole.arrays)
    first = whole.part(0, 1000)
    expected = {name: array[:, :, :1000].tolist() for name, array in whole.arrays.items()}
    before = mx.get_active_memory()
    size = whole.bytes
    del whole
    assert before - mx.get_active_memory() >= size
    assert {name: array.tolist() for name, array in first.arrays.items()} == expected
    assert (first.start, first.end, first.bytes) == (0, 1000, size // 4)


def test_other_records_do_not_part_a_block() -> None:
    """Segments of one block are one piece, without joining. States and window records are pieces beside it. Another
    block, and a record outside any block, follow it. If only the last state counts, it is the only piece.
    """
    segments = chain(10, 20, 30, 40, 50, 60)
    first, second = block(0, 40), block(40, 50)
    records: dict[str, dict[str, object]] = {k: dict(v) for k, v in parts(first, segments[:4]).items()}
    records |= {k: dict(v) for k, v in parts(second, segments[4:5]).items()}
    records[segments[5].key] = {"kv": block(50, 60).arrays}
    records[segments[1].key]["state"] = {"1.0": mx.zeros((3,))}
    records[segments[3].key]["window"] = {"2.keys": mx.zeros((1, 1, 10, 2))}
    made = pieces(segments, records)  # type: ignore[arg-type] # records of every kind, of one type
    assert [(piece.start, piece.end, *piece.records) for piece in made] == [
        (0, 40, "kv"),
        (40, 50, "kv"),
        (50, 60, "kv"),
        (30, 40, "window"),
        (10, 20, "state"),
    ]
    assert made[0].records["kv"] is first.arrays
    (alone,) = pieces(segments, {segments[1].key: {"state": {"0.0": mx.zeros((3,))}}})
    assert (alone.start, alone.end, *alone.records) == (10, 20, "state")


def roomy(start: int, end: int, room: int) -> Block:
    return Block(start, end, block(start, end + room).arrays)


def test_room_is_no_part_of_what_a_block_holds() -> None:
    """A segment's part ends with its tokens, even if spare room follows. A piece that ends where its block does has the
    room behind it: a conversation can continue there. Elsewhere the next tokens belong to another segment.
    """
    segments, whole = chain(20, 40, 60), roomy(0, 60, 30)
    assert (whole.room, whole.bytes) == (30, 2 * 2 * 90 * 4 * 4)
    for start, end in ((0, 60), (20, 60)):
        held = arrays_of(BlockPart(whole, start, end))
        assert {array.shape[2] for array in held.values()} == {end - start}
    (all_of_it,) = pieces(segments, parts(whole, segments))
    assert (all_of_it.room, all_of_it.records["kv"]) == (30, whole.arrays)
    (beginning,) = pieces(segments[:2], parts(whole, segments))
    assert (beginning.room, {a.shape[2] for a in beginning.records["kv"].values()}) == (0, {40})


def test_a_block_that_has_all_tokens_needs_no_other() -> None:
    """Segments registered with another conversation's block are in this one too: both start with the same tokens."""
    segments, others, own = chain(20, 40, 60), block(0, 20), roomy(0, 60, 30)
    held = parts(own, segments) | parts(others, segments[:1])
    (piece,) = pieces(segments, held)
    assert piece.records["kv"] is own.arrays
    later = block(20, 60)
    two = pieces(segments, parts(later, segments[1:]) | parts(others, segments[:1]))
    assert [(piece.start, piece.end) for piece in two] == [(0, 20), (20, 60)]
