"""The operating system's steps of a write and an erasure."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from storage.segments.files import Disk, discard

if TYPE_CHECKING:
    from pathlib import Path


def test_anything_of_the_name_is_discarded(tmp_path: Path) -> None:
    """A file, a pipe, a dangling link, a full folder, a missing name, and a name below a file."""
    (tmp_path / "file").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "full" / "inner").mkdir(parents=True)
    (tmp_path / "full" / "inner" / "file").write_text("x")
    (tmp_path / "other").write_text("stays")
    for name in ("file/below", "file", "pipe", "link", "full", "nothing"):
        discard(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_a_new_file_takes_the_place_of_anything(tmp_path: Path) -> None:
    """A new file replaces a folder or a link, belongs to the owner only, and is not written through the link."""
    disk = Disk()
    (tmp_path / "elsewhere").write_text("mine")
    (tmp_path / "link").symlink_to("elsewhere")
    (tmp_path / "folder").mkdir()
    for name in ("link", "folder"):
        with disk.create(tmp_path / name) as file:
            disk.write(file, b"new")
        assert (tmp_path / name).read_bytes() == b"new"
        assert (tmp_path / name).lstat().st_mode & 0o777 == 0o600
    assert (tmp_path / "elsewhere").read_text() == "mine"
