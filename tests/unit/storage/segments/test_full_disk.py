"""A disk without a free byte: caches are given back all the same, because their files are erased before the rows."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from storage.errors import DamagedRecord, EnvironmentProblem, Problem
from storage.segments.index import Index
from storage.segments.store import SegmentStore
from tests.fakes.disk import FailingDisk, PowerCut, cut_before, failing_at
from tests.fakes.problems import reported
from tests.fakes.segments import (
    MUCH,
    assert_agreement,
    files_of,
    first_bytes,
    linked,
    new_chain,
    new_record,
    new_segment,
    read,
)
from tests.soak.small_disk import Mounted, small_disk

if TYPE_CHECKING:
    from sqlalchemy import Connection

_CHANGES: dict[str, tuple[Callable[[SegmentStore], object], set[str]]] = {
    "forget": (lambda store: store.forget("chat"), {"ka", "oa", "sa"}),
    "keep": (lambda store: store.keep({"kept", "other"}), {"ka", "oa", "sa"}),
    "set_quota": (lambda store: store.set_quota(0), {"ka"}),
    "pin": (lambda store: store.set_quota(0, pinned=["other"]), {"oa", "sa"}),
    "free": (lambda store: store.set_quota(0, pinned=[]), set()),
}
"""What gives caches back, and the segments that are left."""


@pytest.fixture
def busy(tmp_path: Path) -> Path:
    """A store of three chats. One is pinned, and the two others begin with the same segment."""
    folder = tmp_path / "busy"
    with closing(SegmentStore.open(folder, MUCH)) as store:
        store.commit("kept", [new_segment("ka")])
        store.index.pin(["kept"])
        store.commit("chat", new_chain("s", 3))
        store.commit("other", [new_segment("sa"), new_segment("oa", "sa")])
    return folder


@contextmanager
def _full(monkeypatch: pytest.MonkeyPatch, disk: FailingDisk, erasures: float) -> Iterator[None]:
    """The index takes no change until so many files have been erased. Each of its changes is a step of `disk`."""
    begin = Index.transaction

    @contextmanager
    def transaction(self: Index) -> Iterator[Connection]:
        before = self.raw.total_changes
        with begin(self) as connection:
            yield connection
            if self.raw.total_changes > before:
                disk.step("change")
                if disk.steps.count("remove") < erasures:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(Index, "transaction", transaction)
        yield


def _working() -> FailingDisk:
    return FailingDisk(lambda _: None, lambda _: None)


@pytest.mark.parametrize("name", _CHANGES)
def test_caches_are_given_back_without_a_free_byte(busy: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Chats can be forgotten and evicted. Pinned chats stay, also those that were pinned just now, and what others
    share stays too.
    """
    change, left = _CHANGES[name]
    disk = _working()
    with closing(SegmentStore.open(busy, MUCH, disk)) as store:
        with _full(monkeypatch, disk, 1):
            change(store)
        assert {name.partition(".")[0] for name in files_of(busy)} == left
        assert_agreement(store, busy)
        assert store.reconcile() == {}


@pytest.mark.parametrize("name", _CHANGES)
def test_a_file_without_its_row_is_a_miss(busy: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """If others take the space that the files gave, the full disk is reported. What is gone is never read, what others
    share and what is pinned is still there, and the same change works once there is room.
    """
    change, left = _CHANGES[name]
    disk = _working()
    with closing(SegmentStore.open(busy, MUCH, disk)) as store:
        with _full(monkeypatch, disk, float("inf")):
            with reported(Problem.DISK_FULL):
                change(store)
            assert _readable(store) == left
        change(store)
        assert_agreement(store, busy)
        assert _readable(store) == left
        store.set_quota(MUCH)
        store.commit("new", new_chain("s", 3))
        assert first_bytes(store, "sc") == b"\1" * 1000


@pytest.mark.sweep
@pytest.mark.parametrize("name", _CHANGES)
def test_a_full_disk_may_lose_power_between_any_two_steps(
    busy: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The next start leaves every row with its file and every file with its row, and keeps all that was to stay."""
    change, left = _CHANGES[name]
    number, stopped = 0, True
    while stopped:
        root, disk, stopped = Path(shutil.copytree(busy, busy.with_name(f"cut{number}"))), _working(), False
        with closing(SegmentStore.open(root, MUCH, disk)) as store:
            disk.become(cut_before(number))
            try:
                with _full(monkeypatch, disk, 1):
                    change(store)
            except PowerCut:
                stopped = True
        with closing(SegmentStore.open(root, MUCH)) as store:
            assert_agreement(store, root)
            assert left <= _readable(store)
            change(store)
            assert _readable(store) == left
        number += 1
    assert number > 2


@pytest.mark.sweep
@pytest.mark.parametrize("name", _CHANGES)
def test_a_full_disk_may_also_refuse_any_step(busy: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Any one step fails. No file is left without a row for good, and the next change frees the rest."""
    change, left = _CHANGES[name]
    for number in range(12):
        root, disk = Path(shutil.copytree(busy, busy.with_name(f"refused{number}"))), _working()
        with closing(SegmentStore.open(root, MUCH, disk)) as store:
            disk.become(failing_at(number, errno.EIO))
            with _full(monkeypatch, disk, 1), suppress(EnvironmentProblem):
                change(store)
            disk.become(_working())
            assert left <= _readable(store)
            change(store)
            store.set_quota(MUCH)
            store.commit("new", [new_segment("na")])
            assert {one.partition(".")[0] for one in files_of(root)} == left | {"na"}
            assert_agreement(store, root)


def test_a_store_with_a_lost_file_opens_on_a_full_disk(busy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its row cannot be removed. All others can be read, and be given back."""
    (busy / "sc" / "sc.kv.safetensors").unlink()
    disk = _working()
    with _full(monkeypatch, disk, 3), closing(SegmentStore.open(busy, MUCH, disk)) as store:
        assert _readable(store) == {"ka", "oa", "sa", "sb"}
        store.set_quota(0)
        assert _readable(store) == {"ka"}


def test_a_real_disk_without_a_free_byte_gives_its_caches_back(tmp_path: Path) -> None:
    """As above, with SQLite and a file system that refuse by themselves."""
    with small_disk(tmp_path) as disk:
        if not isinstance(disk, Mounted):
            pytest.skip("no small disk can be mounted here")
        with closing(SegmentStore.open(disk.folder / "segments", MUCH)) as store:
            for chat in range(10):
                keys = [f"{chat}{place}" for place in range(20)]
                store.commit(f"chat{chat}", linked(keys, lambda _: (new_record(size=20_000),)))
            store.index.pin(["chat7"])
            store.index.truncate_log()
            disk.fill(0)
            with reported(Problem.DISK_FULL):
                store.commit("new", [new_segment("na")])
            assert store.forget("chat3") > 20 * 20_000
            disk.fill(0)
            store.set_quota(0, pinned=["chat8"])
            assert {name[0] for name in files_of(disk.folder / "segments")} == {"8"}
            assert_agreement(store, disk.folder / "segments")


def _readable(store: SegmentStore) -> set[str]:
    """The segments whose records can be read and are right."""
    readable = set()
    for record in store.index.records():
        with suppress(DamagedRecord):
            read(store, record)
            readable.add(record.segment)
    return readable
