"""Commits and erasures that a power loss or a full disk interrupts."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from storage.errors import (
    EnvironmentProblem,
    Problem,
)
from storage.segments.store import SegmentStore
from tests.fakes.disk import FailingDisk, PowerCut, cut_after, cut_before, full_at
from tests.fakes.segments import (
    MUCH,
    assert_agreement,
    files_of,
    first_bytes,
    flip,
    new_chain,
    new_record,
    new_segment,
    stored_keys,
)

if TYPE_CHECKING:
    from collections.abc import Callable


_QUOTA = 12_000
_NEXT = [new_segment("sc", "sb", new_record("kv"), new_record("state")), new_segment("sd", "sc", new_record("kv"))]


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A store with one turn, copied for every way in which the next one can end."""
    folder = tmp_path / "before"
    with closing(SegmentStore.open(folder, MUCH)) as store:
        store.commit("chat", new_chain("s", 2))
    return folder


def _steps_of_a_commit(folder: Path) -> int:
    disk = FailingDisk(lambda _: None, lambda _: None)
    with closing(SegmentStore.open(Path(shutil.copytree(folder, folder.with_name("whole"))), MUCH, disk)) as store:
        store.commit("chat", _NEXT)
    assert disk.steps.count("create") == 3
    return len(disk.steps)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("cut", [cut_before, cut_after])
def test_a_commit_may_be_killed_between_any_two_steps(before: Path, cut: Callable[[int], FailingDisk]) -> None:
    """After a power loss at any step every row has its file and every file its row, the earlier turn can be read, and
    the commit can be repeated.
    """
    for number in range(_steps_of_a_commit(before)):
        root = Path(shutil.copytree(before, before.with_name(f"cut{number}")))
        with closing(SegmentStore.open(root, MUCH, cut(number))) as store, pytest.raises(PowerCut):
            store.commit("chat", _NEXT)
        with closing(SegmentStore.open(root, MUCH)) as store:
            assert_agreement(store, root)
            assert [first_bytes(store, key) for key in ("sa", "sb")] == [b"\1" * 1000] * 2
            assert dict(store.index.stats().causes) == {}
            store.commit("chat", _NEXT)
            assert [len(segment.records) for segment in store.index.lookup(["sa", "sb", "sc", "sd"])] == [1, 1, 2, 1]
            assert_agreement(store, root)


@pytest.mark.parametrize("left", [None, 0, 1 / 2, 1], ids=["nothing", "no byte", "a half", "zeros"])
def test_a_power_loss_may_tear_what_a_turn_wrote(before: Path, left: float | None) -> None:
    """Rows may outlive the bytes of their files, as neither is synced: each such record is a counted miss, the earlier
    turn can be read, and the turn can be written again.
    """
    with closing(SegmentStore.open(before, MUCH)) as store:
        store.commit("chat", _NEXT)
    for path in (before / "sc" / "sc.kv.safetensors", before / "sc" / "sc.state.safetensors"):
        size = path.stat().st_size
        path.unlink() if left is None else path.write_bytes(bytes(int(size * left)))
    with closing(SegmentStore.open(before, MUCH)) as store:
        store.verify()
        assert sum(store.index.stats().causes.values()) == 2
        assert [first_bytes(store, key) for key in ("sa", "sb", "sd")] == [b"\1" * 1000] * 3
        store.commit("chat", _NEXT)
        assert_agreement(store, before)


_CHANGES: dict[str, tuple[Callable[[SegmentStore], object], set[str]]] = {
    "forget": (lambda store: store.forget("chat"), {"ka"}),
    "drop": (lambda store: store.drop(store.index.held("chat", "state", "model")[:2]), {"ka", "sa", "sb", "sc"}),
    "set_quota": (lambda store: store.set_quota(3000), {"ka"}),
    "evict": (lambda store: store.commit("new", [new_segment("na", None, new_record(size=9000))]), {"ka", "na"}),
    "reconcile": (lambda store: store.reconcile(), {"ka", "sa", "sb", "sc"}),
    "pin": (lambda store: store.index.pin(["kept"]), {"ka", "sa", "sb", "sc"}),
}
"""What may be cut short, and the segments that are left when it was not."""


@pytest.fixture
def busy(tmp_path: Path) -> Path:
    """A store with a pinned conversation and another one, and a stray file."""
    folder = tmp_path / "busy"
    with closing(SegmentStore.open(folder, _QUOTA)) as store:
        store.commit("kept", [new_segment("ka")])
        store.index.pin(["kept"])
        store.commit("chat", new_chain("s", 3, "kv", "state"))
        store.commit("hurt", [new_segment("ha")])
        flip(folder / "ha" / "ha.kv.safetensors", -1)
        store.verify()
        (folder / "sa" / "sz.kv.safetensors").write_bytes(b"orphan")
    return folder


@pytest.mark.sweep(4)
@pytest.mark.parametrize("cut", [cut_before, cut_after])
@pytest.mark.parametrize("name", _CHANGES)
def test_every_change_may_be_killed_between_any_two_steps(
    busy: Path, name: str, cut: Callable[[int], FailingDisk]
) -> None:
    """After a power loss during any erasure the next start leaves every row with its file and every file with its row,
    counts no damage, keeps pinned records, and the change can be repeated.
    """
    change, left = _CHANGES[name]
    number, stopped = 0, True
    while stopped:
        root = Path(shutil.copytree(busy, busy.with_name(f"cut{number}")))
        disk = FailingDisk(lambda _: None, lambda _: None)
        with closing(SegmentStore.open(root, _QUOTA, disk)) as store:
            (root / "sa" / "sz.kv.safetensors").write_bytes(b"orphan")
            disk.become(cut(number))
            stopped = _stops(store, change)
        with closing(SegmentStore.open(root, _QUOTA)) as store:
            assert_agreement(store, root)
            assert dict(store.index.stats().causes) == {"checksum": 1}
            assert first_bytes(store, "ka") == b"\1" * 1000
            change(store)
            assert left <= set(stored_keys(store, "ka", "sa", "sb", "sc", "na"))
            assert_agreement(store, root)
        number += 1
    assert number > (0 if name == "pin" else 1)


def _stops(store: SegmentStore, change: Callable[[SegmentStore], object]) -> bool:
    try:
        change(store)
    except PowerCut:
        return True
    return False


def test_a_disk_that_fills_up_leaves_nothing_half_written(before: Path) -> None:
    """At any step a full disk raises disk_full and leaves no file; the commit succeeds once there is room."""
    for number in range(_steps_of_a_commit(before)):
        root = Path(shutil.copytree(before, before.with_name(f"full{number}")))
        with closing(SegmentStore.open(root, MUCH, full_at(number))) as store:
            with pytest.raises(EnvironmentProblem) as caught:
                store.commit("chat", _NEXT)
            assert caught.value.problem is Problem.DISK_FULL
            assert_agreement(store, root)
            store.commit("chat", _NEXT)
            assert_agreement(store, root)
            assert len(files_of(root)) == 5
