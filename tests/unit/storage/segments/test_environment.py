"""Disks that disappear, fill up or refuse: each is reported by its name, and the store works again afterwards."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from storage.errors import DamagedRecord, EnvironmentProblem, Problem
from storage.segments import index as index_module
from storage.segments.index import Index
from storage.segments.store import SegmentStore
from tests.fakes.disk import FailingDisk, failing_at, refusing, with_index
from tests.fakes.problems import reported
from tests.fakes.segments import MUCH, assert_agreement, files_of, first_bytes, new_chain, new_record, new_segment, read

_CALLS: dict[str, Callable[[SegmentStore], object]] = {
    "lookup": lambda store: store.index.lookup(["sa"]),
    "held": lambda store: store.index.records("chat", "kv", "model"),
    "holders": lambda store: store.index.holders(["sa"]),
    "roots": lambda store: store.index.roots("model"),
    "conversations": lambda store: store.index.conversations(),
    "conversation": lambda store: store.index.conversations("chat"),
    "shared_bytes": lambda store: store.index.stats().shared_bytes,
    "commit": lambda store: store.commit("chat", [new_segment("sd", "sc")]),
    "touch": lambda store: store.index.touch("chat", ["sa"]),
    "forget": lambda store: store.forget("other"),
    "pin": lambda store: store.index.pin(["chat"]),
    "set_quota": lambda store: store.set_quota(MUCH),
    "reconcile": lambda store: store.reconcile(),
    "verify": lambda store: store.verify(),
    "stats": lambda store: store.index.stats(),
}


@pytest.fixture
def filled(store: SegmentStore) -> SegmentStore:
    store.commit("chat", new_chain("s", 3))
    store.commit("other", new_chain("o", 2))
    return store


@pytest.mark.parametrize("call", _CALLS.values(), ids=_CALLS)
def test_a_store_that_went_away_is_said_to_have_vanished(
    filled: SegmentStore, root: Path, call: Callable[[SegmentStore], object]
) -> None:
    """While the folder or the index is missing, or another file is in the place of the index, every call raises
    EnvironmentProblem (vanished). Once it is back, the same call succeeds and nothing is lost.
    """
    record = filled.index.lookup(["sa"])[0].records["kv"]
    away = root.with_name("unplugged")
    root.rename(away)
    _assert_vanished(filled, call, lambda store: read(store, record))
    assert not root.exists()
    away.rename(root)
    (root / "segments.sqlite").rename(root / "away")
    _assert_vanished(filled, call)
    shutil.copy(root / "away", root / "segments.sqlite")
    _assert_vanished(filled, call)
    (root / "away").rename(root / "segments.sqlite")
    assert len(filled.verify().good) == 5
    call(filled)
    assert_agreement(filled, root)


def _assert_vanished(store: SegmentStore, *calls: Callable[[SegmentStore], object]) -> None:
    for call in calls:
        with reported(Problem.VANISHED):
            call(store)


@pytest.mark.parametrize("lose", [shutil.rmtree, lambda root: (root / "segments.sqlite").unlink()])
def test_what_is_gone_for_good_is_made_again_by_opening(
    filled: SegmentStore, root: Path, lose: Callable[[Path], None]
) -> None:
    """If the store's folder or its index was erased, the store is empty after it is opened anew, and works."""
    lose(root)
    _assert_vanished(filled, lambda store: store.commit("chat", new_chain("s", 4)))
    filled.close()
    with closing(SegmentStore.open(root, MUCH)) as again:
        assert files_of(root) == {}
        again.commit("chat", new_chain("s", 4))
        assert_agreement(again, root)


_PROBLEMS = [
    (errno.ENOSPC, Problem.DISK_FULL),
    (errno.EROFS, Problem.READ_ONLY),
    (errno.EACCES, Problem.PERMISSION),
    (errno.EIO, Problem.IO),
    (errno.ENODEV, Problem.VANISHED),
]


@pytest.mark.parametrize(("number", "problem"), _PROBLEMS)
def test_a_commit_that_fails_at_any_step_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, problem: Problem
) -> None:
    """At every step, of the disk or of the index, a failing commit reports the problem by its name and leaves no file
    and no row; the next one succeeds.
    """
    chain = [new_segment("aa", None, new_record("kv"), new_record("state")), new_segment("bb", "aa")]
    whole = FailingDisk(lambda _: None, lambda _: None)
    with closing(SegmentStore.open(tmp_path / "whole", MUCH, whole)) as store:
        whole.steps.clear()
        with with_index(whole, monkeypatch):
            store.commit("chat", chain)
    assert (whole.steps.count("create"), whole.steps[-1]) == (3, "transaction")
    root, disk = tmp_path / "failing", FailingDisk(lambda _: None, lambda _: None)
    with closing(SegmentStore.open(root, MUCH, disk)) as store:
        for step in range(len(whole.steps)):
            disk.become(failing_at(step, number))
            with with_index(disk, monkeypatch), reported(problem):
                store.commit("chat", chain)
            assert (files_of(root), store.index.lookup(["aa", "bb"])) == ({}, ())
            store.commit("chat", chain)
            assert [len(segment.records) for segment in store.index.lookup(["aa", "bb"])] == [2, 1]
            assert_agreement(store, root)
            store.forget("chat")
            for folder in ("aa", "bb"):
                (root / folder).rmdir()


def test_refused_erasures_are_repeated(root: Path) -> None:
    """A commit or an erasure that fails leaves no rows. Files that the disk refuses to erase go with the next commit,
    without a restart. A record that is written anew meanwhile is not erased in the place of the old one.
    """
    disk = refusing()
    with closing(SegmentStore.open(root, MUCH, disk)) as store:
        store.commit("chat", new_chain("s", 3))
        store.commit("other", new_chain("o", 2))
        (root / "aa").mkdir(mode=0o700)
        disk.refuse("write", "remove")
        with pytest.raises(EnvironmentProblem):
            store.commit("new", [new_segment("aa")])
        assert len(files_of(root)) == 6
        assert store.reconcile() == {"aa/aa.kv.safetensors": "no_row"}
        disk.refuse("remove")
        with reported(Problem.READ_ONLY):
            store.forget("chat")
        assert len(files_of(root)) == 6
        assert store.index.lookup(["aa", "sa"]) == ()
        store.commit("chat", [new_segment("sa", None, new_record(fill=2))])
        disk.recover()
        store.commit("chat", [new_segment("xb", "sa")])
        assert set(files_of(root)) == {f"{key}.kv.safetensors" for key in ("oa", "ob", "sa", "xb")}
        assert first_bytes(store, "sa") == b"\2" * 1000
        assert_agreement(store, root)


def test_one_refused_erasure_keeps_no_other_file(root: Path) -> None:
    """All files of a forgotten chat are tried, and the first refusal is reported."""
    disk = FailingDisk(lambda _: None, lambda _: None)
    with closing(SegmentStore.open(root, MUCH, disk)) as store:
        store.commit("chat", new_chain("s", 3))
        disk.become(failing_at(0, errno.EIO))
        with pytest.raises(EnvironmentProblem) as caught:
            store.forget("chat")
        assert caught.value.problem is Problem.IO
        assert len(files_of(root)) <= 1


_WRITES = {name: _CALLS[name] for name in ("commit", "touch", "forget", "pin")}


@pytest.mark.parametrize("call", _WRITES.values(), ids=_WRITES)
def test_a_read_only_index_changes_nothing(
    filled: SegmentStore, index: Index, root: Path, call: Callable[[SegmentStore], object]
) -> None:
    """If rows cannot be written, no file is added or erased."""
    before = files_of(root)
    index.raw.execute("PRAGMA query_only = ON")
    with reported(Problem.READ_ONLY):
        call(filled)
    assert files_of(root) == before
    index.raw.execute("PRAGMA query_only = OFF")
    assert filled.reconcile() == {}
    call(filled)
    assert_agreement(filled, root)


def test_a_damaged_record_on_a_read_only_disk_is_still_only_damaged(
    filled: SegmentStore, index: Index, root: Path
) -> None:
    """If the damage cannot be noted, the read is a miss as usual, and the next read notes it."""
    path = root / "sa" / "sa.kv.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    record = filled.index.lookup(["sa"])[0].records["kv"]
    index.raw.execute("PRAGMA query_only = ON")
    for _ in range(2):
        with pytest.raises(DamagedRecord):
            read(filled, record)
    index.raw.execute("PRAGMA query_only = OFF")
    assert dict(filled.index.stats().causes) == {}
    with pytest.raises(DamagedRecord):
        read(filled, record)
    assert dict(filled.index.stats().causes) == {"size": 1}


def test_a_clock_that_is_set_back_changes_nothing(
    filled: SegmentStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recency counts uses, and the bytes of a repeated day are added to that day."""
    today = filled.index.stats().written_today
    monkeypatch.setattr(index_module, "today", lambda: "1999-12-31")
    assert filled.index.stats().written_today == 0
    written = filled.commit("chat", [new_segment("sd", "sc")])
    assert filled.index.stats().written_today == written
    monkeypatch.undo()
    assert filled.index.stats().written_today == today
    assert filled.index.conversations()[0].conversation == "chat"
    filled.set_quota(4 * written)
    assert len(filled.index.lookup(["sa", "sb", "sc", "sd"])) == 4
    assert_agreement(filled, root)
