"""The segment store: the effect of the quota, and a start with ten thousand records."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Final

from engine.model.loader import LoadedModel
from storage.segments.records import NewRecord, NewSegment, Tensor
from storage.segments.store import SegmentStore
from tests.bench.figures import Figure, faster, in_turns, median_ms, multiple
from tests.fakes.segments import linked

TITLE = "The segment store (baselines: an empty store; a walk over the same files, and one second)"
RECORDS: Final = 10_000
CHAIN: Final = 50
"""The segments of a conversation; each has keys and values, and a state."""

COMMITS: Final = 20
BLOCKS: Final = 5
_QUOTA: Final = 1 << 34


def measure(_: LoadedModel) -> list[Figure]:
    """The time of a commit in a full store, and of a start. No model takes part."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_full(Path(folder)), *_start(Path(folder) / "start")]


def _full(root: Path) -> list[Figure]:
    with (
        closing(SegmentStore.open(root / "full", _QUOTA)) as full,
        closing(SegmentStore.open(root / "empty", _QUOTA)) as empty,
    ):
        _fill(full)
        full.set_quota(full.index.stats().bytes)
        there, here = in_turns([_turns(full), _turns(empty)], COMMITS, BLOCKS)
        assert full.index.stats().records > RECORDS - 4 * CHAIN
    return [multiple("commit in a full store, in multiples of one in an empty", median(there), median(here))]


def _turns(store: SegmentStore) -> Callable[[], object]:
    """A chat that grows by one turn per call."""
    coming = iter(_chain("new", 2 * BLOCKS * (COMMITS + 1)))
    return lambda: store.commit("new", [next(coming), next(coming)])


def _fill(store: SegmentStore) -> None:
    for chat in range(RECORDS // CHAIN // 2):
        store.commit(f"chat{chat}", _chain(str(chat)))
    assert store.index.stats().records == RECORDS


def _start(root: Path) -> list[Figure]:
    with closing(SegmentStore.open(root, _QUOTA)) as store:
        _fill(store)
    start = median_ms(lambda: SegmentStore.open(root, _QUOTA).close(), 5)
    walk = median_ms(lambda: sum(path.stat().st_size for path in root.glob("??/*")), 5)
    return [
        faster("start with 10,000 records, against a second", start, 1000.0),
        multiple("start in multiples of a walk over its files", start, walk),
    ]


def _chain(chat: str, length: int = CHAIN) -> list[NewSegment]:
    keys = [f"{number % 256:02x}{chat}_{number}" for number in range(length)]
    records = tuple(_record(kind) for kind in ("kv", "state"))
    return linked(keys, lambda _: records)


def _segment(fan: str, number: int, kinds: tuple[str, ...]) -> NewSegment:
    return NewSegment(f"{fan}_{number}", None, "model", 0, 4, tuple(_record(kind) for kind in kinds))


def _record(kind: str) -> NewRecord:
    return NewRecord(kind, {"0.keys": Tensor("U8", (64,), memoryview(bytes(64)))}, {"place": "0", "role": "turn"})
