"""The names of records' files, and where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.errors import DamagedDatabase
from storage.segments.files import Disk, RecordFiles


@pytest.mark.parametrize(("key", "kind"), [("../ab", "kv"), ("ab", "../kv"), ("", "kv"), ("ab/cd", "kv"), ("AB", "kv")])
def test_no_row_can_name_a_file_elsewhere(tmp_path: Path, key: str, kind: str) -> None:
    """Keys and kinds that no commit writes are refused as damage of the index."""
    with pytest.raises(DamagedDatabase):
        RecordFiles(tmp_path, Disk()).path(key, kind)


def test_a_root_that_is_gone_is_an_error(tmp_path: Path) -> None:
    """A missing disk is not an empty one."""
    with pytest.raises(FileNotFoundError):
        RecordFiles(tmp_path / "unplugged", Disk()).sweep({})
