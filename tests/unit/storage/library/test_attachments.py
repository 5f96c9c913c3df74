"""Files attached to drafts and messages."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.database import Database
from storage.errors import EnvironmentProblem, NoSuchAttachment
from storage.library.files import Folder, beside
from storage.library.library import Library
from tests.fakes.library import Clock, attach, end, say
from tests.fakes.problems import raising

DAY = 24 * 60 * 60 * 1000


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    file = tmp_path / "Notes.MD"
    file.write_text("# Größe\n")
    return file


def test_files_alone_name_a_chat(library: Library, chat: str) -> None:
    """The first of them is its title, and all of them stand for the text in the list until there is an answer."""
    for name in ("note.txt", "plan.md"):
        library.attachments.add(chat, name, b"words")
    turn = library.messages.begin_turn(chat, "", "m")
    assert library.conversations.get(chat).title == "note.txt"
    assert [row.snippet for row in library.conversations.listed()] == ["note.txt, plan.md"]
    end(library, turn.reply, "An answer")
    assert [row.snippet for row in library.conversations.listed()] == ["An answer"]


def _files(path: Path) -> list[Path]:
    return sorted(file for file in (path.parent / "attachments").rglob("*") if file.is_file())


def test_a_file_is_copied_for_its_owner_only(library: Library, chat: str, path: Path, notes: Path) -> None:
    """The library has its own copy, which survives the original and which only the owner may read."""
    made = attach(library, chat, notes)
    notes.unlink()
    assert library.attachments.of_draft(chat) == (made,)
    assert (made.name, made.bytes, made.text, len(made.id)) == ("Notes.MD", 10, True, 32)
    assert made.media.startswith("text/")
    assert made.path is not None
    assert _files(path) == [made.path]
    assert library.attachments.text_of(made.id) == "# Größe\n"
    assert made.path.suffix == ".md"
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert {folder.stat().st_mode & 0o777 for folder in made.path.parents[:2]} == {0o700}


def test_the_same_file_is_stored_once(library: Library, path: Path, notes: Path) -> None:
    """Chats share one file, which is removed with its last attachment. A fork has the files of its messages, even if
    the original chat is erased, but not those of the draft.
    """
    chat, other = library.conversations.create().id, library.conversations.create().id
    first = attach(library, chat, notes)
    reply = say(library, chat, "read this", "done")
    second, third = attach(library, chat, notes), attach(library, other, notes)
    fork = library.messages.fork(chat, reply).id
    assert library.attachments.of_draft(fork) == ()
    (made,) = library.messages.branch(fork)[0].attachments
    assert [first.path] == [second.path] == [third.path] == [made.path] == _files(path)
    library.attachments.detach(other, third.id)
    library.trash.erase(chat)
    assert library.attachments.text_of(made.id) == "# Größe\n"
    library.trash.erase(fork)
    assert _files(path) == []


def test_sending_moves_the_files_to_the_message(library: Library, chat: str, notes: Path) -> None:
    """The turn, the branch and the page have the files; the draft and later messages do not. Withdrawing the turn
    returns them to the draft with the text, beside newer attachments.
    """
    made = attach(library, chat, notes)
    reply = library.messages.begin_turn(chat, "read this", "m").reply
    later = attach(library, chat, notes)
    library.messages.withdraw_turn(reply.id)
    assert library.attachments.of_draft(chat) == (made, later)
    turn = library.messages.begin_turn(chat, "read this", "m")
    end(library, turn.reply, "done")
    say(library, chat, "and then?", "that")
    assert turn.user.attachments == (made, later)
    assert library.attachments.of_draft(chat) == ()
    for messages in (library.messages.branch(chat), library.messages.page(chat, None, 60).messages):
        assert [one.attachments for one in messages] == [(made, later), (), (), ()]
    with pytest.raises(NoSuchAttachment):
        library.attachments.detach(chat, made.id)


def test_an_edited_message_keeps_its_files(
    library: Library, chat: str, path: Path, notes: Path, tmp_path: Path
) -> None:
    """The edited message has the old files and those of the draft, but for those that are taken off; the old message
    keeps its own.
    """
    made = attach(library, chat, notes)
    say(library, chat, "read this", "done")
    question = library.messages.branch(chat)[0]
    tmp_path.joinpath("more.txt").write_text("more")
    attach(library, chat, tmp_path / "more.txt")
    edited = library.messages.edit(chat, question.id, "read these", "m").user
    assert [one.name for one in edited.attachments] == ["more.txt", "Notes.MD"]
    assert library.messages.branch(chat)[0].attachments == edited.attachments
    assert library.attachments.of_draft(chat) == ()
    gone = edited.attachments[1].id
    other = library.messages.edit(chat, edited.id, "read that", "m", frozenset({gone})).user
    assert [one.name for one in other.attachments] == ["more.txt"]
    for place in (edited, question):
        library.messages.step(chat, library.messages.branch(chat)[0].id, -1)
        assert library.messages.branch(chat)[0].attachments == place.attachments
    assert question.attachments == (made,)
    assert len(_files(path)) == 2


def test_binary_files_are_known(library: Library, chat: str, tmp_path: Path) -> None:
    """A file that is not UTF-8, or contains NUL, is marked as binary; its type follows its name."""
    for name, content in (("a.pdf", b"%PDF\xff"), ("b", b"nul\0"), ("c.tar.gz", b"\x1f\x8b"), ("d.txt", b"")):
        tmp_path.joinpath(name).write_bytes(content)
        attach(library, chat, tmp_path / name)
    assert [(one.name, one.text, one.media) for one in library.attachments.of_draft(chat)] == [
        ("a.pdf", False, "application/pdf"),
        ("b", False, "application/octet-stream"),
        ("c.tar.gz", False, "application/x-tar"),
        ("d.txt", True, "text/plain"),
    ]


def test_a_lost_or_changed_file_is_refused(library: Library, chat: str, notes: Path) -> None:
    """The chat opens and names the attachment, but its text is refused."""
    made = attach(library, chat, notes)
    assert made.path is not None
    made.path.write_text("something else")
    with pytest.raises(NoSuchAttachment, match=r"Notes\.MD"):
        library.attachments.text_of(made.id)
    made.path.unlink()
    with pytest.raises(NoSuchAttachment):
        library.attachments.text_of(made.id)
    os.mkfifo(made.path)
    with pytest.raises(NoSuchAttachment):
        library.attachments.text_of(made.id)
    made.path.unlink()
    assert library.attachments.of_draft(chat) == (made,)
    assert attach(library, chat, notes).path == made.path
    assert library.attachments.text_of(made.id) == "# Größe\n"


def test_a_row_cannot_point_out_of_the_folder(library: Library, chat: str, notes: Path, database: Database) -> None:
    """A file name that Hearth did not make is neither read nor removed."""
    made = attach(library, chat, notes)
    database.raw.execute("UPDATE attachment SET file = '../../Notes.MD'")
    assert library.attachments.of_draft(chat)[0].path is None
    with pytest.raises(NoSuchAttachment):
        library.attachments.text_of(made.id)
    library.attachments.detach(chat, made.id)
    assert notes.exists()


@pytest.mark.parametrize("make", [Path.touch, lambda folder: folder.symlink_to(folder.parent)])
def test_a_folder_that_cannot_be_used_attaches_nothing(
    library: Library, chat: str, path: Path, notes: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    """If the file cannot be written, nothing is attached; once it can, attaching works. Nothing is written through a
    link: where it leads is the user's.
    """
    make(path.parent / "attachments")
    with pytest.raises(EnvironmentProblem):
        attach(library, chat, notes)
    assert library.attachments.of_draft(chat) == ()
    (path.parent / "attachments").unlink()
    assert attach(library, chat, notes).path is not None
    assert not list(tmp_path.rglob("*.partial"))


def test_sweeping_removes_what_a_crash_left(library: Library, chat: str, path: Path, clock: Clock, notes: Path) -> None:
    """Files without an attachment are removed after thirty days, partial ones too; attached files stay. A clock that
    has jumped ahead since an earlier day removes nothing.
    """
    made = attach(library, chat, notes)
    folder = path.parent / "attachments"
    (folder / "ab").mkdir(exist_ok=True)
    lost, unfinished = folder / "ab" / ("ab" * 16), folder / f"{'ab' * 16}.partial"
    mine = [folder / "ab" / "something of the user's", folder / "mine.partial"]
    for file in (lost, unfinished, *mine):
        file.write_text("x")
    assert made.path is not None
    for file in (lost, unfinished, *mine, made.path):
        os.utime(file, (clock.now / 1000, clock.now / 1000))
    noted = clock.now + 29 * DAY
    clock.now = noted + 3650 * DAY
    library.trash.sweep(noted)
    assert {lost, unfinished} <= set(_files(path))
    library.trash.sweep(noted + 2 * DAY)
    assert set(_files(path)) == {made.path, *mine}


@pytest.mark.parametrize("linked", ["attachments", "attachments/ab"])
def test_nothing_is_renewed_or_swept_through_a_link(
    library: Library, path: Path, clock: Clock, tmp_path: Path, linked: str
) -> None:
    """The folder to which it leads is the user's."""
    mine = [tmp_path / "mine" / name for name in ("ab" * 16, f"{'ab' * 16}.partial", f"ab/{'ab' * 16}")]
    for file in mine:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("precious")
        os.utime(file, (0, 0))
    (path.parent / linked).parent.mkdir(exist_ok=True)
    (path.parent / linked).symlink_to(tmp_path / "mine")
    beside(path).renew()
    library.trash.sweep(clock.now)
    assert [file.stat().st_mtime for file in mine] == [0, 0, 0]


def test_a_removal_that_failed_is_repeated(
    library: Library, path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that cannot be removed is reported; the text is gone, and the next sweep removes the file, unless it is
    attached again by then.
    """
    chat, same, other = (library.conversations.create().id for _ in range(3))
    attach(library, same, notes)
    notes.write_text("another")
    attach(library, chat, notes)
    with monkeypatch.context() as broken:
        broken.setattr(Folder, "remove", raising(PermissionError(errno.EPERM, "Not permitted")))
        for gone in (chat, same):
            with pytest.raises(EnvironmentProblem, match="permission"):
                library.trash.erase(gone)
    assert ([row.id for row in library.conversations.listed()], len(_files(path))) == ([other], 2)
    notes.write_text("# Größe\n")
    again = attach(library, other, notes)
    library.trash.sweep(0)
    assert _files(path) == [again.path]


def test_a_chat_in_memory_writes_nothing(tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns, search, drafts and files work as usual in a private library, which never writes a file."""
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with closing(Library.in_memory(Clock())) as private:
        chat = private.conversations.create("Private").id
        made = attach(private, chat, notes)
        assert (made.path, private.attachments.text_of(made.id)) == (None, "# Größe\n")
        say(private, chat, "secret", "whisper")
        assert private.search.find("whisper")[0].id == chat
        assert not hasattr(private, "backups")
        private.trash.erase(chat)
        private.trash.sweep(0)
        with pytest.raises(NoSuchAttachment):
            private.attachments.text_of(made.id)
    assert sorted(tmp_path.rglob("*")) == before
    with closing(Library.in_memory()) as other:
        assert other.conversations.listed() == ()


STEPS = ("attach", "detach", "say", "withdraw", "edit", "fork", "delete", "erase", "purge")


@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 5)), max_size=25))
@settings(max_examples=8)
def test_the_files_on_disk_are_those_that_are_attached(steps: list[tuple[str, int]]) -> None:
    """After any sequence of changes, every row has its file. Only files that were detached have none, until no copy is
    left.
    """
    with tempfile.TemporaryDirectory() as home:
        path = Path(home) / "library" / "library.sqlite"
        with closing(Library.open(path, Clock())) as library:
            for number in range(3):
                Path(home, f"{number}.txt").write_text(f"file {number}")
            for step, number in steps:
                _take(library, step, number, Path(home))
            if "detach" in {step for step, _ in steps}:
                library.trash.forget_files()
        with closing(sqlite3.connect(path)) as raw:
            rows = {file for (file,) in raw.execute("SELECT file FROM attachment")}
        assert {file.relative_to(path.parent / "attachments").as_posix() for file in _files(path)} == rows


def _take(library: Library, step: str, number: int, home: Path) -> None:
    chats = [row.id for row in library.conversations.listed()] or [library.conversations.create().id]
    gone = [row.id for row in library.trash.listed()]
    chat = chats[number % len(chats)]
    branch, drafted = library.messages.branch(chat), library.attachments.of_draft(chat)
    match step:
        case "attach":
            attach(library, chat, home / f"{number % 3}.txt")
        case "detach" if drafted:
            library.attachments.detach(chat, drafted[0].id)
        case "say":
            end(library, library.messages.begin_turn(chat, "q", "m").reply, "a" * (number % 2))
        case "withdraw" if branch and branch[-1].silent:
            library.messages.withdraw_turn(branch[-1].id)
        case "edit" if branch:
            library.messages.edit(chat, branch[0].id, "otherwise", "m")
        case "fork" if branch:
            library.messages.fork(chat, branch[-1].id)
        case "delete":
            library.trash.add(chat)
        case "erase":
            library.trash.erase((gone or chats)[0])
        case "purge":
            library.trash.purge(0)
