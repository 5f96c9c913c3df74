"""Commits and erasures that are cut short, by a stop or a full disk."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from storage.errors import (
    EnvironmentProblem,
    Problem,
    StorageError,
)
from storage.segments.store import SegmentStore
from tests.fakes.disk import FailingDisk, PowerCut, cut_after, cut_before, full_at
from tests.fakes.segments import (
    MUCH,
    assert_agreement,
    files_of,
    first_bytes,
    new_chain,
    new_record,
    new_segment,
)

if TYPE_CHECKING:
    from collections.abc import Callable


_NEXT = [new_segment("sc", "sb", new_record("kv"), new_record("state")), new_segment("sd", "sc", new_record("kv"))]


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A store with one turn, to be copied for every way in which the next one can end."""
    folder = tmp_path / "before"
    with closing(SegmentStore.open(folder, MUCH)) as store:
        store.commit("chat", new_chain("s", 2))
    return folder


def _steps_of_a_commit(folder: Path) -> int:
    disk = FailingDisk(lambda _: None, lambda _: None)
    with closing(SegmentStore.open(Path(shutil.copytree(folder, folder.with_name("whole"))), MUCH, disk)) as store:
        store.commit("chat", _NEXT)
    assert disk.steps.count("rename") == 3
    return len(disk.steps)


@pytest.mark.parametrize("cut", [cut_before, cut_after])
def test_a_commit_may_be_killed_between_any_two_steps(before: Path, cut: Callable[[int], FailingDisk]) -> None:
    """Wherever the power goes: no row without its file, no file without its row, the turn before readable, and the
    commit can be repeated.
    """
    for number in range(_steps_of_a_commit(before)):
        root = Path(shutil.copytree(before, before.with_name(f"cut{number}")))
        with closing(SegmentStore.open(root, MUCH, cut(number))) as store, pytest.raises(PowerCut):
            store.commit("chat", _NEXT)
        with closing(SegmentStore.open(root, MUCH)) as store:
            assert_agreement(store, root)
            assert [first_bytes(store, key) for key in ("sa", "sb")] == [b"\1" * 1000] * 2
            assert dict(store.stats().causes) == {}
            store.commit("chat", _NEXT)
            assert [len(segment.records) for segment in store.lookup(["sa", "sb", "sc", "sd"])] == [1, 1, 2, 1]
            assert_agreement(store, root)


def test_erasing_may_be_killed_between_any_two_steps(tmp_path: Path) -> None:
    """A stop while a conversation is being forgotten leaves no row without its file; the next start erases the rest."""
    before = tmp_path / "whole"
    with closing(SegmentStore.open(before, MUCH)) as store:
        store.commit("kept", [new_segment("ka")])
        store.commit("chat", new_chain("s", 3))
    for number in range(6):
        root = Path(shutil.copytree(before, tmp_path / f"cut{number}"))
        with closing(SegmentStore.open(root, MUCH, cut_after(number))) as store, pytest.raises(PowerCut):
            store.forget("chat")
        with closing(SegmentStore.open(root, MUCH)) as store:
            assert set(files_of(root)) == {"ka.kv.safetensors"}
            assert_agreement(store, root)


def test_dropping_may_be_killed_between_any_two_steps(tmp_path: Path) -> None:
    """A stop while checkpoints are dropped leaves no row without its file; the next start erases the rest."""
    before = tmp_path / "whole"
    with closing(SegmentStore.open(before, MUCH)) as store:
        store.commit("chat", new_chain("s", 3, "kv", "state"))
    for number in range(2):
        root = Path(shutil.copytree(before, tmp_path / f"cut{number}"))
        with closing(SegmentStore.open(root, MUCH, cut_after(number))) as store, pytest.raises(PowerCut):
            store.drop(store.held("chat", "state")[:2])
        with closing(SegmentStore.open(root, MUCH)) as store:
            assert_agreement(store, root)
            assert [len(segment.records) for segment in store.lookup(["sa", "sb", "sc"])] == [1, 1, 2]
            assert dict(store.stats().causes) == {}


def test_a_disk_that_fills_up_leaves_nothing_half_written(before: Path) -> None:
    """At whatever step the room ends: disk_full, no part of a file, and the same commit works once there is room."""
    for number in range(_steps_of_a_commit(before)):
        root = Path(shutil.copytree(before, before.with_name(f"full{number}")))
        with closing(SegmentStore.open(root, MUCH, full_at(number))) as store:
            with pytest.raises(EnvironmentProblem) as caught:
                store.commit("chat", _NEXT)
            assert caught.value.problem is Problem.DISK_FULL
            assert_agreement(store, root)
            assert list(root.glob("*/*.tmp")) == []
            store.commit("chat", _NEXT)
            assert_agreement(store, root)
            assert len(files_of(root)) == 5


def test_an_index_without_room_takes_its_file_back(store: SegmentStore, root: Path) -> None:
    """If the row cannot be written, the file that was goes again; later the commit works."""
    store.commit("chat", new_chain("s", 1))
    raw = store._database.raw
    raw.execute("CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'no room'); END")
    with pytest.raises(StorageError):
        store.commit("chat", [new_segment("sb", "sa")])
    assert set(files_of(root)) == {"sa.kv.safetensors"}
    raw.execute("DROP TRIGGER full")
    store.commit("chat", [new_segment("sb", "sa")])
    assert_agreement(store, root)
