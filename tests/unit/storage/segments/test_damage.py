"""Records that are no longer what was written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from storage.errors import (
    DamagedRecord,
    EnvironmentProblem,
    Problem,
)
from storage.segments.header import built
from tests.fakes.segments import (
    first_bytes,
    flip,
    new_record,
    new_segment,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from storage.segments.store import SegmentStore


def _older(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"hearth.schema":"1"', b'"hearth.schema":"0"'))


def _swap(path: Path) -> None:
    segment = new_segment("ba")
    path.write_bytes(built(segment, segment.records[0]) + b"\1" * 1000)


def _link(path: Path) -> None:
    path.replace(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def _link_folder(path: Path) -> None:
    path.parent.rename(path.parents[1] / "elsewhere")
    path.parent.symlink_to("elsewhere")


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("damage", "cause"),
    [
        (lambda path: path.unlink(), "missing"),
        (_link, "not_a_file"),
        (_link_folder, "not_a_file"),
        (_pipe, "not_a_file"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "size"),
        (lambda path: path.write_bytes(b""), "size"),
        (lambda path: path.write_bytes(path.read_bytes() + b"x"), "size"),
        (lambda path: flip(path, 0), "header"),
        (lambda path: flip(path, 7, 0x80), "header"),
        (lambda path: flip(path, 8), "header"),
        (lambda path: flip(path, -1), "checksum"),
        (lambda path: flip(path, -1000), "checksum"),
        (_older, "schema"),
        (_swap, "foreign"),
    ],
)
def test_a_damaged_record_is_a_counted_miss(
    store: SegmentStore, root: Path, damage: Callable[[Path], None], cause: str
) -> None:
    """Whatever happened to the file: an error with its cause, the row gone, counted once, put aside unless it lies
    outside, writable anew.
    """
    chain = [new_segment("aa", None, new_record("kv"), new_record("state")), new_segment("bb", "aa")]
    store.commit("chat", chain)
    record = store.lookup(["aa"])[0].records["kv"]
    damage(root / "aa" / "aa.kv.safetensors")
    with pytest.raises(DamagedRecord) as caught:
        store.read(record)
    assert caught.value.cause.value == cause
    assert set(store.lookup(["aa"])[0].records) == {"state"}
    with pytest.raises(DamagedRecord):
        store.read(record)
    assert dict(store.stats().causes) == {cause: 1}
    assert store.stats().quarantined == (0 if cause == "missing" or (root / "aa").is_symlink() else 1)
    assert first_bytes(store, "bb") == b"\1" * 1000
    store.commit("chat", chain)
    assert first_bytes(store, "aa") == b"\1" * 1000
    store.forget("chat")
    assert store.stats().quarantined == 0


def test_a_stale_record_does_not_harm_its_successor(store: SegmentStore) -> None:
    """Reading with a row from before a rewrite is a miss, and the new record stays."""
    store.commit("chat", [new_segment("aa", None, new_record(fill=1))])
    stale = store.lookup(["aa"])[0].records["kv"]
    store.forget("chat")
    store.commit("chat", [new_segment("aa", None, new_record(fill=2))])
    with pytest.raises(DamagedRecord):
        store.read(stale)
    assert first_bytes(store, "aa") == b"\2" * 1000
    assert dict(store.stats().causes) == {}


def test_a_vanished_folder_costs_no_rows(store: SegmentStore, root: Path) -> None:
    """When the whole store is gone (a disk unplugged), that is the environment's problem; back again, all is there."""
    store.commit("chat", [new_segment("aa")])
    record = store.lookup(["aa"])[0].records["kv"]
    root.rename(root.with_name("unplugged"))
    with pytest.raises(EnvironmentProblem) as caught:
        store.read(record)
    assert caught.value.problem is Problem.VANISHED
    root.with_name("unplugged").rename(root)
    assert bytes(store.read(record).tensors["0.keys"].data) == b"\1" * 1000
