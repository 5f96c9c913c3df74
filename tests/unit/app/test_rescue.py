"""What is offered where the library is damaged, and what comes of it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from app.errors import NothingToRestore
from app.rescue import DONE, KEY, Rescue
from storage.errors import DamagedDatabase
from storage.library.store import Library
from tests.fakes.library import Clock, say

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A library with one chat in its copy, two in the file, and a first page that is gone."""
    path = tmp_path / "library.sqlite"
    with closing(Library.open(path, Clock())) as library:
        say(library, library.create(title="Old").id, "hello", "hi")
        library.backup(tmp_path / "backups")
        say(library, library.create(title="New").id, "hello again", "hi again")
    content = path.read_bytes()
    path.write_bytes(bytes(4096) + content[4096:])
    return path


@pytest.fixture
def rescue(path: Path, tmp_path: Path) -> Rescue:
    return Rescue(path, tmp_path / "backups", Clock())


def _error(path: Path) -> Exception:
    with pytest.raises(DamagedDatabase) as caught:
        Library.open(path)
    return caught.value


def _titles(path: Path) -> list[str]:
    with closing(Library.open(path)) as library:
        return sorted(one.title for one in library.conversations())


def test_both_ways_are_offered_and_nothing_is_changed(rescue: Rescue, path: Path) -> None:
    """The user reads what is wrong, the age of the copy, and that words after it may still be rescued."""
    before = path.read_bytes()
    offer = rescue.offer(_error(path))
    assert offer.key == KEY
    assert offer.action.startswith("Use the copy of 14 November 2023")
    assert offer.other == "Rescue what can be read"
    assert "Nothing was changed" in offer.text
    assert path.read_bytes() == before


def test_the_copy_can_be_used(rescue: Rescue, path: Path) -> None:
    """The library is the copy then, and the damaged one is kept where the notice says."""
    rescue.offer(_error(path))
    done = rescue.act()
    assert _titles(path) == ["Old"]
    assert (done.key, "kept in" in done.text) == (DONE, True)
    assert len(list((path.parent / "replaced").glob("library-*.sqlite"))) == 1


def test_what_can_be_read_is_rescued(rescue: Rescue, path: Path) -> None:
    """The other way keeps what was said after the copy, and counts it."""
    rescue.offer(_error(path))
    assert "2 chats with 4 messages" in rescue.other().text
    assert _titles(path) == ["New", "Old"]


def test_without_a_copy_rescue_is_the_one_offer(path: Path, tmp_path: Path) -> None:
    """No button leads nowhere."""
    rescue = Rescue(path, tmp_path / "none", Clock())
    offer = rescue.offer(_error(path))
    assert (offer.action, offer.other) == ("Rescue what can be read", "")
    assert rescue.act().key == DONE
    assert _titles(path) == ["New", "Old"]


def test_where_nothing_can_be_read_the_file_stays(path: Path, rescue: Rescue) -> None:
    """A rescue that finds nothing changes nothing: no empty library is shown."""
    path.write_bytes(b"\xa5" * 40960)
    with pytest.raises(DamagedDatabase):
        rescue.rescue()
    assert path.read_bytes() == b"\xa5" * 40960
    assert sorted(entry.name for entry in path.parent.iterdir() if entry.is_file()) == [path.name]


def test_copies_are_listed_and_taken_by_their_id(rescue: Rescue, path: Path) -> None:
    """The settings show each copy with its date and size; one that is gone meanwhile is refused."""
    ((identifier, words),) = rescue.copies()
    assert words.startswith("14 November 2023")
    assert words.endswith("MB")
    rescue.restore(identifier)
    assert _titles(path) == ["Old"]
    with pytest.raises(NothingToRestore):
        rescue.restore("library-20200101T000000Z.sqlite")
