"""Owner-only folders and files, and durable names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from storage.folders import private_file, private_folder, settle

if TYPE_CHECKING:
    from pathlib import Path


def test_every_new_folder_on_the_way_is_the_owners_alone(tmp_path: Path) -> None:
    """Missing parents get the same mode as the folder; an existing folder keeps its mode."""
    tmp_path.chmod(0o755)
    private_folder(tmp_path / "a" / "b")
    assert [path.stat().st_mode & 0o777 for path in (tmp_path, tmp_path / "a", tmp_path / "a" / "b")] == [
        0o755,
        0o700,
        0o700,
    ]


def test_a_new_file_is_the_owners_alone_and_never_an_old_one(tmp_path: Path) -> None:
    """A private file has mode 0600 and never replaces another file."""
    private_file(tmp_path / "file")
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        private_file(tmp_path / "file")


def test_settling_replaces_the_old_file_by_the_new_one(tmp_path: Path) -> None:
    """After settle, the final name has the new content and the temporary name is gone."""
    (tmp_path / "new").write_text("new")
    (tmp_path / "old").write_text("old")
    settle(tmp_path / "new", tmp_path / "old")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["old"]
    assert (tmp_path / "old").read_text() == "new"
