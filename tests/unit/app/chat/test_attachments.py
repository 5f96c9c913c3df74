"""Attachments: which files are accepted, and how they appear in the prompt."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chat import attachments
from app.documents.limits import pdf_media
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.rows import ArchivedAttachment, Attachment, Message, SavedDraft
from tests.fakes.library import import_all
from tests.unit.app.conftest import Scene

NOTE = Attachment("a", "note.md", "text/markdown", 5, None, text=True)


def _said(content: str, *files: Attachment) -> Message:
    return Message("m", None, "user", content, conversation="c", attachments=files)


def test_a_file_stands_behind_the_words_under_its_name() -> None:
    """The model gets the file's name with its text."""
    assert attachments.words(_said("Look.", NOTE), {"a": "one\ntwo\n"}) == "Look.\n\nnote.md:\n```\none\ntwo\n```"


def test_words_without_files_stay_as_they_are() -> None:
    """The prompt of a message without files does not change."""
    assert attachments.words(_said("Look. "), {}) == "Look. "


def test_files_alone_are_a_message() -> None:
    """Text is optional."""
    other = replace(NOTE, id="b", name="b.txt")
    assert (
        attachments.words(_said("", NOTE, other), {"a": "x", "b": "y"})
        == "note.md:\n```\nx\n```\n\nb.txt:\n```\ny\n```"
    )


def test_a_file_that_is_lost_is_said_to_be() -> None:
    """The prompt says that the file is missing."""
    assert attachments.words(_said("Look.", NOTE), {}) == "Look.\n\nnote.md: this file is not there any more."


def test_a_file_of_another_kind_is_named_only(scene: Scene) -> None:
    """The bytes of an imported picture are not in the prompt."""
    kind = ArchivedAttachment("cat.png", "image/png", b"\x89PNG\0\xff")
    said = ArchivedMessage("1", None, "user", "Look.", attachments=(kind,))
    (chat,) = import_all(scene.library, Archive((ArchivedConversation("Cat", (said,)),)))
    branch = scene.library.messages.branch(chat)
    contents = attachments.texts(scene.library, branch)
    assert attachments.words(branch[0], contents) == "Look.\n\ncat.png: this file is not text and cannot be read here."


@pytest.mark.parametrize("text", [True, False])
def test_no_name_breaks_out_of_its_line(text: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Neither for the model nor for the user, wherever the file came from."""
    file = replace(NOTE, name="a\n\u202eb.md", text=text)
    for contents in ("words", None):
        assert attachments.block(file, contents).splitlines()[0].startswith("a\\n\\u202eb.md:")
    assert attachments.view(file).name == "a\\n\\u202eb.md"


@given(st.text(st.sampled_from("`\n a"), max_size=40))
def test_no_text_breaks_out_of_its_block(text: str) -> None:
    """The fence is longer than any run of backticks in the text."""
    lines = attachments.words(_said("", NOTE), {"a": text}).split("\n")
    fence = lines[1]
    assert set(fence) == {"`"}
    assert len(fence) >= 3
    assert lines[-1] == fence
    assert not any(fence in line for line in lines[2:-1])


def test_the_text_of_a_file_is_attached_and_taken_off(scene: Scene) -> None:
    """Under the name of the file."""
    chat = scene.library.conversations.create().id
    kept = attachments.attach(scene.library, chat, "note.md", "häuser")
    assert [file.name for file in kept] == ["note.md"]
    assert attachments.texts(scene.library, [_said("", *kept)]) == {kept[0].id: "häuser"}
    assert attachments.detach(scene.library, chat, kept[0].id) == ()
    assert attachments.texts(scene.library, [_said("", *kept)]) == {}


def test_the_window_names_file_and_size() -> None:
    """For the chip."""
    shown = attachments.view(replace(NOTE, bytes=12 * 2**10))
    assert (shown.id, shown.name, shown.detail) == ("a", "note.md", "12 KB")


def test_what_was_read_from_a_document_is_not_its_size() -> None:
    """The library keeps the text alone, which may be much shorter than the file."""
    assert attachments.view(replace(NOTE, name="report.PDF", bytes=28), 7).detail == "28 bytes of text · 7 tokens"
    assert attachments.view(replace(NOTE, name="folder", bytes=2048)).detail == "2 KB of text"
    assert attachments.view(replace(NOTE, bytes=0)).detail == "empty"


def test_pages_that_are_pictures_are_told() -> None:
    """On the chip, and why in its words."""
    shown = attachments.view(replace(NOTE, name="a.pdf", bytes=2048, media=pdf_media(9)))
    assert shown.detail == "2 KB of text, 9 pages left out"
    assert shown.left_out == "Left out: 9 pages that are pictures without text"
    assert not attachments.left_out(replace(NOTE, name="a.pdf", media="application/pdf; pictures=x"))


def test_a_message_of_a_file_alone_that_is_stopped_shows_its_file_again(scene: Scene) -> None:
    """It is in the draft again. Otherwise it would go with the next message unseen. What was typed since stays as it
    is, also for a closed tab.
    """
    session = scene.session()
    session.outbox.show_files(attachments.attach(scene.library, session.id, "notes.txt", "words"))
    session.submit("")
    scene.library.conversations.save_draft(session.id, SavedDraft("typed since"))
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert scene.branch(session) == ()
    assert [file.name for file in session.cost.file_views()] == ["notes.txt"]
    assert [file.name for file in scene.window.files[session.id]] == ["notes.txt"]
    assert (scene.window.drafts, scene.library.conversations.draft(session.id).typed) == ({}, "typed since")


def test_the_files_of_a_question_that_is_withdrawn_go_with_no_other_message(scene: Scene) -> None:
    """The next one is sent while a slow disk still takes the question back. Its files come back to the composer."""
    session = scene.session()
    session.outbox.show_files(attachments.attach(scene.library, session.id, "notes.txt", "words"))
    session.submit("q1")
    session.stop()
    scene.tasks.held = True
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    session.submit("q2")
    scene.tasks.let_go()
    assert scene.branch(session)[0].attachments == ()
    assert [file.name for file in session.cost.file_views()] == ["notes.txt"]
    scene.say(session, "a2")
    scene.finish(session)
    session.submit("q3")
    assert [file.name for file in scene.branch(session)[2].attachments] == ["notes.txt"]
