"""Moving whole conversations from one library to another."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from storage.errors import EnvironmentProblem
from storage.library.archive import Archive
from storage.library.files import Folder
from storage.library.library import Library
from storage.library.rows import ArchivedAttachment
from tests.fakes.library import Clock, attach, end, import_all, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Library]:
    with closing(Library.open(tmp_path / "other" / "library.sqlite", Clock())) as opened:
        yield opened


def _filled(library: Library, tmp_path: Path) -> str:
    tmp_path.joinpath("notes.txt").write_text("what is in it")
    chat = library.conversations.create("Filled").id
    attach(library, chat, tmp_path / "notes.txt")
    say(library, chat, "read this", "done")
    end(library, library.messages.begin_alternatives(chat, library.messages.branch(chat)[0].id, 1, "m")[0], "otherwise")
    return chat


def test_a_conversation_comes_over_with_its_files(library: Library, other: Library, tmp_path: Path) -> None:
    """All branches and files are copied, and do not need the library that they come from."""
    _filled(library, tmp_path)
    archive = library.transfer.export()
    (added,) = import_all(other, archive)
    library.trash.erase(library.conversations.listed()[0].id)
    question, reply = other.messages.branch(added)
    assert (question.content, reply.content, reply.places) == ("read this", "otherwise", 2)
    (file,) = question.attachments
    assert (file.name, file.text, other.attachments.text_of(file.id)) == ("notes.txt", True, "what is in it")
    (back,) = other.transfer.export().conversations
    assert [one.attachments for one in back.messages] == [one.attachments for one in archive.conversations[0].messages]


def test_missing_conversations_and_files_are_left_out(library: Library, tmp_path: Path) -> None:
    """Deleted and unknown conversations, and lost files, are left out of an export."""
    chat, gone = _filled(library, tmp_path), library.conversations.create("Gone").id
    library.conversations.create("Not asked for")
    library.trash.add(gone)
    path = library.messages.branch(chat)[0].attachments[0].path
    assert path is not None
    path.unlink()
    (taken,) = library.transfer.export([chat, gone, "nobody"]).conversations
    assert taken.title == "Filled"
    assert [one.attachments for one in taken.messages] == [(), (), ()]


def test_an_archive_is_added_whole_or_not_at_all(
    library: Library, other: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a file of the last conversation cannot be written, the first conversation is not added either."""
    _filled(library, tmp_path)
    (one,) = library.transfer.export().conversations
    plain = replace(one, messages=tuple(replace(said, attachments=()) for said in one.messages))
    with monkeypatch.context() as broken:
        broken.setattr(Folder, "keep", _full)
        with pytest.raises(EnvironmentProblem, match="disk is full"):
            import_all(other, Archive((plain, one)))
    assert other.conversations.listed() == ()
    assert len(import_all(other, Archive((plain, one)))) == 2


def test_a_file_name_is_no_path(other: Library, library: Library, tmp_path: Path) -> None:
    """A file name in an archive is only shown, never used as a path."""
    _filled(library, tmp_path)
    (one,) = library.transfer.export().conversations
    hostile = ArchivedAttachment("../../../evil.sh\ud800", "text/x-sh", b"#!")
    named = replace(one, messages=(replace(one.messages[0], attachments=(hostile,)),), leaf=one.messages[0].id)
    (added,) = import_all(other, Archive((named,)))
    (file,) = other.messages.branch(added)[0].attachments
    assert file.name == "evil.sh\N{REPLACEMENT CHARACTER}"
    assert file.path is not None
    assert file.path.is_relative_to(tmp_path / "other" / "attachments")


def test_a_file_keeps_its_type(other: Library, library: Library, tmp_path: Path) -> None:
    """The type of a folder has the numbers of its files. What cannot be stored of it is replaced."""
    _filled(library, tmp_path)
    (one,) = library.transfer.export().conversations
    folder = ArchivedAttachment("notes", "inode/directory; files=12\ud800", b"# a.py")
    named = replace(one, messages=(replace(one.messages[0], attachments=(folder,)),), leaf=one.messages[0].id)
    (added,) = import_all(other, Archive((named,)))
    (kept,) = other.transfer.export([added]).conversations
    assert kept.messages[0].attachments[0].media == "inode/directory; files=12\N{REPLACEMENT CHARACTER}"


def _full(_self: Folder, file: str, _content: bytes) -> None:
    raise OSError(28, "No space left on device", file)
