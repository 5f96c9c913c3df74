"""Files on their way into a draft."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from app.chat import attachments
from app.conversations.attaching import MOST_FILES
from app.conversations.conversations import Conversations
from app.documents import reading
from app.documents.folder import FOLDER
from app.documents.limits import MOST_TEXT_BYTES, ReadOutcome
from tests.fakes.office import pdf
from tests.unit.app.conftest import Scene
from ui.state.chat import AttachmentView


def _shown(scene: Scene, chat: str) -> list[tuple[str, bool]]:
    return [(file.name, file.is_pending) for file in scene.window.files[chat]]


def test_a_document_is_attached_as_its_text(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Under its name, and the model reads the words, not the PDF's own language."""
    chat = scene.library.conversations.create().id
    (tmp_path / "doc.pdf").write_bytes(pdf("Hello from a page"))
    chats.attachments.attach(chat, [str(tmp_path / "doc.pdf")])
    assert _shown(scene, chat) == [("doc.pdf", False)]
    chats.sessions.of(chat).submit("What is it?")
    assert scene.engine.requests[-1].messages[-1].content == "What is it?\n\ndoc.pdf:\n```\nHello from a page\n```"


def test_a_file_that_is_taken_off_again_is_read_no_further(
    scene: Scene, chats: Conversations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next file waits for it."""
    chat = scene.library.conversations.create().id
    asked: list[Callable[[], bool]] = []

    def read(_: Path, stopped: Callable[[], bool]) -> ReadOutcome:
        asked.append(stopped)
        return ReadOutcome("words")

    monkeypatch.setattr(reading, "read", read)
    scene.tasks.held = True
    chats.attachments.attach(chat, [str(tmp_path / "slow.pdf"), str(tmp_path / "other.txt")])
    scene.tasks.run_next()
    (is_needless,) = asked
    assert not is_needless()
    chats.attachments.detach(chat, scene.window.files[chat][0].id)
    assert is_needless()


def test_a_very_long_text_goes_as_a_file(scene: Scene, chats: Conversations) -> None:
    """The model reads all of it. One that is longer than any document may be is refused like a document."""
    chat = scene.library.conversations.create().id
    chats.attachments.attach_text(chat, "a story " * 30_000)
    assert _shown(scene, chat) == [("Pasted text.txt", False)]
    chats.attachments.attach_text(chat, "ä" * (MOST_TEXT_BYTES // 2 + 1))
    assert _shown(scene, chat) == [("Pasted text.txt", False)]
    assert scene.window.notices[f"attach:{chat}"].text.startswith("“Pasted text.txt” has more text than any model")
    chats.sessions.of(chat).submit("What is it?")
    assert scene.engine.requests[-1].messages[-1].content.count("a story") == 30_000


def test_a_folder_is_told_from_a_file(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Its chip counts the files that the model is given and those left out, also if its name looks like a file's."""
    chat = scene.library.conversations.create().id
    (tmp_path / "site.md").mkdir()
    (tmp_path / "site.md" / "a.txt").write_text("words")
    (tmp_path / "site.md" / "b.png").write_bytes(b"\0")
    (tmp_path / "site.md" / "c.png").write_bytes(b"\0")
    chats.attachments.attach(chat, [str(tmp_path / "site.md")])
    (shown,) = scene.window.files[chat]
    assert shown.detail.startswith("1 file, 2 left out, ")
    assert (shown.left_out, shown.is_folder) == ("Left out: 2 that are not text", True)
    chats.sessions.of(chat).submit("What is it?")
    sent = scene.library.messages.branch(chat)[0].attachments[0]
    assert attachments.view(sent) == replace(shown, detail=attachments.length(sent))


def test_a_folder_of_an_older_version_is_told_from_a_file(scene: Scene) -> None:
    """Its files were not counted."""
    chat = scene.library.conversations.create().id
    (file,) = attachments.attach(scene.library, chat, "site", "words", FOLDER)
    assert (attachments.view(file).detail, attachments.view(file).left_out) == ("folder, 5 bytes of text", "")


def test_an_empty_file_is_attached_with_a_note(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Its name may matter. Its chip and a notice say that there is nothing in it."""
    chat = scene.library.conversations.create().id
    (tmp_path / "empty.txt").write_text("")
    chats.attachments.attach(chat, [str(tmp_path / "empty.txt")])
    (shown,) = scene.window.files[chat]
    assert (shown.name, shown.detail) == ("empty.txt", "empty")
    told = scene.window.notices[f"attach:{chat}"]
    assert told.text.startswith("“empty.txt” is empty.")
    assert told.passing


def test_a_guess_at_the_letters_of_a_file_is_told(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Text that is not in Unicode may be Russian or Japanese, and the model would be given other letters."""
    chat = scene.library.conversations.create().id
    files = [("old.txt", "cp1251"), ("new.txt", "utf-8"), ("marked.txt", "utf-16")]
    for name, encoding in files:
        (tmp_path / name).write_bytes("Привет".encode(encoding))
    chats.attachments.attach(chat, [str(tmp_path / name) for name, _ in files])
    told = scene.window.notices[f"attach:{chat}"]
    assert told.text.startswith("“old.txt” was read as Western text.")
    assert told.text.count("“") == 1
    assert told.passing


def test_a_refusal_stays_beside_a_note(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The note about an empty file, which passes if it is alone, does not take it along."""
    chat = scene.library.conversations.create().id
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "bad.bin").write_bytes(b"\x00\x01")
    for names in (("empty.txt", "bad.bin"), ("bad.bin", "empty.txt")):
        chats.attachments.attach(chat, [str(tmp_path / name) for name in names])
        told = scene.window.notices[f"attach:{chat}"]
        assert len(told.text.split("\n")) == 2
        assert not told.passing


def test_a_draft_has_a_hundred_files_at_most(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The first ones are attached, and one notice says that there were more."""
    chat = scene.library.conversations.create().id
    paths = [tmp_path / f"{number}.txt" for number in range(MOST_FILES + 5)]
    for path in paths:
        path.write_text("words")
    chats.attachments.attach(chat, map(str, paths[:60]))
    chats.attachments.attach(chat, map(str, paths[60:]))
    assert [name for name, _ in _shown(scene, chat)] == [path.name for path in paths[:MOST_FILES]]
    assert scene.window.notices[f"attach:{chat}"].text == (
        "A message can have 100 files. The others were not attached."
    )


def test_the_files_of_a_draft_have_no_more_text_than_one_may_have(scene: Scene, chats: Conversations) -> None:
    """A hundred of the longest files would be in memory at once, and stop the window when they are sent. A file that
    leaves makes room.
    """
    chat, long = scene.library.conversations.create().id, "a" * (MOST_TEXT_BYTES // 2 + 1)
    chats.attachments.attach_text(chat, long)
    chats.attachments.attach_text(chat, long)
    assert _shown(scene, chat) == [("Pasted text.txt", False)]
    told = scene.window.notices[f"attach:{chat}"]
    assert told.text == "With “Pasted text.txt”, the files would have more text than any model can read."
    chats.attachments.detach(chat, scene.window.files[chat][0].id)
    chats.attachments.attach_text(chat, long)
    assert _shown(scene, chat) == [("Pasted text.txt", False)]
    assert scene.window.notices == {}


def test_few_of_many_large_files_are_in_memory(
    scene: Scene, chats: Conversations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has no room is not kept until the library has stored the others. A later, small file has room."""
    chat = scene.library.conversations.create().id
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text("a" * (MOST_TEXT_BYTES // 2 + 1 if number < 3 else 9))
    read = Mock(wraps=chats.attachments._read)
    monkeypatch.setattr(chats.attachments, "_read", read)
    chats.attachments.attach(chat, [str(tmp_path / f"{number}.txt") for number in range(4)])
    assert [call.args[2] for call in read.call_args_list] == ["0.txt", "3.txt"]
    assert _shown(scene, chat) == [("0.txt", False), ("3.txt", False)]


def test_a_draft_of_files_alone_is_seen_in_the_list(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The row counts them, at once."""
    chat = scene.library.conversations.create().id
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("words")
    chats.attachments.attach(chat, [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")])
    assert [row.draft_files for row in scene.window.rows] == [2]
    chats.attachments.detach(chat, scene.window.files[chat][0].id)
    assert [row.draft_files for row in scene.window.rows] == [1]
    chats.sessions.of(chat).submit("Look")
    assert [row.draft_files for row in scene.window.rows] == [0]


def test_a_file_is_shown_while_it_is_read_and_can_be_taken_off(
    scene: Scene, chats: Conversations, tmp_path: Path
) -> None:
    """A file that was taken off before is not attached."""
    chat = scene.library.conversations.create().id
    (tmp_path / "a.txt").write_text("words")
    scene.tasks.held = True
    for _ in range(2):
        chats.attachments.attach(chat, [str(tmp_path / "a.txt")])
    assert _shown(scene, chat) == [("a.txt", True)] * 2
    chats.attachments.detach(chat, scene.window.files[chat][0].id)
    scene.tasks.let_go()
    scene.tasks.held = False
    scene.tasks.let_go()
    assert _shown(scene, chat) == [("a.txt", False)]


def test_a_file_is_there_if_its_chat_is_deleted_while_it_is_read(
    scene: Scene, chats: Conversations, tmp_path: Path
) -> None:
    """Undo brings it back with the draft. If the chat was erased meanwhile, nothing is said."""
    back, erased = (scene.library.conversations.create(title=title).id for title in ("Back", "Erased"))
    (tmp_path / "a.txt").write_text("words")
    scene.tasks.held = True
    for chat in (back, erased):
        chats.attachments.attach(chat, [str(tmp_path / "a.txt")])
    scene.library.trash.add(back, erased)
    scene.library.trash.erase(erased)
    scene.tasks.let_go()
    scene.tasks.held = False
    scene.tasks.let_go()
    scene.library.trash.restore(back)
    chats.tabs.open(back)
    assert (_shown(scene, back), scene.window.notices) == ([("a.txt", False)], {})


def test_a_tab_that_opens_shows_the_file_that_is_being_read(scene: Scene, chats: Conversations) -> None:
    """The message would be sent without it."""
    chat = scene.library.conversations.create().id
    attachments.attach(scene.library, chat, "a.txt", "words")
    chats.sessions.of(chat).cost.expect([AttachmentView("b", "b.pdf", "reading…", is_pending=True)])
    for _each in range(2):
        chats.tabs.open(chat)
        assert _shown(scene, chat) == [("a.txt", False), ("b.pdf", True)]


def test_every_file_that_is_refused_is_named(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Of several that come together: the good ones are attached, and one notice has the reason for each of the others.
    It stays until the user puts it away, or attaches something else.
    """
    chat = scene.library.conversations.create().id
    contents = {"red.png": b"\x89PNG\r\n\x1a\n\x00", "a.txt": b"words", "bad.bin": b"\x00\x01", "bad.pdf": b"\x00no"}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    chats.attachments.attach(chat, [str(tmp_path / name) for name in contents])
    assert _shown(scene, chat) == [("a.txt", False)]
    told = scene.window.notices[f"attach:{chat}"]
    assert told.text.split("\n") == [
        "“red.png” is an image. No model here can see images yet.",
        "“bad.bin” is not text. Text, PDFs, Word documents, spreadsheets and slides can be attached.",
        "“bad.pdf” is damaged and cannot be read.",
    ]
    assert not told.passing
    chats.attachments.attach(chat, [str(tmp_path / "bad.bin")])
    assert len(scene.window.notices[f"attach:{chat}"].text.split("\n")) == 1


def test_a_picture_from_the_clipboard_is_refused_as_a_file_is(scene: Scene, chats: Conversations) -> None:
    """Something is said, so that the user does not look for the picture."""
    chat = scene.library.conversations.create().id
    chats.attachments.attach_picture(chat)
    assert scene.window.notices[f"attach:{chat}"].text == "No model here can see images yet."


def test_a_refusal_belongs_to_its_chat_until_another_file(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """It is not left behind when a good file was attached, and nothing is shown for what was refused."""
    chat = scene.library.conversations.create().id
    (tmp_path / "red.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    chats.attachments.attach(chat, [str(tmp_path / "red.png")])
    told = scene.window.notices[f"attach:{chat}"]
    assert (told.conversation, told.text) == (chat, "“red.png” is an image. No model here can see images yet.")
    assert _shown(scene, chat) == []
    (tmp_path / "a.txt").write_text("words")
    chats.attachments.attach(chat, [str(tmp_path / "a.txt")])
    assert f"attach:{chat}" not in scene.window.notices


def test_chats_that_are_dropped_are_imported(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """As if the system had opened their file, Hearth's own or the archive that ChatGPT sends. Files beside them are
    attached, and what is no archive of chats is said.
    """
    chat, trip = (scene.library.conversations.create(title=title).id for title in ("Packing", "Trip"))
    export, note, foreign, other = (tmp_path / name for name in ("Trip.HEARTH", "note.txt", "sent.zip", "photos.ZIP"))
    chats.transfer.export_file((trip,), str(tmp_path / "trip.hearth"))
    scene.library.trash.erase(trip)
    (tmp_path / "trip.hearth").rename(export)
    note.write_text("words")
    said = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Hello"]}}
    for path, name in ((foreign, "conversations.json"), (other, "one.txt")):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, json.dumps([{"title": "Sent", "mapping": {"q": {"message": said}}}]))
    chats.attachments.attach(chat, list(map(str, (export, note, foreign, other))))
    assert {row.title for row in scene.window.rows} == {"Trip", "Packing", "Sent"}
    assert _shown(scene, chat) == [("note.txt", False)]
    told = "photos.ZIP: There is no chat in this archive. Unpack it to attach the files in it."
    assert told in [notice.text for notice in scene.window.notices.values()]
