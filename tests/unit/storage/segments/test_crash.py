"""Commits and erasures that a power loss interrupts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from storage.segments.store import SegmentStore
from tests.fakes.disk import FailingDisk, PowerCut, cut_after, cut_before, with_index
from tests.fakes.segments import assert_agreement, files_of, first_bytes, flip, new_chain, new_record, new_segment

_QUOTA = 12_000
_NEXT = [new_segment("sd", "sc", new_record("kv"), new_record("state")), new_segment("se", "sd", new_record("kv"))]
_ALL = {"ka.kv", "sa.kv", "sb.kv", "sc.kv"}


_CHANGES: dict[str, tuple[Callable[[SegmentStore], object], set[str]]] = {
    "commit": (lambda store: store.commit("chat", _NEXT), {*_ALL, "sc.state", "sd.kv", "sd.state", "se.kv"}),
    "forget": (lambda store: store.forget("chat"), {"ka.kv"}),
    "drop": (lambda store: store.drop(store.index.records("chat", "state", "model")[:2]), _ALL),
    "set_quota": (lambda store: store.set_quota(3000), {"ka.kv"}),
    "evict": (lambda store: store.commit("new", [new_segment("na", None, new_record(size=9000))]), {"ka.kv", "na.kv"}),
    "reconcile": (lambda store: store.reconcile(), _ALL),
    "pin": (lambda store: store.index.pin(["kept"]), _ALL),
}
"""What may be cut short, and the records that are left when it was not."""


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
        (folder / "sa" / "saz.kv.safetensors").write_bytes(b"orphan")
    return folder


@pytest.mark.sweep
@pytest.mark.parametrize("cut", [cut_before, cut_after])
@pytest.mark.parametrize("name", _CHANGES)
def test_every_change_may_be_killed_between_any_two_steps(
    busy: Path, monkeypatch: pytest.MonkeyPatch, name: str, cut: Callable[[int], FailingDisk]
) -> None:
    """After a power loss during a commit or an erasure the next start leaves every row with its file and every file
    with its row, counts no damage, keeps what the change would have kept, and the change can be repeated. Steps are
    those of the disk, and the transactions of the index.
    """
    change, left = _CHANGES[name]
    before = _records(busy)
    number, stopped = 0, True
    while stopped:
        root = Path(shutil.copytree(busy, busy.with_name(f"cut{number}")))
        disk = FailingDisk(lambda _: None, lambda _: None)
        with closing(SegmentStore.open(root, _QUOTA, disk)) as store:
            (root / "sa" / "saz.kv.safetensors").write_bytes(b"orphan")
            disk.become(cut(number))
            with with_index(disk, monkeypatch):
                stopped = _stops(store, change)
        with closing(SegmentStore.open(root, _QUOTA)) as store:
            assert_agreement(store, root)
            assert dict(store.index.stats().causes) == {"checksum": 1}
            assert first_bytes(store, "ka") == b"\1" * 1000
            assert left & before <= _records(root)
            change(store)
            assert left <= _records(root)
            assert_agreement(store, root)
        number += 1
    assert number > 1


def _stops(store: SegmentStore, change: Callable[[SegmentStore], object]) -> bool:
    try:
        change(store)
    except PowerCut:
        return True
    return False


def _records(root: Path) -> set[str]:
    return {name.removesuffix(".safetensors") for name in files_of(root)}
