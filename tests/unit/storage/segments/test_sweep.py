"""Comparing the files on disk with the expected ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from storage.errors import Damage
from storage.segments.files import Disk, RecordFiles
from storage.segments.records import StoredRecord

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pytest


def sweep(root: Path, expected: Mapping[str, int]) -> tuple[dict[str, Damage], list[str]]:
    rows = {name: StoredRecord("", "", size, "", {}) for name, size in expected.items()}
    return RecordFiles(root, Disk()).sweep(rows)


def _put(root: Path, name: str, size: int) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_bytes(bytes(size))


_NAMES = st.sampled_from([f"{fan}/{fan}{number}.kv.safetensors" for fan in ("aa", "bb") for number in range(3)])


@given(there=st.dictionaries(_NAMES, st.integers(0, 3)), expected=st.dictionaries(_NAMES, st.integers(0, 3)))
def test_lost_files_and_strays_are_found(
    tmp_path_factory: pytest.TempPathFactory, there: dict[str, int], expected: dict[str, int]
) -> None:
    """Every expected name is present with its size or lost with its cause; any other name is a stray."""
    root = tmp_path_factory.mktemp("root")
    for name, size in there.items():
        _put(root, name, size)
    lost, strays = sweep(root, expected)
    assert sorted(strays) == sorted(there.keys() - expected.keys())
    assert lost == {
        name: Damage.SIZE if name in there else Damage.MISSING
        for name, size in expected.items()
        if there.get(name) != size
    }


def test_foreign_files_are_ignored(tmp_path: Path) -> None:
    """Foreign files and folders are ignored; other records, and anything in a folder's place are strays."""
    for name in ("notes.txt", "long/aa.kv.safetensors", "aa/notes.txt", "AA/x.safetensors", "x.safetensors"):
        _put(tmp_path, name, 1)
    _put(tmp_path, "aa/aa.kv.safetensors", 2)
    (tmp_path / "cc").symlink_to("long")
    assert set(sweep(tmp_path, {})[1]) == {"aa/aa.kv.safetensors", "cc"}
