"""Reads: a chat's cache from disk into live caches, compared with mlx-lm's loader, a copy in memory and plain reads.

Hearth's time starts with the question: look-up, plan, every header and checksum. "Read" ends as mlx-lm's loader does,
with arrays in MLX's memory; "ready" ends with live caches that have capacity for the next tokens, as for an answer. The
sides take turns in one process, each on memory that was used before: libc keeps freed memory, as MLX does on a Mac's
GPU. The last baseline is a bound for many records: as many threads read whole files into one buffer and hash them, with
no look-up, no header and no layout.
"""

from __future__ import annotations

import ctypes
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import numpy as np
from mlx_lm.models.cache import load_prompt_cache, save_prompt_cache
from xxhash import xxh3_128

from engine.cache.codec import codec
from engine.cache.codec.codec import Layout
from engine.cache.disk.disk_tier import new_segment
from engine.cache.disk.io_thread import Priority
from engine.cache.lookup import AT_ONCE, THREADS, LookupResult
from engine.cache.segment import Segment, cut
from engine.model.loader import LoadedModel
from storage.segments.records import NewSegment
from storage.segments.store import SegmentStore
from tests.bench.figures import Figure, faster, in_turns
from tests.fakes.long_chat import Desk, Shape, desk

if TYPE_CHECKING:
    import numpy.typing as npt

TITLE = "Reading a cache back (ms; page cache warm unless said)"
MEGABYTES = tuple(int(size) for size in os.environ.get("BENCH_READS", "256,1024").split(","))
TURN = 100
"""The tokens of a record if there are many records."""
RUNS, COLD_RUNS = 7, 6
SHAPE = Shape(layers=32, heads=8, size=128, states=0)
_TOKEN = SHAPE.layers * SHAPE.heads * SHAPE.size * 4
_BUFFER = 1 << 20
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
"""Parameters of glibc's mallopt."""


def measure(_: LoadedModel) -> list[Figure]:
    """Each size as one record, and as one record per turn."""
    _keep_what_is_freed()
    return [figure for size in MEGABYTES for figure in _at(size)]


def _at(megabytes: int) -> Iterator[Figure]:
    tokens = (megabytes << 20) // _TOKEN // TURN * TURN
    with tempfile.TemporaryDirectory() as home:
        theirs = _saved(Path(home), tokens)
        for count in (1, tokens // TURN):
            name = f"{megabytes:,} MB in {count} records" if count > 1 else f"{megabytes:,} MB in one record"
            with desk(Path(home) / str(count)) as at:
                chain = _written(at, tokens, count)
                files = sorted((Path(home) / str(count)).glob("??/*"))
                yield from _warm(name, at, chain, theirs, files)
                yield from _cold(name, at, tokens, count, files)


def _keep_what_is_freed() -> None:
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(_TRIM_THRESHOLD, 1 << 30)
        mallopt(_TOP_PAD, 1 << 30)
        mallopt(_MMAP_THRESHOLD, 1 << 25)


def _warm(name: str, at: Desk, chain: Sequence[Segment], theirs: Path, files: Sequence[Path]) -> Iterator[Figure]:
    layout, whole = SHAPE.layout(), chain[-1].end * _TOKEN
    source, target = np.ones(whole, np.uint8), np.zeros(whole, np.uint8)
    sides: list[Callable[[], object]] = [
        partial(_read, at, layout, chain),
        partial(_ready, at, layout, chain),
        partial(_load, theirs),
        partial(np.copyto, target, source),
        partial(_hashed, files, target),
    ]
    read, ready, loaded, copied, hashed = (statistics.median(times) for times in in_turns(sides, 1, RUNS))
    yield faster(f"{name}: read, against load_prompt_cache", read, loaded)
    yield faster(f"{name}: read, against copying it in memory", read, copied)
    if len(files) > 1:  # one file would be the work of one thread
        yield faster(f"{name}: read, against reading and hashing its files", read, hashed)
    yield faster(f"{name}: ready, against load_prompt_cache", ready, loaded)
    yield faster(f"{name}: ready, against copying it in memory", ready, copied)
    yield _peak(name, whole, partial(_ready, at, layout, chain))


def _cold(name: str, at: Desk, tokens: int, count: int, files: Sequence[Path]) -> Iterator[Figure]:
    if hasattr(os, "posix_fadvise"):  # macOS cannot empty the page cache
        sides: list[Callable[[], object]] = [
            partial(_read, at, SHAPE.layout(), _chain(tokens, count)),
            partial(_plain, files),
        ]
        rounds = [[_emptied(files, side) for side in sides] for _ in range(COLD_RUNS)]
        ours, plain = map(statistics.median, zip(*rounds[1:], strict=True))  # the disk's own cache is warm from then on
        yield faster(f"{name}: read cold, against a plain read", ours, plain)


def _chain(tokens: int, count: int) -> tuple[Segment, ...]:
    each = tokens // count
    return tuple(cut("m", [0] * tokens, range(each, tokens + 1, each), whole=range(tokens + 1)))


def _written(at: Desk, tokens: int, count: int) -> Sequence[Segment]:
    chain = _chain(tokens, count)
    for segment in chain:
        fresh = SHAPE.fresh()
        SHAPE.feed(fresh, segment.end - segment.start)
        new = new_segment(segment, "m", codec.take(fresh, 0, segment.end - segment.start))
        outcome: list[Any] = []
        at.manager.ask(Priority.WRITE, partial(_commit, new), outcome.append)
        at.wait(outcome)
    return chain


def _saved(home: Path, tokens: int) -> Path:
    whole, file = SHAPE.fresh(), home / "theirs.safetensors"
    SHAPE.feed(whole, tokens)
    save_prompt_cache(str(file), whole)
    return file


def _commit(new: NewSegment, store: SegmentStore) -> int:
    return store.commit("chat", [new])


def _read(at: Desk, layout: Layout, chain: Sequence[Segment]) -> LookupResult:
    at.manager.hot.clear()
    found = at.found(chain, layout.needs)
    assert found.plan.length == chain[-1].end
    mx.eval([array for piece in found.pieces for record in piece.records.values() for array in record.values()])
    return found


def _ready(at: Desk, layout: Layout, chain: Sequence[Segment]) -> list[Any]:
    """Live caches, as an answer gets them."""
    at.manager.hot.clear()
    found, fresh = at.found(chain, layout.needs), SHAPE.fresh()
    at.manager.hot.lease("chat", chain)
    assert codec.restore(layout, fresh, found.pieces) == chain[-1].end
    mx.eval([leaf.state for leaf in fresh])
    return fresh


def _load(file: Path) -> None:
    mx.eval([cache.state for cache in load_prompt_cache(str(file))])


def _hashed(files: Sequence[Path], target: npt.NDArray[np.uint8]) -> None:
    """Read each file's arrays into their part of `target` and hash them, in as many threads as Hearth uses."""
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(_hash, files, np.split(target, len(files))))


def _hash(file: Path, target: npt.NDArray[np.uint8]) -> None:
    digest = xxh3_128()
    with file.open("rb", buffering=0) as opened:
        for at in range(0, target.size, AT_ONCE):
            part = target[at : at + AT_ONCE].data
            opened.readinto(part)
            digest.update(part)


def _peak(name: str, size: int, act: Callable[[], list[Any]]) -> Figure:
    """The peak of MLX's memory beyond what remains in use."""
    act()
    mx.clear_cache()
    mx.reset_peak_memory()
    live = act()
    extra = mx.get_peak_memory() - mx.get_active_memory()
    del live
    return Figure(f"{name}: peak beside it (fewer are better)", extra / 1e6, "MB", size / 1e6, extra / size)


def _emptied(files: Sequence[Path], act: Callable[[], object]) -> float:
    """The time of `act` in ms with none of the files in memory. macOS has no call that evicts a file, so the time there
    is that of files in memory.
    """
    if sys.platform == "linux":
        for file in files:
            handle = os.open(file, os.O_RDONLY)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def _plain(files: Sequence[Path]) -> None:
    buffer = bytearray(_BUFFER)
    for file in files:
        with file.open("rb", buffering=0) as opened:
            while opened.readinto(buffer):
                pass
