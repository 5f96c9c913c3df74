"""Many segments in one array a layer."""

from __future__ import annotations

import mlx.core as mx

from engine.cache.block import Block, Part, arrays_of, pieces
from engine.cache.segment import Segment, cut

NAMES = ("0.keys", "0.values")


def block(start: int, end: int) -> Block:
    return Block(start, end, {name: mx.random.normal((1, 2, end - start, 4)) for name in NAMES})


def chain(*ends: int) -> list[Segment]:
    return list(cut("m", [0] * ends[-1], ends))


def parts(of: Block, segments: list[Segment]) -> dict[str, dict[str, Part]]:
    return {s.key: {"kv": Part(of, s.start, s.end)} for s in segments}


def test_a_part_is_its_own_tokens_and_costs_nothing() -> None:
    """What a segment has of a block are views, and all of it is the block itself."""
    whole = block(10, 60)
    mx.eval(whole.arrays)
    before = mx.get_active_memory()
    cut_out = arrays_of(Part(whole, 20, 35))
    mx.eval(cut_out)
    assert all(mx.array_equal(cut_out[name], whole.arrays[name][:, :, 10:25]).item() for name in NAMES)
    assert arrays_of(Part(whole, 10, 60)) is whole.arrays
    assert mx.get_active_memory() == before
    assert whole.bytes == 2 * 2 * 50 * 4 * 4


def test_a_head_keeps_nothing_of_the_rest() -> None:
    """The beginning of a block in memory of its own lets the whole go."""
    whole = block(0, 4000)
    mx.eval(whole.arrays)
    first = whole.head(1000)
    expected = {name: array[:, :, :1000].tolist() for name, array in whole.arrays.items()}
    before = mx.get_active_memory()
    size = whole.bytes
    del whole
    assert before - mx.get_active_memory() >= size
    assert {name: array.tolist() for name, array in first.arrays.items()} == expected
    assert (first.start, first.end, first.bytes) == (0, 1000, size // 4)


def test_segments_of_one_block_are_one_piece() -> None:
    """Nothing has to be joined where all of it was read together; the state at the end belongs to the whole."""
    segments = chain(10, 30, 60)
    whole = block(0, 60)
    records = parts(whole, segments)
    state = {"1.0": mx.zeros((3,))}
    (piece,) = pieces(segments, {**records, segments[-1].key: {**records[segments[-1].key], "state": state}})
    assert (piece.start, piece.end) == (0, 60)
    assert piece.records == {"kv": whole.arrays, "state": state}


def test_what_ends_somewhere_ends_a_piece() -> None:
    """A state or a window inside, another block, and what was never in one stay pieces of their own."""
    segments = chain(10, 20, 30, 40, 50, 60)
    first, second = block(0, 40), block(40, 50)
    records: dict[str, dict[str, object]] = {k: dict(v) for k, v in parts(first, segments[:4]).items()}
    records |= {k: dict(v) for k, v in parts(second, segments[4:5]).items()}
    records[segments[5].key] = {"kv": block(50, 60).arrays}
    records[segments[1].key]["state"] = {"1.0": mx.zeros((3,))}
    records[segments[3].key]["window"] = {"2.keys": mx.zeros((1, 1, 10, 2))}
    made = pieces(segments, records)  # type: ignore[arg-type] # records of every kind, of one type
    assert [(piece.start, piece.end) for piece in made] == [(0, 20), (20, 30), (30, 40), (40, 50), (50, 60)]
    assert [set(piece.records) for piece in made] == [{"kv", "state"}, {"kv"}, {"kv", "window"}, {"kv"}, {"kv"}]


def test_segments_that_need_nothing_are_pieces_too() -> None:
    """Where only the end's state counts, the spans before it are there and empty."""
    segments = chain(10, 20)
    made = pieces(segments, {segments[1].key: {"state": {"0.0": mx.zeros((3,))}}})
    assert [(piece.start, piece.end, set(piece.records)) for piece in made] == [(0, 10, set()), (10, 20, {"state"})]
