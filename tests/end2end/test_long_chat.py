"""Chats that grow beyond the model's context, with the real engine and the real stores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from app.base import paths, settings
from app.base.settings import ModelSettings
from app.chat.overflow import FULL
from tests.end2end.conftest import Desk
from tests.fakes.foreign import never
from ui.intents.chat import Edit, InChat, LeaveOut, Regenerate, Step
from ui.state.chat import MessageState, Warmth

LIMIT = 400
"""Tokens; each letter is one for the tests' model."""


@pytest.fixture(autouse=True)
def _short(answers: Callable[[int], None], model: Path) -> None:
    answers(8)
    file = paths.find().settings
    kept = settings.load(file, never)
    small = {str(model): ModelSettings(context_limit=LIMIT)}
    settings.save(msgspec.structs.replace(kept, models=small), file)


def _newest_question(desk: Desk, chat: str) -> str:
    question = desk.tab(chat).transcript.messages.newest_of("user")
    return question.text if question is not None else ""


def _ask(desk: Desk, chat: str, text: str) -> MessageState:
    """Send a message, and wait for the end of its answer."""
    desk.send(chat, text)
    desk.until(lambda: _newest_question(desk, chat) == text.strip())
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).state is not MessageState.OPEN)
    return desk.answer(chat).state


def test_one_click_makes_a_full_chat_usable_and_warm_again(desk: Desk) -> None:
    """After one cut the same answer is written, the chat says where the model begins to read, and the next turns
    continue warm without another cut.
    """
    app = desk.open()
    chat = app.window.tabs.current()
    number = 0
    while _ask(desk, chat, f"Question {number}: " + "tell me more " * 3) is not MessageState.FAILED:
        number += 1
    assert app.window.notices.keys() == (FULL + chat,)
    failed = desk.answer(chat).id
    app.window.requested.emit(InChat(chat, LeaveOut()))
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).state is MessageState.STOPPED)
    assert desk.answer(chat).id == failed
    assert desk.answer(chat).footer.startswith("8 tokens")
    messages = desk.tab(chat).transcript.messages
    read = [not messages[place].view.out_of_context for place in range(len(messages))]
    assert read == sorted(read)
    assert 0 < read.index(True) < len(read) - 2, "more than the last turn is read"
    assert app.window.notices.keys() == (FULL + chat,)
    assert _ask(desk, chat, "And then?") is not MessageState.FAILED
    assert app.window.notices.keys() == ()
    status = app.conversations.sessions.of(chat).status
    assert status.warmth is Warmth.WARM
    assert LIMIT // 2 < status.context_tokens < LIMIT


def test_a_message_that_fits_nowhere_is_refused_with_one_advice(desk: Desk) -> None:
    """The words stay in the chat, and nothing is offered that cannot help. The next message is answered without it."""
    app = desk.open()
    chat = app.window.tabs.current()
    assert _ask(desk, chat, "word " * LIMIT) is MessageState.FAILED
    answer = desk.answer(chat)
    assert "at most. Make it shorter, or pick a model that can read more." in answer.error
    assert answer.too_long == "message"
    assert app.window.notices.keys() == ()
    assert _ask(desk, chat, "Hello again") is not MessageState.FAILED


def test_a_nearly_full_chat_is_regenerated_and_edited(desk: Desk) -> None:
    """Another answer fits where one fitted. An edit that makes the chat too long is refused with its words kept, and
    the former branch can still be read and continued by a shorter edit.
    """
    app = desk.open()
    chat = app.window.tabs.current()
    number = 0
    while app.conversations.sessions.of(chat).status.context_tokens < LIMIT - 100:
        number += 1
        assert _ask(desk, chat, f"Question {number}: tell me more") is not MessageState.FAILED
    first = desk.answer(chat)
    app.window.requested.emit(InChat(chat, Regenerate(first.id)))
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).places == 2 and bool(desk.answer(chat).footer))
    assert desk.answer(chat).state is not MessageState.FAILED
    question = desk.tab(chat).transcript.messages.newest_of("user")
    assert question is not None
    longer = "word " * (LIMIT // 4)
    app.window.requested.emit(InChat(chat, Edit(question.id, longer)))
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).state is MessageState.FAILED)
    assert _newest_question(desk, chat) == longer
    edited = desk.tab(chat).transcript.messages.newest_of("user")
    assert edited is not None
    app.window.requested.emit(InChat(chat, Step(edited.id, -1)))
    desk.until(lambda: _newest_question(desk, chat) == f"Question {number}: tell me more")
    app.window.requested.emit(InChat(chat, Edit(question.id, "Short")))
    desk.until(
        lambda: _newest_question(desk, chat) == "Short" and desk.is_idle(chat) and bool(desk.answer(chat).footer)
    )
    assert desk.answer(chat).state is not MessageState.FAILED
    newest = desk.tab(chat).transcript.messages.newest_of("user")
    assert newest is not None
    assert newest.places == 3
