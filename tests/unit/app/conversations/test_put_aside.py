"""Words that could not be sent and have no tab to return to."""

from __future__ import annotations

import pytest

from app.chat.views import shown_draft
from app.conversations.conversations import Conversations
from storage.errors import EnvironmentProblem, Problem
from tests.fakes.chats import listed_titles, new_chat
from tests.unit.app.conftest import Scene

_FULL = EnvironmentProblem(Problem.DISK_FULL)


def _send_and_close(scene: Scene, chats: Conversations) -> str:
    """Send a message on a full disk, and close the tab before the disk has refused it."""
    chat = new_chat(scene, chats)
    scene.tasks.held, scene.tasks.broken = True, _FULL
    chats.sessions.of(chat).submit("half a thought")
    chats.save_draft(chat, "")
    scene.window.remove(chat)
    chats.close_tab(chat)
    return chat


@pytest.mark.parametrize("ends", [False, True])
def test_a_full_disk_keeps_a_message_whose_tab_is_closed(scene: Scene, chats: Conversations, ends: bool) -> None:  # noqa: FBT001 - a parameter
    """It is saved as the draft once the disk has room, also if the app closes before the next second. Neither the empty
    message box that is saved late takes its place, nor does the chat count as untouched.
    """
    chat = _send_and_close(scene, chats)
    scene.tasks.let_go()
    scene.window.notices.clear()
    chats.tick()
    assert "refused" not in scene.window.notices
    scene.tasks.broken = None
    if ends:
        chats.settle()
        chats.sessions.give_up()
    else:
        chats.tick()
        chats.tick()
    assert scene.library.conversations.draft(chat).typed == "half a thought"
    assert listed_titles(scene) == ["New chat"]


@pytest.mark.parametrize("is_full", [False, True])
def test_a_tab_that_opens_meanwhile_gets_the_message(scene: Scene, chats: Conversations, is_full: bool) -> None:  # noqa: FBT001 - a parameter
    """Also if the tab has read the draft just before the words were saved there. It gets them once."""
    chat = _send_and_close(scene, chats)
    scene.tasks.run_next()
    scene.window.closed.remove(chat)
    scene.tasks.broken = _FULL if is_full else None
    scene.tasks.let_go()
    scene.tasks.broken = None
    chats.tick()
    assert scene.window.drafts[chat] == "half a thought"
    del scene.window.drafts[chat]
    chats.tick()
    assert chat not in scene.window.drafts


def _send_and_replace_the_library(scene: Scene, chats: Conversations, chat: str) -> None:
    scene.tasks.broken = _FULL
    chats.sessions.of(chat).submit("half a thought")
    chats.close_all()
    chats.leave_library()
    scene.tasks.broken = None
    chats.tick()


def test_a_library_that_takes_the_place_of_a_damaged_one_gets_the_message(scene: Scene, chats: Conversations) -> None:
    """If it has the chat."""
    chat = new_chat(scene, chats)
    scene.window.remove(chat)
    _send_and_replace_the_library(scene, chats, chat)
    assert scene.library.conversations.draft(chat).typed == "half a thought"


def test_a_library_that_takes_the_place_of_a_damaged_one_gets_the_messages_that_wait(
    scene: Scene, chats: Conversations
) -> None:
    """The damaged one took the question before them, which waits for a model."""
    scene.engine.ready = False
    chat = new_chat(scene, chats)
    chats.sessions.of(chat).submit("Hello")
    _send_and_replace_the_library(scene, chats, chat)
    assert "half a thought" in shown_draft(scene.library.conversations.draft(chat))


def test_no_tab_of_a_library_that_was_replaced_stays_open(scene: Scene, chats: Conversations) -> None:
    """A tab that was asked for just before opens meanwhile. What is sent there would take the place of the messages
    that wait in the new library, because the session that knew them is gone.
    """
    chat = new_chat(scene, chats)
    scene.tasks.held = True
    chats.tabs.open(chat)
    chats.close_all()
    scene.tasks.let_go()
    chats.leave_library()
    assert chats.tabs.opened == ()


def test_a_message_that_could_not_be_sent_is_saved_again(scene: Scene, chats: Conversations) -> None:
    """The draft was saved without it while it was on its way."""
    chat = new_chat(scene, chats)
    chats.sessions.of(chat).submit("Hello")
    chats.sessions.of(chat).submit("half a thought")
    waiting = chats.sessions.of(chat).outbox.queue.first()
    assert waiting is not None
    chats.save_draft(chat, "more")
    chats.sessions.of(chat).outbox._put_back(waiting)
    chats.tick()
    assert "half a thought" in shown_draft(scene.library.conversations.draft(chat))


def test_a_tab_that_opens_and_closes_within_the_second_loses_no_message(scene: Scene, chats: Conversations) -> None:
    """The library has refused the message, which only the memory has. The tab opens with the older draft."""
    chat = new_chat(scene, chats)
    scene.window.remove(chat)
    scene.tasks.broken = _FULL
    chats.sessions.of(chat).submit("half a thought")
    chats.save_draft(chat, "")
    chats.close_tab(chat)
    scene.tasks.broken = None
    scene.window.closed.remove(chat)
    chats.tabs.open(chat)
    assert scene.window.drafts[chat] == "half a thought"


def test_several_messages_that_were_put_aside_come_back_once(scene: Scene, chats: Conversations) -> None:
    """Each is put before the draft. The tab that opens has both, and is given none of them a second time."""
    chat = new_chat(scene, chats)
    scene.window.remove(chat)
    scene.tasks.held = True
    for words in ("one", "two"):
        chats.sessions.of(chat).outbox.aside.give_back(words)
    scene.tasks.run_next()
    scene.tasks.run_next()
    scene.window.closed.remove(chat)
    chats.tabs.open(chat)
    scene.tasks.let_go()
    assert scene.window.opened[-1].draft == "two\n\none"
