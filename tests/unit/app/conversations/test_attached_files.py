"""Attached files, as the user sees what the model is given."""

from __future__ import annotations

import resource
from pathlib import Path

from app.conversations.conversations import Conversations
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.rows import ArchivedAttachment
from tests.fakes.library import import_all
from tests.unit.app.conftest import Scene


def test_a_file_shows_what_the_model_is_given(scene: Scene, chats: Conversations) -> None:
    """Its text and size, before and after it is sent. Its tokens stand on its chip, where they are counted. A copy of a
    document's text is a text file.
    """
    chat = scene.library.conversations.create().id
    file = scene.library.attachments.add(chat, "doc.pdf", b"Hello from a page")
    for _ in range(2):
        chats.attachments.show_file(chat, file.id)
        shown = scene.window.shown_files.pop()
        assert (shown.name, shown.text, shown.note) == ("doc.pdf", "Hello from a page", "")
        assert shown.detail == "17 bytes of text"
        assert shown.copy_name == "doc.pdf.txt"
        chats.sessions.of(chat).submit("What is it?")


def test_a_copy_can_be_saved(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The text is written as it is, and a disk that refuses it is reported."""
    chat = scene.library.conversations.create().id
    file = scene.library.attachments.add(chat, "note.txt", b"one\r\ntwo\n")
    chats.attachments.save_file(chat, file.id, str(tmp_path / "copy.txt"))
    assert (tmp_path / "copy.txt").read_bytes() == b"one\r\ntwo\n"
    assert scene.window.notices.pop("file").text == "copy.txt was saved."
    chats.attachments.save_file(chat, file.id, str(tmp_path / "none" / "copy.txt"))
    assert [notice.text for notice in scene.window.notices.values()] == [
        "copy.txt cannot be written: No such file or directory."
    ]


def test_a_copy_that_cannot_be_written_leaves_the_file_in_its_place(
    scene: Scene, chats: Conversations, tmp_path: Path
) -> None:
    """The user chose to replace a file, and the disk has no room for all of the new one."""
    chat = scene.library.conversations.create().id
    file = scene.library.attachments.add(chat, "note.txt", b"words " * 1000)
    (tmp_path / "copy.txt").write_text("before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        chats.attachments.save_file(chat, file.id, str(tmp_path / "copy.txt"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [notice.text.partition(":")[0] for notice in scene.window.notices.values()] == ["copy.txt cannot be written"]
    assert (tmp_path / "copy.txt").read_text() == "before"
    assert [*tmp_path.glob(".copy*")] == []


def test_a_file_without_text_says_so(scene: Scene, chats: Conversations) -> None:
    """An imported picture, a file whose copy is lost, and one that is no longer part of the chat."""
    cat = ArchivedAttachment("cat.png", "image/png", b"\x89PNG\0\xff")
    said = ArchivedMessage("1", None, "user", "Look.", attachments=(cat,))
    (chat,) = import_all(scene.library, Archive((ArchivedConversation("Cat", (said,)),)))
    chats.attachments.show_file(chat, scene.library.messages.branch(chat)[0].attachments[0].id)
    assert scene.window.shown_files.pop().note == "This file is not text. The model is only given its name."
    lost = scene.library.attachments.add(chat, "note.txt", b"words")
    assert lost.path is not None
    lost.path.unlink()
    chats.attachments.show_file(chat, lost.id)
    assert "note.txt" in scene.window.shown_files.pop().note
    chats.attachments.show_file(chat, "gone")
    assert [notice.text for notice in scene.window.notices.values()] == ["This file is no longer part of the chat."]
