"""Copies that hold erased chats."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.backup.copies import OLDER, LibraryCopies
from app.backup.recovery import DONE, LibraryRecovery
from storage.errors import EnvironmentProblem, Problem
from storage.library.library import Library
from tests.fakes.library import Clock, say
from tests.fakes.tasks import InlineTasks
from tests.fakes.window import FakeWindow
from ui.intents.notice import Notice


@pytest.fixture
def window() -> FakeWindow:
    return FakeWindow()


@pytest.fixture
def tasks(tmp_path: Path) -> Iterator[InlineTasks]:
    with closing(Library.open(tmp_path / "library.sqlite", Clock())) as library:
        yield InlineTasks(library)


@pytest.fixture
def older(tasks: InlineTasks, window: FakeWindow, tmp_path: Path) -> LibraryCopies:
    return LibraryCopies(tasks, window, tmp_path / "library.sqlite", tmp_path / "backups")


def _holding(home: Path) -> list[str]:
    return sorted(file.parent.name for file in home.rglob("*") if file.is_file() and b"secret" in file.read_bytes())


def _fill(library: Library, home: Path) -> str:
    """Put a secret chat into the library, a copy, a replaced library and the copy from before an upgrade."""
    chat = library.conversations.create(title="Ours").id
    say(library, chat, "a secret", "kept")
    copy = library.backups.make_daily(home / "backups")
    assert copy is not None
    (home / "library.sqlite.v2").write_bytes(copy.read_bytes())
    (home / "replaced").mkdir()
    (home / "replaced" / copy.name).write_bytes(copy.read_bytes())
    return chat


def test_erasing_offers_to_replace_older_copies(
    older: LibraryCopies, tasks: InlineTasks, window: FakeWindow, tmp_path: Path
) -> None:
    """Afterwards no file has the words, and there is one good copy of the rest. So no copy that was put back can be
    undone.
    """
    library = tasks.library
    other = library.conversations.create(title="Stays").id
    library.attachments.detach(other, library.attachments.add(other, "x.txt", b"a secret file").id)
    library.trash.erase(_fill(library, tmp_path))
    older.offer_replacement()
    told = window.notices[OLDER]
    assert (told.action, "may hold" in told.text) == ("Replace them by a new copy", True)
    assert {tmp_path.name, "backups", "replaced"} < set(_holding(tmp_path))
    window.show_notice(Notice(DONE, "What was there is the newest copy.", "Undo"))
    older.replace()
    assert _holding(tmp_path) == []
    assert (window.notices[OLDER].action, DONE in window.notices) == ("", False)
    rescue = LibraryRecovery(tmp_path / "library.sqlite", tmp_path / "backups")
    assert len(rescue.copies()) == 1
    assert library.conversations.get(other)


def test_without_copies_there_is_no_notice(older: LibraryCopies, window: FakeWindow) -> None:
    """Without copies there is no choice, so there is no notice."""
    older.offer_replacement()
    assert window.notices == {}


def test_no_copy_is_deleted_before_the_new_one_exists(
    older: LibraryCopies, tasks: InlineTasks, window: FakeWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk is full, the old copies stay and the user reads why."""
    _fill(tasks.library, tmp_path)
    before = _holding(tmp_path)

    def full(*_: object) -> None:
        raise EnvironmentProblem(Problem.DISK_FULL)

    monkeypatch.setattr("storage.library.backups.copy", full)
    older.replace()
    assert list(window.notices) == ["error:disk_full"]
    assert _holding(tmp_path) == before
