"""A library file that is not there: new, lost, or on its way."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.errors import DamagedDatabase, LostDatabase
from storage.library.library import Library

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def lost(tmp_path: Path) -> Path:
    """Where a library was, with one chat, which its copy has too."""
    path = tmp_path / "library.sqlite"
    with closing(Library.open(path)) as library:
        library.conversations.create(title="Kept")
        library.backups.make_daily(tmp_path / "backups")
    path.rename(tmp_path / "elsewhere")
    return path


def _titles(path: Path) -> list[str]:
    with closing(Library.open(path)) as library:
        return [one.title for one in library.conversations.listed()]


def test_a_library_is_lost_where_there_are_copies_of_it(lost: Path) -> None:
    """No empty one is laid in the place of one that was there, however often it is asked for."""
    for _ in range(2):
        with pytest.raises(LostDatabase, match="is missing, but there are copies"):
            Library.open(lost)
        assert not list(lost.parent.glob("library.sqlite*"))


def test_without_copies_it_is_the_first_start(tmp_path: Path) -> None:
    """Nobody is asked anything; other files in the folder of copies are not ours."""
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "notes.sqlite").write_text("the user's")
    assert _titles(tmp_path / "library.sqlite") == []


def test_a_log_says_more_than_copies(lost: Path) -> None:
    """Where the log of a missing file is left, its words can be rescued: the library is damaged, not lost."""
    lost.with_name(f"{lost.name}-wal").write_bytes(b"words")
    with pytest.raises(DamagedDatabase) as caught:
        Library.open(lost)
    assert not isinstance(caught.value, LostDatabase)


def test_an_exchange_that_was_decided_is_ended_first(lost: Path) -> None:
    """A crash over putting a copy in the place of a lost library loses nothing."""
    lost.with_name("elsewhere").rename(lost.with_name(f"{lost.name}.next"))
    assert _titles(lost) == ["Kept"]
