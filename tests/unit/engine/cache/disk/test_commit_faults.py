"""A commit and the thinning after it, cut short or failing at each step: of the disk, and of the index."""

from __future__ import annotations

import errno
import shutil
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx
import pytest

from engine.cache import retention
from engine.cache.disk.disk_tier import Write, new_segment, save
from engine.cache.lookup import fetch
from engine.cache.retention import MOST, SPANS_A_TURN
from engine.cache.segment import Needs, Segment, cut
from storage.errors import StorageError
from storage.segments.index import Index
from storage.segments.store import SegmentStore
from tests.fakes.disk import FailingDisk, PowerCut, cut_after, cut_before, failing_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sqlalchemy import Connection

NEEDS = Needs(kv=True, state=True)
QUOTA = 1 << 30
ARRAYS = {"a": mx.zeros((64,))}
TURNS = 13
WHOLE = cut("m", range(10 + 20 * TURNS), range(10, 11 + 20 * TURNS, 10))
"""A shared prefix and two segments a turn."""
BEFORE = WHOLE[:-SPANS_A_TURN]


def opened(root: Path, disk: FailingDisk | None = None) -> SegmentStore:
    return SegmentStore.open(root, QUOTA, disk)


def commit(store: SegmentStore, chain: Sequence[Segment]) -> None:
    """The last turn of `chain`: its keys and values, and its state."""
    reply = chain[-1]
    new = [
        new_segment(s, "m", {"kv": ARRAYS} | ({"state": ARRAYS} if s is reply else {})) for s in chain[-SPANS_A_TURN:]
    ]
    save(store, Write("chat", new, {}), chain)


def reached(store: SegmentStore) -> int:
    return fetch(store, WHOLE, NEEDS, 1 << 20, {}).plan.length


def states(store: SegmentStore) -> int:
    return len(store.index.held("chat", "state", "m"))


@pytest.fixture
def chat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of a chat of twelve turns that keeps eight states. With the next turn it has to drop one."""
    monkeypatch.setattr(retention, "MOST_BYTES", 0)
    root = tmp_path / "before"
    with closing(opened(root)) as store:
        for end in range(1, len(BEFORE) + 1, SPANS_A_TURN):
            commit(store, WHOLE[:end])
        assert (reached(store), states(store)) == (BEFORE[-1].end, MOST)
    return root


@contextmanager
def counted(disk: FailingDisk, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Transactions of the index are steps of `disk` too."""
    begin = Index.transaction

    @contextmanager
    def transaction(self: Index) -> Iterator[Connection]:
        with begin(self) as connection:
            yield connection
            disk.step("transaction")  # before it is committed: a failure takes it back

    with monkeypatch.context() as patched:
        patched.setattr(Index, "transaction", transaction)
        yield


def each_step(
    chat: Path, monkeypatch: pytest.MonkeyPatch, failing: Callable[[int], FailingDisk]
) -> Iterator[tuple[SegmentStore, Path]]:
    """Stores of the chat in which the next commit failed at one step: at the first, at the second, and so on."""
    number, stopped = 0, True
    while stopped:
        root = Path(shutil.copytree(chat, chat.with_name(f"{number}")))
        disk = FailingDisk(lambda _: None, lambda _: None)
        with closing(opened(root, disk)) as store:
            disk.become(failing(number))
            with counted(disk, monkeypatch):
                stopped = stops(store)
            yield store, root
        number += 1
    assert {"create", "write", "transaction", "remove"} <= set(disk.steps), "thinning included"


def stops(store: SegmentStore) -> bool:
    try:
        commit(store, WHOLE)
    except (PowerCut, StorageError, OSError):
        return True
    return False


@pytest.mark.sweep(1)
@pytest.mark.parametrize("cut_at", [cut_before, cut_after])
def test_a_commit_that_is_cut_short_loses_nothing(
    chat: Path, monkeypatch: pytest.MonkeyPatch, cut_at: Callable[[int], FailingDisk]
) -> None:
    """After a power loss at any step the chat is warm up to the turn before, or to the new one. Rows and files agree,
    and the next commit leaves eight states.
    """
    ends = set()
    for store, root in each_step(chat, monkeypatch, cut_at):
        store.close()
        with closing(opened(root)) as again:
            ends.add(reached(again))
            assert again.reconcile() == {}
            assert not again.index.stats().causes
            assert states(again) <= MOST + 1, "the new state may be there, and the old one not yet erased"
            commit(again, WHOLE)
            assert (reached(again), states(again)) == (WHOLE[-1].end, MOST)
            assert again.verify().causes == {}
    assert ends == {BEFORE[-1].end, WHOLE[-1].end}


def test_a_step_that_fails_once_loses_nothing(chat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The open store is as good as before: the chat is warm, and the next commit is complete."""
    for store, _ in each_step(chat, monkeypatch, lambda number: failing_at(number, errno.EIO)):
        assert reached(store) in {BEFORE[-1].end, WHOLE[-1].end}
        commit(store, WHOLE)
        assert (reached(store), states(store)) == (WHOLE[-1].end, MOST)
        assert store.reconcile() == {}
