"""Owner-only folders and files, and durable names."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from storage.folders import (
    ForeignFileError,
    export_file,
    fresh_file,
    locked,
    open_own,
    private_folder,
    refuse_foreign,
    replace_file,
)
from tests.fakes.first_look import after_first_look


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


def test_a_folder_that_another_process_just_makes_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several first starts at once, none says that a file stands in the place of the folder."""
    after_first_look(monkeypatch, tmp_path / "home", (tmp_path / "home").mkdir)
    private_folder(tmp_path / "home")
    assert (tmp_path / "home").is_dir()


@pytest.mark.parametrize("leave", [Path.touch, os.mkfifo])
def test_a_new_file_is_the_owners_alone(tmp_path: Path, leave: Callable[[Path], None]) -> None:
    """It has mode 0600 and takes the place of what an earlier process left, at once: opening a pipe would wait."""
    leave(tmp_path / "file")
    fresh_file(tmp_path / "file").close()
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "file").read_bytes() == b""


def test_a_link_planted_where_a_file_is_written_first_leads_nowhere(tmp_path: Path) -> None:
    """In a folder that others may write to, the temporary name is known: no file of the user is overwritten by it."""
    (tmp_path / "mine").write_text("mine")
    (tmp_path / ".chats.md.partial").symlink_to(tmp_path / "mine")
    export_file(tmp_path / "chats.md", b"text")
    assert (tmp_path / "mine").read_text() == "mine"
    written = [path for path in tmp_path.iterdir() if path.name != "mine"]
    assert [path.read_text() for path in written] == ["text"]
    assert not written[0].is_symlink()


def test_two_processes_that_replace_a_file_at_once_both_succeed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file has the whole content of the last one. Otherwise the list of paired Macs could not be read any more."""
    rename, waiting = Path.replace, [b"other"]

    def replace(self: Path, target: Path) -> Path:
        if waiting:
            replace_file(tmp_path / "macs.json", waiting.pop())
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    replace_file(tmp_path / "macs.json", b"mine")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("macs.json", b"mine")]


def _link(path: Path) -> None:
    path.symlink_to(path.with_name("mine"))


def _hard_link(path: Path) -> None:
    path.hardlink_to(path.with_name("mine"))


FOREIGN = [_link, _hard_link, os.mkfifo]


@pytest.mark.parametrize("plant", FOREIGN)
@pytest.mark.parametrize("flags", [os.O_WRONLY | os.O_APPEND, os.O_RDWR])
def test_what_hearth_did_not_make_is_refused_at_once(tmp_path: Path, plant: Callable[[Path], None], flags: int) -> None:
    """A link to a file of the user, also a hard one, and a pipe. The error names the path."""
    (tmp_path / "mine").write_text("mine")
    plant(tmp_path / "file")
    with pytest.raises(ForeignFileError, match="Hearth did not make") as refused:
        open_own(tmp_path / "file", flags)
    assert refused.value.filename == str(tmp_path / "file")
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_file_of_an_earlier_process_is_continued(tmp_path: Path) -> None:
    """The file is created for the owner alone, and opened again where it ended."""
    for piece in (b"one ", b"two"):
        with os.fdopen(open_own(tmp_path / "file", os.O_WRONLY | os.O_APPEND), "ab") as file:
            file.write(piece)
    assert (tmp_path / "file").read_text() == "one two"
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600


def test_a_lock_is_held_once_and_free_again_when_closed(tmp_path: Path) -> None:
    """A second holder is refused at once. The file is the owner's alone."""
    for _ in range(2):
        with closing(locked(tmp_path / "lock")), pytest.raises(BlockingIOError):
            locked(tmp_path / "lock")
    assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600


def test_a_planted_lock_changes_no_file_of_the_user(tmp_path: Path) -> None:
    """A lock file gets the owner's mode, which a link must not carry elsewhere."""
    (tmp_path / "mine").touch(0o644)
    (tmp_path / "lock").symlink_to(tmp_path / "mine")
    with pytest.raises(ForeignFileError):
        locked(tmp_path / "lock")
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("plant", [_link, os.mkfifo])
def test_a_folder_with_a_link_or_a_pipe_is_refused(tmp_path: Path, plant: Callable[[Path], None]) -> None:
    """Wherever in the folder it is, and if the folder itself is one: what is written there would land elsewhere.
    Folders and files alone are fine.
    """
    folder = tmp_path / "folder"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "file").touch()
    refuse_foreign(folder)
    for place in (folder / "a" / "b" / "c", tmp_path / "other"):
        plant(place)
        with pytest.raises(ForeignFileError):
            refuse_foreign(place if place.parent == tmp_path else folder)
