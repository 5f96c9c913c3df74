"""Reads: a chat's cache from the disk into live caches, beside mlx-lm's loader, a copy in memory and a plain read.

Hearth's side is everything from the question to arrays in MLX's memory: look-up, plan, every header and checksum; what
mlx-lm's loader gives is the same. What both have to do before a model can go on, to make room for its next tokens, is a
line of its own. All sides are measured one after the other in one process, on memory that was used before.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import numpy as np
from mlx_lm.models.cache import load_prompt_cache, save_prompt_cache

from engine.cache.disk import new_segment
from engine.cache.io_thread import Priority
from engine.cache.manager import restore
from engine.cache.segment import cut
from tests.bench.figures import Figure, faster, median_ms
from tests.fakes.long_chat import Shape, desk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine.cache.codec import Layout
    from engine.cache.manager import Found
    from engine.cache.segment import Segment
    from engine.loader import LoadedModel
    from storage.segments.records import NewSegment
    from storage.segments.store import SegmentStore
    from tests.fakes.long_chat import Desk

TITLE = "Reading a cache back (ms; page cache warm unless said)"
MEGABYTES = tuple(int(size) for size in os.environ.get("BENCH_READS", "256,1024").split(","))
RECORDS = (1, 100)
RUNS = 7
SHAPE = Shape(layers=32, heads=8, size=128, states=0)
_TOKEN = SHAPE.layers * SHAPE.heads * SHAPE.size * 4
_BUFFER = 1 << 20


def measure(_: LoadedModel) -> list[Figure]:
    """Each size in one record and in a hundred."""
    return [figure for size in MEGABYTES for count in RECORDS for figure in _at(size, count)]


def _at(megabytes: int, count: int) -> Iterator[Figure]:
    name = f"{megabytes:,} MB in {count} records" if count > 1 else f"{megabytes:,} MB in one record"
    layout = SHAPE.layout()
    with tempfile.TemporaryDirectory() as home, desk(Path(home) / "segments") as at:
        chain, theirs = _written(at, Path(home), megabytes, count)
        whole = chain[-1].end * _TOKEN
        ours = median_ms(lambda: _read(at, layout, chain), RUNS)
        copied = _copy(whole)
        yield faster(f"{name}, against load_prompt_cache", ours, median_ms(lambda: _load(theirs), RUNS))
        yield faster(f"{name}, against copying it in memory", ours, copied)
        restored = median_ms(lambda: _restore(at, layout, chain), RUNS)
        yield faster(f"{name}, with room to go on, against copying it", restored, copied)
        yield _peak(name, whole, lambda: _restore(at, layout, chain))
        files = sorted(Path(home).glob("segments/??/*"))
        if hasattr(os, "posix_fadvise"):  # elsewhere nobody may empty the page cache
            cold = _cold(files, lambda: _read(at, layout, chain))
            yield faster(f"{name}, cold, against a plain read", cold, _cold(files, lambda: _plain(files)))


def _written(at: Desk, home: Path, megabytes: int, count: int) -> tuple[Sequence[Segment], Path]:
    each = (megabytes << 20) // _TOKEN // count
    chain = cut("m", [0] * each * count, range(each, each * count + 1, each), whole=range(each * count + 1))
    for segment in chain:
        fresh = SHAPE.fresh()
        SHAPE.feed(fresh, each)
        arrays = {f"{n}.{part}": getattr(leaf, part) for n, leaf in enumerate(fresh) for part in ("keys", "values")}
        new = new_segment(segment, "m", {"kv": {name: array[..., :each, :] for name, array in arrays.items()}})
        outcome: list[Any] = []
        at.manager.ask(Priority.WRITE, partial(_commit, new), outcome.append)
        at.wait(outcome)
    whole = SHAPE.fresh()
    SHAPE.feed(whole, each * count)
    save_prompt_cache(str(home / "theirs.safetensors"), whole)
    return chain, home / "theirs.safetensors"


def _commit(new: NewSegment, store: SegmentStore) -> int:
    return store.commit("chat", [new])


def _read(at: Desk, layout: Layout, chain: Sequence[Segment]) -> Found:
    at.manager.hot.clear()
    found = at.found(chain, layout.needs)
    assert found.plan.length == chain[-1].end
    mx.eval([array for piece in found.pieces for record in piece.records.values() for array in record.values()])
    return found


def _restore(at: Desk, layout: Layout, chain: Sequence[Segment]) -> list[Any]:
    fresh = SHAPE.fresh()
    assert restore(layout, _read(at, layout, chain), fresh) == chain[-1].end
    mx.eval([leaf.state for leaf in fresh])
    return fresh


def _load(file: Path) -> None:
    mx.eval([cache.state for cache in load_prompt_cache(str(file))])


def _copy(size: int) -> float:
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    return median_ms(lambda: np.copyto(target, source), RUNS)


def _peak(name: str, size: int, act: Callable[[], list[Any]]) -> Figure:
    """Of MLX's memory, beside what stays."""
    act()
    mx.clear_cache()
    mx.reset_peak_memory()
    live = act()
    extra = mx.get_peak_memory() - mx.get_active_memory()
    del live
    return Figure(f"{name}, peak beside it (fewer are better)", extra / 1e6, "MB", size / 1e6, extra / size)


def _cold(files: Sequence[Path], act: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        for file in files:
            handle = os.open(file, os.O_RDONLY)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)
        began = time.perf_counter()
        act()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def _plain(files: Sequence[Path]) -> None:
    buffer = bytearray(_BUFFER)
    for file in files:
        with file.open("rb", buffering=0) as opened:
            while opened.readinto(buffer):
                pass
