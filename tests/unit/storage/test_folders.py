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
    private_folder(tmp_path / "a" / "b", tmp_path)
    assert [path.stat().st_mode & 0o777 for path in (tmp_path, tmp_path / "a", tmp_path / "a" / "b")] == [
        0o755,
        0o700,
        0o700,
    ]


def test_a_folder_that_is_gone_is_not_created_for_what_is_below_it(tmp_path: Path) -> None:
    """A home that was renamed stays where its owner put it: nothing appears at its old place."""
    for below in (None, tmp_path / "home", tmp_path / "home" / "library"):
        with pytest.raises(FileNotFoundError):
            private_folder(tmp_path / "home" / "library" / "backups", below)
    assert list(tmp_path.iterdir()) == []


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
