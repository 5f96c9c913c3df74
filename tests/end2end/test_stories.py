"""Stories of a user in the window, with the real engine and the real stores."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import psutil
import pytest

from app.base import paths
from app.chat.sessions import Sessions
from app.chat.status import StoredUsage, stored_usage
from app.chat.turn_removal import DELETED
from engine.protocol.messages import Usage
from tests.end2end.conftest import Desk
from ui.intents.chat import (
    CountDraft,
    DeleteTurn,
    Edit,
    Extend,
    Fork,
    InChat,
    Open,
    Regenerate,
    Step,
    Stop,
    UndoDeleteTurn,
)
from ui.state.chat import MessageState, Warmth

ROOT = Path(__file__).resolve().parents[2]
_UNSAVED = stored_usage(Usage(), "cancelled")
"""The figures of an answer whose end is not saved yet."""


def test_two_tabs_stream_at_once_and_one_is_stopped(desk: Desk) -> None:
    """Both answers grow at the same time. Stopping one does not affect the other."""
    app = desk.open()
    one, two = app.window.tabs.current(), desk.new_chat()
    desk.send(one, "Tell me a story")
    desk.send(two, "Tell me another")
    desk.until(lambda: desk.is_generating(one) and desk.is_generating(two))
    before = len(desk.answer(one).text), len(desk.answer(two).text)
    desk.until(lambda: len(desk.answer(one).text) > before[0] and len(desk.answer(two).text) > before[1])
    app.window.requested.emit(InChat(one, Stop()))
    desk.until(lambda: desk.is_idle(one))
    assert desk.answer(one).state is MessageState.STOPPED
    grown = len(desk.answer(two).text)
    desk.until(lambda: len(desk.answer(two).text) > grown)
    assert desk.is_generating(two)


def test_words_are_saved_between_two_seconds(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash of the app loses less than half a second of an answer: new words do not wait for the tick."""
    monkeypatch.setattr(Sessions, "tick", lambda _: None)
    chat = desk.open().window.tabs.current()
    desk.send(chat, "Tell me a story")
    with closing(sqlite3.connect(paths.find().library_file)) as other:
        desk.until(
            lambda: bool(other.execute("SELECT 1 FROM message WHERE state = 'open' AND content <> ''").fetchall())
        )
    assert desk.is_generating(chat)


def test_closing_a_tab_does_not_end_its_answer(desk: Desk, answers: Callable[[int], None]) -> None:
    """The answer continues without its tab and is complete when the chat is opened again."""
    answers(400)  # on a busy machine a short one is over before it is seen
    app = desk.open()
    chat = app.window.tabs.current()
    desk.send(chat, "Tell me a story")
    desk.until(lambda: desk.is_generating(chat))
    app.window.chats.close(chat)
    assert app.window.chats.tab(chat) is None
    desk.until(lambda: desk.is_idle(chat))
    app.window.requested.emit(InChat(chat, Open()))
    desk.until(lambda: app.window.chats.tab(chat) is not None)
    assert desk.answer(chat).state is MessageState.STOPPED, "cut at the length limit"
    assert desk.answer(chat).footer.startswith("400 tokens")


def test_relaunch_and_resume(desk: Desk, answers: Callable[[int], None]) -> None:
    """After a relaunch the tabs are open and warm from disk. The next answer prefills only the new tokens."""
    answers(16)
    one = desk.open().window.tabs.current()
    two = desk.new_chat()
    desk.send(one, "My code word is marigold")
    desk.send(two, "Tell me a story")
    desk.until(
        lambda: desk.is_idle(one) and desk.is_idle(two) and bool(desk.answer(one).text and desk.answer(two).text)
    )
    told = desk.answer(one)
    desk.app.window.requested.emit(InChat(one, Open()))
    desk.until(lambda: desk.app.window.tabs.current() == one)
    desk.close()

    app = desk.open()
    desk.until(lambda: app.conversations.tabs.opened == (one, two) and app.window.tabs.current() == one)
    assert desk.answer(one).text == told.text
    desk.until(lambda: all(app.conversations.sessions.of(chat).status.warmth is Warmth.WARM for chat in (one, two)))
    kept = app.conversations.sessions.of(one).status
    assert kept.cached_tokens > 0
    assert (kept.restore_ms or 0) > 0
    desk.send(one, "What is my code word?")
    desk.until(lambda: desk.is_idle(one) and desk.answer(one).id != told.id and bool(desk.answer(one).footer))
    assert app.conversations.sessions.of(one).status.cause == ""
    assert app.conversations.sessions.of(one).status.context_tokens < kept.context_tokens + 80


def test_a_stopped_answer_goes_on_at_once(desk: Desk) -> None:
    """If the chat is ready at once, nothing of the answer is read again when it goes on: after a stop, and after a
    relaunch.
    """
    app = desk.open()
    chat = app.window.tabs.current()
    desk.send(chat, "Tell me a story")
    desk.until(lambda: desk.is_generating(chat) and len(desk.answer(chat).text) > 20)
    app.window.requested.emit(InChat(chat, Stop()))
    desk.until(lambda: desk.is_idle(chat))
    first = continued(desk, chat)
    desk.close()
    desk.open()
    desk.until(lambda: desk.app.window.chats.tab(chat) is not None)
    second = continued(desk, chat)
    assert (first.usage.prefill_tokens, first.usage.cached_from) == (0, "hot")
    assert (second.usage.prefill_tokens, second.usage.miss_cause) == (0, "")
    assert second.before == first.tokens


def continued(desk: Desk, chat: str) -> StoredUsage:
    """Let the last answer go on for some words as soon as the chat is warm. Returns its figures."""
    app = desk.app
    desk.until(lambda: app.connection.ready and app.conversations.sessions.of(chat).status.warmth is Warmth.WARM)
    before = desk.answer(chat)
    with closing(sqlite3.connect(paths.find().library_file)) as other:

        def stored() -> StoredUsage:
            (usage,) = other.execute("SELECT usage FROM message WHERE id = ?", (before.id,)).fetchone()
            return msgspec.json.decode(usage or _UNSAVED, type=StoredUsage)

        desk.until(lambda: bool(stored().usage.completion_tokens))
        earlier = stored()
        app.window.requested.emit(InChat(chat, Extend(before.id)))
        desk.until(lambda: len(desk.answer(chat).text) > len(before.text) + 9)
        app.window.requested.emit(InChat(chat, Stop()))
        desk.until(lambda: desk.is_idle(chat) and stored().before == earlier.tokens)
        return stored()


def test_an_engine_crash_keeps_the_text_and_the_chat(desk: Desk) -> None:
    """If the engine is killed during an answer, the text so far stays. Continue and the next message work."""
    app = desk.open()
    chat = app.window.tabs.current()
    desk.send(chat, "Tell me a story")
    desk.until(lambda: desk.is_generating(chat) and len(desk.answer(chat).text) > 20)
    psutil.Process(app.engine_process.pid).kill()  # os.kill would take the whole run with it if there were none
    desk.until(lambda: desk.answer(chat).state is MessageState.INTERRUPTED)
    broken = desk.answer(chat)
    assert len(broken.text) > 20
    app.window.requested.emit(InChat(chat, Extend(broken.id)))
    desk.until(lambda: len(desk.answer(chat).text) > len(broken.text))
    assert desk.answer(chat).text.startswith(broken.text)
    app.window.requested.emit(InChat(chat, Stop()))
    desk.until(lambda: desk.is_idle(chat))
    desk.send(chat, "And another")
    desk.until(lambda: desk.answer(chat).id != broken.id and desk.is_generating(chat))


def test_a_killed_app_loses_no_message(desk: Desk, home: Path) -> None:
    """If the whole app is killed during an answer, the relaunched app has every message, marks the answer as
    interrupted, and can continue it.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.doomed_window"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as doomed:
        assert doomed.stdout is not None
        chat = doomed.stdout.readline().strip()
        doomed.kill()
    app = desk.open()
    app.window.requested.emit(InChat(chat, Open()))
    desk.until(lambda: app.window.chats.tab(chat) is not None)
    broken = desk.answer(chat)
    assert (broken.state, bool(broken.text)) == (MessageState.INTERRUPTED, True)
    desk.until(lambda: app.connection.ready)
    app.window.requested.emit(InChat(chat, Extend(broken.id)))
    desk.until(lambda: len(desk.answer(chat).text) > len(broken.text))
    assert home.is_dir()


def test_a_message_sent_before_the_engine_is_ready_is_answered(desk: Desk, answers: Callable[[int], None]) -> None:
    """The user can write while the engine starts."""
    answers(8)
    app = desk.open()
    chat = app.window.tabs.current()
    assert not app.connection.ready
    desk.send(chat, "Hello")
    desk.until(lambda: desk.is_idle(chat) and bool(desk.answer(chat).footer))


def test_closing_the_window_during_an_answer_keeps_its_text(desk: Desk) -> None:
    """The answer is stopped as if the user had stopped it, and is there at the next start."""
    chat = desk.open().window.tabs.current()
    desk.send(chat, "Tell me a story")
    desk.until(lambda: desk.is_generating(chat) and len(desk.answer(chat).text) > 20)
    desk.close()
    app = desk.open()
    desk.until(lambda: app.window.chats.tab(chat) is not None)
    assert desk.answer(chat).state is MessageState.STOPPED
    assert len(desk.answer(chat).text) > 20


def test_turns_are_regenerated_edited_and_forked(desk: Desk, answers: Callable[[int], None]) -> None:
    """Three alternatives are generated at once and can be stepped through. An edit and a fork start from any of them,
    and a relaunch restores all of it.
    """
    answers(12)
    app = desk.open()
    chat = app.window.tabs.current()
    desk.send(chat, "My code word is marigold")
    desk.until(lambda: desk.is_idle(chat) and bool(desk.answer(chat).footer))
    first = desk.answer(chat)
    app.window.requested.emit(InChat(chat, Regenerate(first.id, 3)))
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).places == 4 and bool(desk.answer(chat).footer))
    assert (desk.answer(chat).place, desk.answer(chat).text) == (2, first.text), "greedy answers are alike"
    app.window.requested.emit(InChat(chat, Step(desk.answer(chat).id, 2)))
    desk.until(lambda: desk.answer(chat).place == 4)
    fourth = desk.answer(chat)
    assert (fourth.text, bool(fourth.footer)) == (first.text, True)
    question = desk.tab(chat).transcript.messages.newest_of("user")
    assert question is not None
    app.window.requested.emit(InChat(chat, Edit(question.id, "My code word is heather")))
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).places == 1 and bool(desk.answer(chat).footer))
    edited = desk.answer(chat)
    app.window.requested.emit(InChat(chat, Fork(fourth.id)))
    desk.until(lambda: app.window.tabs.current() != chat)
    fork = app.window.tabs.current()
    assert desk.answer(fork).text == fourth.text
    desk.send(fork, "What is my code word?")
    desk.until(lambda: desk.is_idle(fork) and desk.answer(fork).text != fourth.text)
    assert app.conversations.sessions.of(fork).status.cause == ""
    desk.close()

    app = desk.open()
    desk.until(lambda: app.conversations.tabs.opened == (chat, fork))
    assert (desk.answer(chat).id, desk.answer(chat).text) == (edited.id, edited.text)
    question = desk.tab(chat).transcript.messages.newest_of("user")
    assert question is not None
    app.window.requested.emit(InChat(chat, Step(question.id, -1)))
    desk.until(lambda: desk.answer(chat).id == fourth.id)


def test_a_turn_is_deleted_brought_back_and_the_chat_goes_on(desk: Desk, answers: Callable[[int], None]) -> None:
    """Undo returns the turn at its place. The next answer is read with it, and from the cache."""
    answers(12)
    app = desk.open()
    chat = app.window.tabs.current()
    said(desk, chat, "My code word is marigold")
    said(desk, chat, "And my town is Lima")
    first = desk.tab(chat).transcript.messages[0].view.id
    app.window.requested.emit(InChat(chat, DeleteTurn(first)))
    desk.until(lambda: asked(desk, chat) == ["And my town is Lima"] and app.window.notices.keys() == (DELETED + chat,))
    app.window.requested.emit(InChat(chat, UndoDeleteTurn()))
    desk.until(lambda: asked(desk, chat) == ["My code word is marigold", "And my town is Lima"])
    said(desk, chat, "What do you know?")
    assert app.conversations.sessions.of(chat).status.cause == ""


def said(desk: Desk, chat: str, text: str) -> None:
    """Send a message, and wait for the end of its answer."""
    desk.send(chat, text)
    desk.until(lambda: asked(desk, chat)[-1:] == [text] and desk.is_idle(chat))
    desk.until(lambda: bool(desk.answer(chat).footer))


def asked(desk: Desk, chat: str) -> list[str]:
    """The questions that the chat shows."""
    messages = desk.tab(chat).transcript.messages
    views = (messages[place].view for place in range(len(messages)))
    return [view.text for view in views if view.role == "user"]


@pytest.mark.usefixtures("echo")
def test_a_window_that_has_ended_asks_for_nothing(desk: Desk) -> None:
    """A timer of it may still fire, when the library is closed: it counts what was typed last."""
    window = desk.open().window
    chat = window.tabs.current()
    desk.send(chat, "What is warm?")
    desk.until(lambda: desk.is_idle(chat) and len(desk.tab(chat).transcript.messages) == 2)
    question = desk.tab(chat).transcript.messages[0].view.id
    window.close()
    desk.until(lambda: desk.app.over)
    window.requested.emit(InChat(chat, CountDraft("What is cold?", question)))
    desk.hearth = None
    window.deleteLater()


@pytest.mark.usefixtures("echo")
def test_a_link_to_an_open_chat_leaves_it_where_it_is_read(desk: Desk) -> None:
    """As a click on its row does: the tab comes to the front, and its text does not move."""
    app = desk.open()
    chat = app.window.tabs.current()
    desk.send(chat, "A line.\n\n" * 200)
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).state is MessageState.DONE)
    transcript = desk.tab(chat).transcript
    desk.until(lambda: transcript.is_settled)
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum() // 2)
    place = transcript.verticalScrollBar().value()
    desk.new_chat()
    app.conversations.tabs.show(chat)
    desk.until(lambda: app.window.tabs.current() == chat and transcript.is_settled)
    assert place > 0
    assert transcript.verticalScrollBar().value() == place


def test_an_edit_that_was_not_sent_is_one_after_a_restart(desk: Desk, answers: Callable[[int], None]) -> None:
    """The draft waits behind it, and the list shows the draft alone. Cancelling the edit brings back the draft."""
    answers(8)
    chat = desk.open().window.tabs.current()
    desk.send(chat, "What is warm?")
    desk.until(lambda: desk.is_idle(chat) and len(desk.tab(chat).transcript.messages) == 2)
    desk.tab(chat).composer.edit.setPlainText("my precious draft")
    desk.tab(chat).editing.begin_newest()
    question = desk.tab(chat).composer.edited
    desk.tab(chat).composer.edit.setPlainText("half edited text")
    desk.close()
    window = desk.open().window
    composer = desk.tab(chat).composer
    assert (composer.edited, composer.edit.toPlainText()) == (question, "half edited text")
    assert not composer.banner.isHidden()
    desk.until(lambda: [row.draft for row in window.sidebar.model.known.values()] == ["my precious draft"])
    composer.end_edit()
    assert composer.edit.toPlainText() == "my precious draft"
