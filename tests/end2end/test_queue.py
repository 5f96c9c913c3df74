"""Messages that wait while an answer is being written, with the real engine and the real library."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end2end.conftest import Desk
from tests.fakes.doomed_queue import FIRST, TYPED, WAITING
from ui.intents.chat import InChat, Open, SendQueued, Stop

ROOT = Path(__file__).resolve().parents[2]


def _questions(desk: Desk, chat: str) -> list[str]:
    messages = desk.tab(chat).transcript.messages
    views = (messages[place].view for place in range(len(messages)))
    return [view.text for view in views if view.role == "user"]


def test_messages_wait_are_stopped_and_survive_a_quit(desk: Desk, answers: Callable[[int], None]) -> None:
    """They are sent in order. Stop leaves them until they are sent by hand, and after a quit they wait again."""
    answers(300)
    app = desk.open()
    chat = app.window.tabs.current()
    desk.send(chat, "One")
    desk.until(lambda: desk.is_generating(chat))
    for text in ("Two", "Three", "Four"):
        desk.send(chat, text)
    queue = desk.tab(chat).composer.queue
    assert [row.message.text for row in queue.rows] == ["Two", "Three", "Four"]
    desk.until(lambda: _questions(desk, chat) == ["One", "Two"] and desk.is_generating(chat))
    app.window.requested.emit(InChat(chat, Stop()))
    desk.until(lambda: desk.is_idle(chat) and queue.send_button.isVisible())
    app.window.requested.emit(InChat(chat, SendQueued()))
    desk.until(lambda: _questions(desk, chat) == ["One", "Two", "Three"] and desk.is_generating(chat))
    desk.tab(chat).composer.edit.setPlainText("half a thought")
    desk.close()
    desk.open()
    composer = desk.tab(chat).composer
    assert composer.edit.toPlainText() == "half a thought"
    assert [row.message.text for row in composer.queue.rows] == ["Four"]
    assert composer.queue.send_button.isVisible()
    assert _questions(desk, chat) == ["One", "Two", "Three"]


@pytest.mark.usefixtures("echo")
def test_a_quit_keeps_the_order_of_what_was_not_answered(desk: Desk) -> None:
    """The question waits before the message that follows it, and what was typed is in the message box."""
    chat = desk.open().window.tabs.current()
    desk.send(chat, "One")
    desk.send(chat, "Two")
    desk.tab(chat).composer.edit.setPlainText("half a thought")
    desk.close()
    desk.open()
    composer = desk.tab(chat).composer
    assert [row.message.text for row in composer.queue.rows] == ["One", "Two"]
    assert (composer.edit.toPlainText(), _questions(desk, chat)) == ("half a thought", [])


@pytest.mark.sweep(2)
@pytest.mark.usefixtures("echo")
@pytest.mark.parametrize("step", ["queued", "sending", "sent", "answered", "edited"])
def test_a_killed_app_loses_no_message_that_waits(desk: Desk, step: str) -> None:
    """Wherever the queue is when the app is killed, each message is there once after the next start: asked, waiting, or
    in the message box.
    """
    command = [sys.executable, "-m", "tests.fakes.doomed_queue", step]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as doomed:
        told, _ = doomed.communicate(timeout=60)
    assert doomed.returncode == -signal.SIGKILL
    chat = told.strip()
    app = desk.open()
    app.window.requested.emit(InChat(chat, Open()))
    desk.until(lambda: app.window.chats.tab(chat) is not None)
    composer = desk.tab(chat).composer
    there = [*_questions(desk, chat), *(row.message.text for row in composer.queue.rows), composer.edit.toPlainText()]
    for words in (FIRST, *WAITING, TYPED):
        assert sum(text.count(words) for text in there) == 1, f"{words!r} in {there}"
    assert len(_questions(desk, chat)) == (2 if step in {"sent", "answered"} else 1)
