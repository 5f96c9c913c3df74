"""Reading records from a real store, on several threads."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import mlx.core as mx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cache import lookup
from engine.cache.codec.cache_classes import Arrays, capacity
from engine.cache.disk.disk_tier import new_segment
from engine.cache.lookup import RecordToRead
from engine.cache.memory.block import BlockPart, HeldRecord, arrays_of
from engine.cache.segment import Segment, cut
from storage.errors import EnvironmentProblem
from storage.segments.files import Reading
from storage.segments.records import NewRecord, NewSegment, Tensor
from storage.segments.store import SegmentStore
from tests.fakes.problems import raising
from tests.fakes.segments import flip, open_files


def chain(lengths: Sequence[int]) -> list[Segment]:
    ends = [sum(lengths[: number + 1]) for number in range(len(lengths))]
    return list(cut("m", [0] * ends[-1], ends, whole=ends))


def layers(tokens: int, heads: int = 2, size: int = 4) -> Arrays:
    """Two layers whose keys and values differ in type and size, as in some models."""
    made: Arrays = {}
    for layer in range(2):
        made[f"{layer}.keys"] = mx.random.normal((1, heads, tokens, size)).astype(mx.bfloat16)
        made[f"{layer}.values"] = mx.random.normal((1, heads, tokens, 2 * size))
    return made


def written(store: SegmentStore, segments: Sequence[Segment], arrays: Arrays, kind: str = "kv") -> list[RecordToRead]:
    """Each segment's tokens of `arrays`, on disk."""
    for s in segments:
        part = {name: mx.contiguous(array) for name, array in own(s, arrays).items()}
        store.commit("chat", [new_segment(s, "m", {kind: part})])
    return stored(store, segments, kind)


def stored(store: SegmentStore, segments: Sequence[Segment], kind: str = "kv") -> list[RecordToRead]:
    found = store.index.lookup([s.key for s in segments])
    return [RecordToRead(s, one.records[kind]) for s, one in zip(segments, found, strict=True)]


def own(segment: Segment, arrays: Arrays) -> Arrays:
    return {name: array[..., segment.start : segment.end, :] for name, array in arrays.items()}


def place(one: RecordToRead) -> tuple[str, str]:
    return one.record.segment, one.record.kind


def same(read: HeldRecord | None, arrays: Arrays) -> bool:
    assert read is not None
    got = arrays_of(read)
    return got.keys() == arrays.keys() and all(
        got[name].dtype == arrays[name].dtype and mx.array_equal(got[name], arrays[name]).item() for name in arrays
    )


@given(lengths=st.lists(st.integers(1, 40), min_size=1, max_size=8), at_once=st.integers(64, 5000))
def test_consecutive_records_become_one_array_a_layer(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], at_once: int
) -> None:
    """The tokens lie side by side, whatever the lengths of the records and of what is read at once."""
    segments = chain(lengths)
    arrays = layers(segments[-1].end)
    with closing(SegmentStore.open(tmp_path_factory.mktemp("any") / "segments", 1 << 30)) as store:
        wanted = written(store, segments, arrays)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lookup, "AT_ONCE", at_once)
            whole, damaged = lookup.read_records(store, wanted)
    assert damaged == []
    parts = [whole[place(one)] for one in wanted]
    (block,) = {part.block for part in parts if isinstance(part, BlockPart)}
    assert (block.start, block.end) == (0, segments[-1].end)
    assert same(BlockPart(block, 0, block.end), arrays)
    for segment, part in zip(segments, parts, strict=True):
        assert same(part, own(segment, arrays))


def some_empty(heads: int) -> Arrays:
    """Keys, and values with so many heads and a head size of 0."""
    sizes = [(f"{layer}.1.{side}", size) for layer in range(2) for side, size in (("keys", 4), ("values", 0))]
    return layers(60) | {name: mx.random.normal((1, heads, 60, size)) for name, size in sizes}


@pytest.mark.parametrize(
    "arrays",
    [*map(some_empty, range(3)), {f"{layer}.values": mx.zeros((1, 2, 60, 0)) for layer in range(3)}],
    ids=["no head", "one head", "two heads", "all empty"],
)
def test_arrays_without_content_are_read_like_others(store: SegmentStore, arrays: Arrays) -> None:
    """Some models have keys alone: their values have a head size of 0, or no head, and still have a shape. A record
    whose arrays are all empty has only a header.
    """
    segments = chain([10, 20, 30])
    wanted = written(store, segments, arrays)
    whole, damaged = lookup.read_records(store, wanted, 100)
    assert damaged == []
    assert all(same(whole[place(one)], own(segment, arrays)) for segment, one in zip(segments, wanted, strict=True))


@pytest.mark.parametrize(("limit", "room"), [(0, 256), (900, 1024), (1100, 1280), (100_000, 1280)])
def test_a_restored_beginning_has_room_to_grow(store: SegmentStore, limit: int, room: int) -> None:
    """A conversation restored from token 0 gets room for the prompt, within limits: a prompt may be longer than memory
    allows. A part from the middle gets no room.
    """
    segments = chain([600, 400] if room > 256 else [100, 50])
    end = segments[-1].end
    wanted = written(store, segments, layers(end))
    for run, tokens in ((wanted, room), (wanted[1:], segments[1].end - segments[1].start)):
        parts = lookup.read_records(store, run, limit)[0].values()
        (block,) = {part.block for part in parts if isinstance(part, BlockPart)}
        assert {array.shape[2] for array in block.arrays.values()} == {tokens}


def test_a_run_may_begin_anywhere_and_there_may_be_several(store: SegmentStore) -> None:
    """Records in memory are skipped, and the records on both sides are read in one go."""
    segments = chain([10, 20, 30, 40])
    arrays = layers(100)
    wanted = written(store, segments, arrays)
    whole, _ = lookup.read_records(store, [wanted[0], *wanted[2:]])
    assert all(same(whole.get(place(wanted[at])), own(segments[at], arrays)) for at in (0, 2, 3))


@pytest.mark.parametrize("kind", ["kv", "state"])
@pytest.mark.parametrize("shape", [(64,), (1, 3, 5), (2, 2, 10, 4), (1, 2, 9, 4), (), (1, 2, 0, 4)], ids=str)
def test_records_without_tokens_are_kept_as_they_are(store: SegmentStore, shape: tuple[int, ...], kind: str) -> None:
    """States, and arrays that do not have ten tokens, keep their own shapes and are read one by one."""
    segments = chain([10, 10])
    others = {"0.0": mx.random.normal((3, 5)).astype(mx.float16), "1": mx.array([True])} if kind == "state" else {}
    kept = [{"0.1": mx.random.normal(shape)} | others for _ in segments]
    for segment, arrays in zip(segments, kept, strict=True):
        store.commit("chat", [new_segment(segment, "m", {kind: arrays})])
    whole, damaged = lookup.read_records(store, stored(store, segments, kind))
    assert damaged == []
    for segment, arrays in zip(segments, kept, strict=True):
        assert not isinstance(whole[segment.key, kind], BlockPart)
        assert same(whole[segment.key, kind], arrays)


@pytest.mark.parametrize("kind", ["window", "state"])
def test_window_records_are_not_joined(store: SegmentStore, kind: str) -> None:
    """Window records are not joined, even if they are as long as the segment: joined arrays are freed together."""
    wanted = written(store, chain([100, 50]), layers(150), kind)
    whole, _ = lookup.read_records(store, wanted, 200)
    read = [whole[place(one)] for one in wanted]
    assert [{array.shape[2] for array in one.values()} for one in read if isinstance(one, dict)] == [{100}, {50}]


@pytest.mark.parametrize("bad", [0, 1, 2])
def test_a_damaged_record_does_not_affect_others(store: SegmentStore, tmp_path: Path, bad: int) -> None:
    """It is reported, counted and erased. Its neighbours are read, once."""
    segments = chain([10, 20, 30])
    arrays = layers(60)
    wanted = written(store, segments, arrays)
    (file,) = tmp_path.rglob(f"{segments[bad].key}.kv.*")
    flip(file, -3)
    whole, damaged = lookup.read_records(store, wanted)
    assert damaged == [place(wanted[bad])]
    assert dict(store.index.stats().causes) == {"checksum": 1}
    assert whole.keys() == {place(one) for one in wanted} - {*damaged}
    for segment, one in zip(segments, wanted, strict=True):
        if place(one) in whole:
            assert same(whole[place(one)], own(segment, arrays))


@pytest.mark.parametrize("other", ["heads", "type", "layers", "tokens"])
def test_a_record_of_another_model_is_damage(store: SegmentStore, other: str) -> None:
    """A record that is not like those before it cannot be joined to them, even if its checksum is right."""
    segments = chain([10, 20])
    first = written(store, segments[:1], layers(10))
    foreign = {
        "heads": layers(30, heads=1),
        "type": {name: array.astype(mx.float16) for name, array in layers(30).items()},
        "layers": dict(list(layers(30).items())[:2]),
        "tokens": layers(25),
    }[other]
    second = written(store, segments[1:], foreign)
    _, damaged = lookup.read_records(store, [*first, *second])
    assert damaged == [place(second[0])]
    assert dict(store.index.stats().causes) == {"layout": 1}


def test_numbers_that_mlx_does_not_know_are_damage(store: SegmentStore) -> None:
    """The store keeps 64-bit floats, and MLX has none."""
    (segment,) = chain([1])
    tensor = Tensor("F64", (1,), memoryview(bytes(8)))
    store.commit("chat", [NewSegment(segment.key, None, "m", 0, 1, (NewRecord("state", {"0": tensor}, {}),))])
    assert lookup.read_records(store, stored(store, [segment], "state")) == ({}, [(segment.key, "state")])


@pytest.mark.parametrize(
    ("owner", "name", "error", "raised"),
    [
        (Reading, "into", OSError(errno.EIO, "I/O error"), EnvironmentProblem),
        (lookup, "_Buffers", MemoryError(), MemoryError),
    ],
)
def test_a_reading_that_fails_is_no_damage(
    store: SegmentStore,
    monkeypatch: pytest.MonkeyPatch,
    owner: object,
    name: str,
    error: Exception,
    raised: type[Exception],
) -> None:
    """The records stay, and no file stays open: the first one of a run is open before its memory is allocated."""
    wanted = written(store, chain([10, 20, 30]), layers(60))
    before = open_files()
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, raising(error))
        with pytest.raises(raised):
            lookup.read_records(store, wanted)
    assert open_files() == before
    assert lookup.read_records(store, wanted)[1] == []


def test_no_memory_is_allocated_for_bytes_that_the_index_does_not_promise(store: SegmentStore) -> None:
    """A chain that claims a million tokens in files of a few kilobytes is refused first."""
    segments = chain([10, 1_000_000])
    (wanted,) = written(store, segments[:1], layers(10))
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    read, damaged = lookup.read_records(store, [wanted, RecordToRead(segments[1], wanted.record)])
    assert (read, damaged) == ({}, [place(wanted)])
    assert mx.get_peak_memory() - before < 1 << 20


def test_reading_takes_no_more_memory_than_what_is_read(store: SegmentStore) -> None:
    """Beside the result and its spare room, nothing is in memory."""
    segments = chain([64] * 64)
    arrays = {f"{layer}.keys": mx.random.normal((1, 8, 4096, 64)) for layer in range(3)}
    wanted = written(store, segments, arrays)
    size = sum(array.nbytes for array in arrays.values())
    del arrays
    mx.clear_cache()
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    read = lookup.read_records(store, wanted)[0]
    assert len(read) == len(wanted)
    assert mx.get_peak_memory() - before <= size * capacity(4096) / 4096 * 1.02
    assert mx.get_active_memory() - before <= size * capacity(4096) / 4096
