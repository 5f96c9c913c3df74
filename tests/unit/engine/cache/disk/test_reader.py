"""Reading records from a real store into their final memory, with several threads."""

from __future__ import annotations

import errno
import os
from contextlib import closing
from typing import TYPE_CHECKING

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cache.codec.span import capacity
from engine.cache.disk import buffers, dtypes, reader
from engine.cache.disk.disk_tier import new_segment
from engine.cache.disk.reader import RecordToRead
from engine.cache.disk.reader_threads import LIMITS, ReadLimits
from engine.cache.segment import cut
from storage.errors import EnvironmentProblem
from storage.segments.reading import Reading
from storage.segments.store import SegmentStore
from tests.fakes.segments import flip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from engine.cache.codec.span import Arrays
    from engine.cache.segment import Segment
    from storage.segments.records import StoredRecord


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SegmentStore]:
    with closing(SegmentStore.open(tmp_path / "segments", 1 << 30)) as opened:
        yield opened


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
        own = {name: mx.contiguous(array[..., s.start : s.end, :]) for name, array in arrays.items()}
        store.commit("chat", [new_segment(s, "m", {kind: own})])
    stored = store.lookup([s.key for s in segments])
    return [RecordToRead(s, found.records[kind]) for s, found in zip(segments, stored, strict=True)]


def place(one: RecordToRead) -> tuple[str, str]:
    return one.record.segment, one.record.kind


def same(read: reader.LoadedRecords | None, arrays: Arrays) -> bool:
    """Whether these are the arrays, whatever spare room follows them."""
    assert read is not None
    got = dtypes.to_arrays(read)
    if read.joined:
        got = {name: array[..., : read.end - read.start, :] for name, array in got.items()}
    return equal(got, arrays)


def equal(got: Arrays, arrays: Arrays) -> bool:
    return got.keys() == arrays.keys() and all(mx.array_equal(got[name], arrays[name]).item() for name in arrays)


@settings(max_examples=30)
@given(
    lengths=st.lists(st.integers(1, 40), min_size=1, max_size=8),
    scratch=st.integers(64, 5000),
    direct=st.integers(1, 2000),
    together=st.integers(1, 20_000),
)
def test_consecutive_records_become_one_array_a_layer(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], scratch: int, direct: int, together: int
) -> None:
    """The tokens lie side by side, whatever the lengths of the records and of the portions."""
    segments = chain(lengths)
    arrays = layers(segments[-1].end)
    with closing(SegmentStore.open(tmp_path_factory.mktemp("any") / "segments", 1 << 30)) as store:
        wanted = written(store, segments, arrays)
        limits = ReadLimits(scratch, direct, each=1, shared=together)
        whole, damaged = reader.read(store, [wanted], limits=limits)
    assert damaged == []
    assert whole.keys() == {place(one) for one in wanted}
    (read,) = set(whole.values())
    assert (read.joined, read.start, read.end) == (True, 0, segments[-1].end)
    assert same(read, arrays)


@pytest.mark.parametrize("heads", [0, 1, 2])
def test_arrays_without_content_are_read_like_others(store: SegmentStore, heads: int) -> None:
    """Some models have keys alone: their values have a head size of 0, or no head, and still have a shape."""
    segments = chain([10, 20, 30])
    arrays = layers(60) | {
        f"{layer}.1.{side}": mx.random.normal((1, heads, 60, size))
        for layer in range(2)
        for side, size in (("keys", 4), ("values", 0))
    }
    wanted = written(store, segments, arrays)
    whole, damaged = reader.read(store, [wanted], 100)
    assert damaged == []
    (read,) = set(whole.values())
    assert read.joined
    assert same(read, arrays)


@pytest.mark.parametrize("together", [1, 1 << 20])
def test_records_without_any_content_are_read(store: SegmentStore, together: int) -> None:
    """A record whose arrays are all empty has only a header."""
    segments = chain([10, 20])
    arrays = {f"{layer}.values": mx.zeros((1, 2, 30, 0)) for layer in range(3)}
    whole, damaged = reader.read(store, [written(store, segments, arrays)], limits=ReadLimits(shared=together))
    assert damaged == []
    assert same(next(iter(whole.values())), arrays)


@pytest.mark.parametrize(("limit", "room"), [(0, 256), (900, 1024), (1100, 1280), (100_000, 1280)])
def test_a_restored_beginning_has_room_to_grow(store: SegmentStore, limit: int, room: int) -> None:
    """A conversation restored from token 0 gets room for the prompt, within limits: a prompt may be longer than memory
    allows. A part from the middle gets no room.
    """
    segments = chain([600, 400] if room > 256 else [100, 50])
    end = segments[-1].end
    wanted = written(store, segments, layers(end))
    for run, tokens in ((wanted, room), (wanted[1:], segments[1].end - segments[1].start)):
        (read,) = set(reader.read(store, [run], limit)[0].values())
        assert {slot.shape[2] for slot in read.slots} == {tokens}


def test_a_gpu_with_its_own_memory_gets_one_buffer_without_room(
    store: SegmentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a GPU with memory of its own, no conversation continues in a buffer. So no room is reserved, and all arrays of
    one type and shape lie in one allocation.
    """
    segments = chain([100, 50])
    arrays = {f"{layer}.{side}": mx.random.normal((1, 2, 150, 4)) for layer in range(5) for side in ("keys", "values")}
    wanted, limits = written(store, segments, arrays), ReadLimits(shared=1)
    (read,) = set(reader.read(store, [wanted], 200, limits)[0].values())
    assert len(read.buffers) == 10
    monkeypatch.setattr(reader, "grows_in_place", lambda: False)
    (read,) = set(reader.read(store, [wanted], 200, limits)[0].values())
    assert len(read.buffers) == 1
    assert {slot.shape[2] for slot in read.slots} == {150}
    assert same(read, arrays)


@pytest.fixture
def sends(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The CPU plays a GPU with memory of its own. The devices of all loads."""
    loads: list[str] = []
    load = buffers._load

    def noted(file: buffers._Untouched, device: mx.DeviceType) -> dict[str, mx.array]:
        loads.append(str(device))
        return load(file, mx.cpu)

    for module in (buffers, reader):
        monkeypatch.setattr(module, "grows_in_place", lambda: False)
    monkeypatch.setattr(buffers, "_is_loaded_as_written", lambda: True)
    monkeypatch.setattr(buffers, "_load", noted)
    yield loads
    buffers.end_senders()


@pytest.mark.parametrize(("slab", "loads"), [(1 << 22, 1), (5000, 4), (1 << 10, 12), (1, 28)])
@pytest.mark.parametrize("senders", [1, 4])
def test_records_are_sent_to_a_gpu_with_its_own_memory(
    store: SegmentStore, tmp_path: Path, sends: list[str], slab: int, loads: int, senders: int
) -> None:
    """A large record in several slabs, small ones together in one. Each is in its place, and a damaged one is found."""
    segments = chain([33, 7, 60])
    arrays, states = layers(100), {"0.0": mx.arange(3, dtype=mx.uint8), "0.1": mx.random.normal((3, 5))}
    wanted = written(store, segments, arrays)
    store.commit("chat", [new_segment(s, "m", {"state": states}) for s in segments[1:]])
    second, third = (RecordToRead(s, store.lookup([s.key])[0].records["state"]) for s in segments[1:])
    flip(tmp_path / "segments" / segments[2].key[:2] / f"{segments[2].key}.state.safetensors", -1)
    limits = ReadLimits(scratch=512, slab=slab, senders=senders)
    whole, damaged = reader.read(store, [[second], wanted, [third]], 0, limits)
    assert sends == [str(mx.gpu)] * loads
    assert damaged == [place(third)]
    assert same(whole[place(second)], states)
    for one in wanted:
        part = {name: array[..., one.segment.start : one.segment.end, :] for name, array in arrays.items()}
        read = whole[place(one)]
        first, last = one.segment.start - read.start, one.segment.end - read.start
        assert equal({name: array[..., first:last, :] for name, array in dtypes.to_arrays(read).items()}, part)


@pytest.mark.parametrize("senders", [1, 3])
def test_a_large_record_that_is_damaged_in_one_slab_is_damaged(
    store: SegmentStore, tmp_path: Path, sends: list[str], senders: int
) -> None:
    """Its checksum covers all slabs, in order. The record beside it is read."""
    segments = chain([100, 100])
    wanted = written(store, segments, layers(200))
    flip(tmp_path / "segments" / segments[0].key[:2] / f"{segments[0].key}.kv.safetensors", -1)
    whole, damaged = reader.read(store, [[one] for one in wanted], 0, ReadLimits(slab=1 << 10, senders=senders))
    assert damaged == [place(wanted[0])]
    assert whole.keys() == {place(wanted[1])}
    assert len(sends) == 16, "one for each row of each record"


@pytest.mark.parametrize("broken", ["disk", "gpu"])
def test_a_slab_that_cannot_be_filled_stops_the_others(
    store: SegmentStore, sends: list[str], monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """If the disk fails, or the GPU has no memory, no thread waits for the bytes that will not come."""
    (wanted,) = written(store, chain([100]), layers(100))
    fill, load = Reading.fill, buffers._load

    def failing(self: Reading, at: int, *memory: memoryview) -> None:
        if at > 3000:
            raise OSError(errno.EIO, "Input/output error")
        fill(self, at, *memory)

    def full(file: buffers._Untouched, device: mx.DeviceType) -> dict[str, mx.array]:
        if len(sends) == 2:
            raise RuntimeError("out of memory")
        return load(file, device)

    if broken == "disk":
        monkeypatch.setattr(Reading, "fill", failing)
    else:
        monkeypatch.setattr(buffers, "_load", full)
    with pytest.raises(EnvironmentProblem if broken == "disk" else RuntimeError):
        reader.read(store, [[wanted]], 0, ReadLimits(slab=1 << 10, senders=4))


def test_each_file_is_opened_once(store: SegmentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each open and each header costs time. So the first record, whose header tells the memory to reserve, stays open
    until its bytes are read.
    """
    wanted = written(store, chain([10, 20, 30]), layers(60))
    opened: list[StoredRecord] = []
    reading = SegmentStore.reading

    def noted(self: SegmentStore, record: StoredRecord) -> Reading:
        opened.append(record)
        return reading(self, record)

    monkeypatch.setattr(SegmentStore, "reading", noted)
    _, damaged = reader.read(store, [wanted])
    assert damaged == []
    assert opened == [one.record for one in wanted]


def test_no_file_stays_open_if_there_is_no_memory(store: SegmentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure between opening and reading closes the files."""

    def refused(*_: object) -> None:
        raise MemoryError

    wanted = written(store, chain([10, 20, 30]), layers(60))
    monkeypatch.setattr(reader, "filled", refused)
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208 - what a process has open, not files
    with pytest.raises(MemoryError):
        reader.read(store, [wanted[:1], wanted[1:]])
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208 - as above


def test_a_run_may_begin_anywhere_and_there_may_be_several(store: SegmentStore) -> None:
    """Records in memory are skipped, and the records on both sides are read in one go."""
    segments = chain([10, 20, 30, 40])
    arrays = layers(100)
    wanted = written(store, segments, arrays)
    whole, _ = reader.read(store, [wanted[:1], wanted[2:]])
    first, _, second = (whole.get(place(one)) for one in wanted[:3])
    assert same(first, {name: array[..., :10, :] for name, array in arrays.items()})
    assert same(second, {name: array[..., 30:, :] for name, array in arrays.items()})


@pytest.mark.parametrize("shape", [(64,), (1, 3, 5), (2, 2, 10, 4), (1, 2, 9, 4), (), (1, 2, 0, 4)], ids=str)
def test_records_without_tokens_are_kept_as_they_are(store: SegmentStore, shape: tuple[int, ...]) -> None:
    """States, and arrays that do not have ten tokens, keep their own shapes."""
    (segment,) = chain([10])
    arrays = {"0.1": mx.random.normal(shape), "0.0": mx.random.normal((3, 5)).astype(mx.float16), "1": mx.array([True])}
    store.commit("chat", [new_segment(segment, "m", {"state": arrays})])
    record = store.lookup([segment.key])[0].records["state"]
    ((_, read),) = reader.read(store, [[RecordToRead(segment, record)]])[0].items()
    assert not read.joined
    assert len(read.buffers) == 1, "small ones share their memory"
    assert same(read, arrays)


@pytest.mark.parametrize("kind", ["window", "state"])
def test_window_records_are_not_joined(store: SegmentStore, kind: str) -> None:
    """Window records are not joined, even if they are as long as the segment: joined arrays are freed together."""
    segments = chain([100, 50])
    wanted = written(store, segments, layers(150), kind)
    whole, _ = reader.read(store, [[one] for one in wanted], 200)
    assert [(whole[place(one)].joined, {slot.shape[2] for slot in whole[place(one)].slots}) for one in wanted] == [
        (False, {100}),
        (False, {50}),
    ]


def test_records_that_cannot_be_joined_are_read_one_by_one(store: SegmentStore) -> None:
    """Each comes back unchanged, in memory of its own."""
    segments = chain([10, 10, 10])
    kept = [{"0": mx.random.normal((7, number))} for number in (1, 2, 3)]
    for segment, arrays in zip(segments, kept, strict=True):
        store.commit("chat", [new_segment(segment, "m", {"kv": arrays})])
    stored = store.lookup([s.key for s in segments])
    wanted = [RecordToRead(s, found.records["kv"]) for s, found in zip(segments, stored, strict=True)]
    whole, damaged = reader.read(store, [wanted])
    assert damaged == []
    assert all(same(whole[place(one)], arrays) for one, arrays in zip(wanted, kept, strict=True))


def test_a_damaged_record_does_not_affect_others(store: SegmentStore, tmp_path: Path) -> None:
    """It is reported, counted and quarantined. Its neighbours are read, once."""
    segments = chain([10, 20, 30])
    arrays = layers(60)
    wanted = written(store, segments, arrays)
    (bad,) = tmp_path.rglob(f"{segments[1].key}.kv.*")
    flip(bad, -3)
    whole, damaged = reader.read(store, [wanted])
    assert damaged == [place(wanted[1])]
    assert dict(store.stats().causes) == {"checksum": 1}
    assert whole.keys() == {place(wanted[0]), place(wanted[2])}
    got = dtypes.to_arrays(whole[place(wanted[0])])
    for name, array in arrays.items():
        assert mx.array_equal(got[name][..., :10, :], array[..., :10, :]).item()
        assert mx.array_equal(got[name][..., 30:60, :], array[..., 30:, :]).item()


def test_a_damaged_first_record_leaves_nothing(store: SegmentStore, tmp_path: Path) -> None:
    """Without its header the memory cannot be planned, and without its tokens the rest is useless."""
    segments = chain([10, 20])
    wanted = written(store, segments, layers(30))
    (bad,) = tmp_path.rglob(f"{segments[0].key}.kv.*")
    flip(bad, 9)
    assert reader.read(store, [wanted]) == ({}, [place(wanted[0])])


@pytest.mark.parametrize("other", ["heads", "type", "layers"])
def test_a_record_of_another_model_is_damage(store: SegmentStore, other: str) -> None:
    """A record that does not fit the memory of those before it is not read, even if its checksum is right."""
    segments = chain([10, 20])
    first = written(store, segments[:1], layers(10))
    foreign = {
        "heads": layers(30, heads=1),
        "type": {name: array.astype(mx.float16) for name, array in layers(30).items()},
        "layers": dict(list(layers(30).items())[:2]),
    }[other]
    second = written(store, segments[1:], foreign)
    _, damaged = reader.read(store, [[*first, *second]])
    assert damaged == [place(second[0])]
    assert dict(store.stats().causes) == {"layout": 1}


def test_no_memory_is_allocated_for_bytes_that_the_index_does_not_promise(
    store: SegmentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chain that claims a million tokens in files of a few kilobytes is refused at once."""
    segments = chain([10, 1_000_000])
    (wanted,) = written(store, segments[:1], layers(10))
    asked: list[int] = []

    def counted(sizes: Sequence[int]) -> list[buffers.Buffer]:
        asked.extend(sizes)
        return [buffers.Buffer(np.empty(size, np.uint8), None) for size in sizes]

    monkeypatch.setattr(buffers, "allocate", counted)
    _, damaged = reader.read(store, [[wanted, RecordToRead(segments[1], wanted.record)]])
    assert damaged == [place(wanted)]
    assert asked == []


def test_reading_takes_no_more_memory_than_what_is_read(store: SegmentStore) -> None:
    """Reading 40 MB of cache takes less than a tenth of that beside the result and its spare room."""
    segments = chain([64] * 64)
    arrays = layers(4096, heads=8, size=64)
    wanted = written(store, segments, arrays)
    size = sum(array.nbytes for array in arrays.values())
    del arrays
    mx.clear_cache()
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    read = next(iter(reader.read(store, [wanted])[0].values()))
    got = dtypes.to_arrays(read)
    mx.eval(list(got.values()))
    assert mx.get_peak_memory() - before <= size * capacity(4096) / 4096 * 1.02
    assert size / 10 > LIMITS.scratch * LIMITS.threads
