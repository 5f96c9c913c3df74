"""Messages that wait while an answer is being written, with the real engine and the real library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.intents.chat import InChat, Stop
from ui.intents.queue import SendQueued

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end2end.conftest import Desk


def _questions(desk: Desk, chat: str) -> list[str]:
    messages = desk.tab(chat).transcript.messages
    views = (messages.view(place) for place in range(len(messages)))
    return [view.text for view in views if view.role == "user"]


def test_messages_wait_are_stopped_and_survive_a_quit(desk: Desk, answers: Callable[[int], None]) -> None:
    """They are sent in order. Stop leaves them until they are sent by hand, and after a quit they wait again."""
    answers(600)
    app = desk.open()
    chat = app.window.chats.current()
    desk.send(chat, "One")
    desk.until(lambda: desk.is_generating(chat))
    for text in ("Two", "Three", "Four"):
        desk.send(chat, text)
    queue = desk.tab(chat).composer.queue
    assert [row.message.text for row in queue.rows()] == ["Two", "Three", "Four"]
    desk.until(lambda: _questions(desk, chat) == ["One", "Two"] and desk.is_generating(chat))
    app.window.requested.emit(InChat(chat, Stop()))
    desk.until(lambda: desk.is_idle(chat) and queue.send_button.isVisible())
    app.window.requested.emit(InChat(chat, SendQueued()))
    desk.until(lambda: _questions(desk, chat) == ["One", "Two", "Three"] and desk.is_generating(chat))
    desk.tab(chat).composer.edit.setPlainText("half a thought")
    desk.close()
    desk.open()
    composer = desk.tab(chat).composer
    assert composer.text() == "half a thought"
    assert [row.message.text for row in composer.queue.rows()] == ["Four"]
    assert composer.queue.send_button.isVisible()
    assert _questions(desk, chat) == ["One", "Two", "Three"]
