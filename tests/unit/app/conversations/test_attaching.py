"""Files on their way into a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.documents import reading
from tests.fakes.office import pdf

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from app.conversations.conversations import Conversations
    from tests.unit.app.conftest import Scene


def _shown(scene: Scene, chat: str) -> list[tuple[str, bool]]:
    return [(file.name, file.is_pending) for file in scene.window.files[chat]]


def test_a_document_is_attached_as_its_text(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Under its name, and the model reads the words, not the PDF's own language."""
    chat = scene.library.conversations.create().id
    (tmp_path / "doc.pdf").write_bytes(pdf("Hello from a page"))
    chats.attachments.attach(chat, str(tmp_path / "doc.pdf"))
    assert _shown(scene, chat) == [("doc.pdf", False)]
    chats.sessions.of(chat).submit("What is it?")
    assert scene.engine.requests[-1].messages[-1].content == "What is it?\n\ndoc.pdf:\n```\nHello from a page\n```"


def test_a_file_is_shown_while_it_is_read_and_can_be_taken_off(
    scene: Scene, chats: Conversations, tmp_path: Path
) -> None:
    """A file that was taken off before is not attached."""
    chat = scene.library.conversations.create().id
    (tmp_path / "a.txt").write_text("words")
    scene.tasks.held = True
    for _ in range(2):
        chats.attachments.attach(chat, str(tmp_path / "a.txt"))
    assert _shown(scene, chat) == [("a.txt", True)] * 2
    chats.attachments.detach(chat, scene.window.files[chat][0].id)
    scene.tasks.let_go()
    scene.tasks.held = False
    scene.tasks.let_go()
    assert _shown(scene, chat) == [("a.txt", False)]


def test_a_refusal_belongs_to_its_chat_until_another_file(
    scene: Scene, chats: Conversations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not left behind when a good file was attached, and nothing is shown for what was refused."""
    chat = scene.library.conversations.create().id
    (tmp_path / "red.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    chats.attachments.attach(chat, str(tmp_path / "red.png"))
    told = scene.window.notices[f"attach:{chat}"]
    assert (told.conversation, told.text) == (chat, "“red.png” is an image. No model here can see images yet.")
    assert _shown(scene, chat) == []
    (tmp_path / "a.txt").write_text("words")
    monkeypatch.setattr(reading, "text_of", lambda _path: None)
    chats.attachments.attach(chat, str(tmp_path / "a.txt"))
    assert f"attach:{chat}" not in scene.window.notices
