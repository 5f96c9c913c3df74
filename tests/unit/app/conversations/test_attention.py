"""Which answers are unread, and when the system says so."""

from __future__ import annotations

import pytest

from app.base.ports import TurnEnd
from app.conversations.attention import Attention
from app.conversations.conversations import Conversations
from engine.protocol.messages import FinishReason, Usage
from tests.unit.app.conftest import Scene


def end(chat: str, text: str = "It is so.", reason: FinishReason | None = "stop", error: str = "") -> TurnEnd:
    return TurnEnd(chat, text, reason, Usage(), error)


@pytest.fixture
def attention(chats: Conversations) -> Attention:
    return chats.attention


def test_an_answer_behind_another_tab_is_unread_until_it_is_seen(scene: Scene, attention: Attention) -> None:
    """The window is active, so the system says nothing."""
    one, two = (scene.library.conversations.create(title=title).id for title in "ab")
    attention.attend((two,), is_active=True)
    attention.ended(end(one))
    attention.ended(end(two))
    assert scene.window.store.unread.now == {one}
    assert scene.window.notified == []
    attention.attend((one,), is_active=True)
    assert scene.window.store.unread.now == frozenset()


def test_the_system_says_that_an_answer_is_ready_while_the_window_is_not_active(
    scene: Scene, chats: Conversations, attention: Attention
) -> None:
    """With the chat's title and the beginning of its answer, unless the user does not want that. The mark is set in
    both cases.
    """
    chat = scene.library.conversations.create(title="Boats").id
    chats.tabs.open(chat)
    attention.attend((), is_active=False)
    attention.ended(end(chat, "Two\n\nboats " * 60))
    ((named, title, text),) = scene.window.notified
    assert (named, title) == (chat, "Boats")
    assert text.startswith("Two boats Two boats")
    assert len(text) <= 160
    attention.notifies = lambda: False
    attention.ended(end(chat))
    assert len(scene.window.notified) == 1
    assert scene.window.store.unread.now == {chat}


def test_a_failure_is_news_and_a_stop_is_not(scene: Scene, attention: Attention) -> None:
    """The user who stopped an answer knows of it."""
    one, two = (scene.library.conversations.create(title=title).id for title in "ab")
    attention.attend((), is_active=False)
    attention.ended(end(one, reason="cancelled"))
    assert scene.window.store.unread.now == frozenset()
    attention.ended(end(two, "", "failed", "The model failed."))
    assert [text for _, _, text in scene.window.notified] == ["The model failed."]


def test_an_answer_of_a_deleted_chat_is_no_news(scene: Scene, chats: Conversations, attention: Attention) -> None:
    """It may end after the deletion, if the library was busy or the engine was faster than the stop. A chat that comes
    back and is answered again is news.
    """
    chat = scene.library.conversations.create(title="Boats").id
    chats.delete(chat)
    attention.attend((), is_active=False)
    attention.ended(end(chat))
    assert (scene.window.store.unread.now, scene.window.notified) == (frozenset(), [])
    chats.removal.undo(chat)
    attention.attend((chat,), is_active=True)
    attention.attend((), is_active=False)
    attention.ended(end(chat))
    assert scene.window.store.unread.now == {chat}


def test_no_word_of_a_private_chat_leaves_the_window(scene: Scene, chats: Conversations, attention: Attention) -> None:
    """Neither for the system nor for the settings file. Its mark goes with the chat."""
    kept = list[tuple[str, ...]]()
    attention.kept = kept.append
    chats.creation.new_private()
    private = scene.window.opened[-1].id
    attention.attend((), is_active=False)
    attention.ended(end(private, "A secret."))
    assert scene.window.store.unread.now == {private}
    assert [text for _, _, text in scene.window.notified] == ["An answer is ready."]
    chats.close_tab(private)
    assert scene.window.store.unread.now == frozenset()
    assert set(kept) == {()}


def test_marks_last_over_a_restart_and_go_with_their_chat(scene: Scene, attention: Attention) -> None:
    """What changes is saved at once."""
    kept = list[tuple[str, ...]]()
    attention.kept = kept.append
    one, two = sorted(scene.library.conversations.create(title=title).id for title in "ab")
    attention.restore((one, two))
    assert scene.window.store.unread.now == {one, two}
    attention.forget(one)
    attention.attend((two,), is_active=True)
    assert kept == [(two,), ()]
