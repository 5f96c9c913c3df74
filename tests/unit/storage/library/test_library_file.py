"""Opening a library whose file is missing or damaged."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from storage.errors import DamagedDatabase, LostDatabase
from storage.library.library import Library
from tests.fakes.first_look import after_first_look
from tests.fakes.library import rot


@pytest.fixture
def lost(tmp_path: Path) -> Path:
    """A missing library of one chat, with a backup."""
    path = tmp_path / "library.sqlite"
    with closing(Library.open(path)) as library:
        library.conversations.create(title="Kept")
        library.backups.make_daily(tmp_path / "backups")
    path.rename(tmp_path / "elsewhere")
    return path


def _titles(path: Path) -> list[str]:
    with closing(Library.open(path)) as library:
        return [one.title for one in library.conversations.listed()]


def test_a_missing_library_with_backups_is_lost(lost: Path) -> None:
    """No empty library is created, however often it is opened."""
    for _ in range(2):
        with pytest.raises(LostDatabase, match="is missing, but there are copies"):
            Library.open(lost)
        assert not list(lost.parent.glob("library.sqlite*"))


def test_without_backups_it_is_the_first_start(tmp_path: Path) -> None:
    """A new library is created; other files in the backup folder do not count."""
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "notes.sqlite").write_text("the user's")
    assert _titles(tmp_path / "library.sqlite") == []


def test_a_library_that_another_process_just_makes_is_not_lost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first backup may be there as soon as it is."""

    def other() -> None:
        with closing(Library.open(path)) as library:
            library.conversations.create(title="Kept")
            library.backups.make_daily(path.with_name("backups"))

    path.parent.mkdir()
    after_first_look(monkeypatch, path, other)
    assert _titles(path) == ["Kept"]


def test_a_remaining_log_means_damage(lost: Path) -> None:
    """If the missing file's log is left, its text can be rescued, so the library counts as damaged, not lost, and no
    new one is created.
    """
    lost.with_name(f"{lost.name}-wal").write_bytes(b"words")
    with pytest.raises(DamagedDatabase) as caught:
        Library.open(lost)
    assert not isinstance(caught.value, LostDatabase)
    assert not lost.exists()


def test_an_interrupted_replacement_is_finished_first(lost: Path) -> None:
    """A crash while a backup replaces a lost library loses nothing."""
    lost.with_name("elsewhere").rename(lost.with_name(f"{lost.name}.next"))
    assert _titles(lost) == ["Kept"]


def test_rot_inside_the_file_is_reported(path: Path) -> None:
    """Damaged pages raise DamagedDatabase instead of shortening the list."""
    with closing(Library.open(path)) as library:
        for number in range(300):
            library.conversations.create(f"Chat {number} " + "x" * 200)
    rot(path)
    with pytest.raises(DamagedDatabase), closing(Library.open(path)) as library:
        library.conversations.listed()


def test_a_library_may_be_opened_on_one_thread_and_used_on_another(path: Path) -> None:
    """The thread that uses the library may differ from the one that opened it."""
    library = Library.open(path)
    with ThreadPoolExecutor(1) as worker:
        chat = worker.submit(library.conversations.create, "Elsewhere").result().id
        assert [row.id for row in worker.submit(library.conversations.listed).result()] == [chat]
        worker.submit(library.close).result()
