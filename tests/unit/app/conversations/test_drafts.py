"""Drafts, and a library that does not always save them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from app.chat import views
from app.conversations.conversations import Conversations
from storage.errors import DamagedDatabase, EnvironmentProblem, Problem
from storage.library.rows import QueuedText, SavedDraft
from tests.fakes.chats import new_chat
from tests.fakes.window import FakeWindow
from tests.unit.app.conftest import Scene
from ui.state.chat import LONGEST_QUESTION

_READ_ONLY = EnvironmentProblem(Problem.READ_ONLY)
_LIKE_A_QUEUE = '[["one", []], ["two", []]]'
"""A text like those in which the library keeps messages that wait."""


def _begin(scene: Scene, chats: Conversations) -> str:
    """A file or another app brings the text."""
    chats.creation.new(_LIKE_A_QUEUE)
    return scene.window.opened[-1].id


def _carry_on(scene: Scene, chats: Conversations) -> str:
    """A chat of a file is too long."""
    chat = scene.library.conversations.create().id
    scene.library.messages.begin_turn(chat, _LIKE_A_QUEUE, "a/model")
    chats.creation.carry_on(chat)
    return scene.window.opened[-1].id


def _withdraw(scene: Scene, chats: Conversations) -> str:
    """No engine answers, and the app ends before the message box has saved the words."""
    chat = new_chat(scene, chats)
    scene.engine.ready = False
    chats.sessions.of(chat).submit(_LIKE_A_QUEUE)
    chats.sessions.engine_refused("no model")
    return chat


def _put_aside(scene: Scene, chats: Conversations) -> str:
    """A message cannot be saved, and its tab is closed."""
    chat = new_chat(scene, chats)
    scene.window.remove(chat)
    scene.tasks.broken = _READ_ONLY
    chats.sessions.of(chat).submit(_LIKE_A_QUEUE)
    scene.tasks.broken = None
    chats.tick()
    return chat


@pytest.mark.parametrize("draft_of", [_begin, _carry_on, _withdraw, _put_aside])
def test_no_text_is_taken_for_messages_that_wait(
    scene: Scene, chats: Conversations, draft_of: Callable[[Scene, Conversations], str]
) -> None:
    """Its words are in the message box. Thousands of rows for such messages would stop the window at each start."""
    chat = draft_of(scene, chats)
    again = replace(scene, window=FakeWindow())
    again.conversations().tabs.open(chat)
    view = again.window.opened[-1]
    assert (view.draft, view.queue.messages, view.edits) == (_LIKE_A_QUEUE, (), ())


def test_a_refused_draft_is_offered_until_it_is_taken(scene: Scene, chats: Conversations) -> None:
    """A draft typed while the disk was read-only is saved once it is writable. The error is shown once."""
    chat = scene.library.conversations.create().id
    scene.tasks.broken = _READ_ONLY
    chats.save_draft(chat, "words")
    assert scene.window.notices.pop("refused").text == str(_READ_ONLY)
    chats.tick()
    assert scene.window.notices == {}
    scene.tasks.broken = None
    chats.tick()
    assert scene.library.conversations.draft(chat).typed == "words"
    scene.tasks.held = True
    chats.sessions.of(chat).outbox.retry()
    assert not scene.tasks.waiting


def test_an_older_draft_never_follows_a_newer_one(scene: Scene, chats: Conversations) -> None:
    """Neither by a retry nor by an error that arrives late."""
    chat = scene.library.conversations.create().id
    scene.tasks.broken = _READ_ONLY
    chats.save_draft(chat, "old")
    scene.tasks.broken = None
    chats.save_draft(chat, "new")
    chats.tick()
    assert scene.library.conversations.draft(chat).typed == "new"
    scene.tasks.broken = _READ_ONLY
    scene.tasks.held = True
    chats.save_draft(chat, "older")
    chats.save_draft(chat, "newer")
    scene.tasks.let_go()
    scene.tasks.broken = None
    chats.tick()
    assert scene.library.conversations.draft(chat).typed == "newer"


def test_what_is_refused_for_good_is_not_offered_again(scene: Scene, chats: Conversations) -> None:
    """The draft of an erased chat is dropped."""
    chats.save_draft("nothing", "words")
    scene.tasks.held = True
    chats.sessions.of("nothing").outbox.retry()
    assert not scene.tasks.waiting


def test_the_row_of_a_chat_shows_its_draft_without_an_edit(scene: Scene, chats: Conversations) -> None:
    """An edit is no new message. Both are saved."""
    chat = scene.library.conversations.create().id
    scene.window.store.conversations.put(tuple(map(views.row, scene.library.conversations.listed())))
    chats.save_draft(chat, "my draft", (("m", "half edited"),))
    assert [row.draft for row in scene.window.rows] == ["my draft"]
    assert [views.row(one).draft for one in scene.library.conversations.listed()] == ["my draft"]
    assert scene.library.conversations.draft(chat).edits == (("m", "half edited"),)


def test_a_tab_that_opens_shows_the_draft_that_was_refused(scene: Scene, chats: Conversations) -> None:
    """The library has an older one. The next key would save that one again, in place of the words."""
    chat = scene.library.conversations.create().id
    chats.tabs.open(chat)
    scene.tasks.broken = _READ_ONLY
    chats.save_draft(chat, "words")
    chats.close_tab(chat)
    scene.tasks.broken = None
    chats.tabs.open(chat)
    assert scene.window.opened[-1].draft == "words"


def test_a_draft_that_the_message_box_cannot_hold_waits_with_its_files(scene: Scene, chats: Conversations) -> None:
    """A library that was put back may hold any. The box lays out all of its text, which would stop the window. No word
    is lost, none is sent unasked, and a tab that opens again has the words once.
    """
    long = "word " * LONGEST_QUESTION
    chat = scene.library.conversations.create().id
    scene.library.attachments.add(chat, "notes.txt", b"notes")
    scene.library.conversations.save_draft(chat, SavedDraft(long, (QueuedText("first"),)))
    for _ in range(2):
        chats.tabs.open(chat)
        view = scene.window.opened[-1]
        assert (view.draft, view.attachments, view.queue.paused) == ("", (), True)
        assert [(one.text, one.files) for one in view.queue.messages] == [("first", 0), (long, 1)]
        scene.window.chats.remove(chat)
        chats.tabs.forget(chat)
    kept = scene.library.conversations.draft(chat)
    assert (kept.typed, [one.text for one in kept.queue]) == ("", ["first", long])


def test_a_message_that_was_sent_since_is_not_in_the_draft_that_is_saved_at_last(
    scene: Scene, chats: Conversations
) -> None:
    """It would wait again at the next start, as if it were still to be sent."""
    chat = scene.library.conversations.create().id
    chats.tabs.open(chat)
    session = chats.sessions.of(chat)
    session.submit("q1")
    session.submit("q2")
    scene.say(session, "a1")
    scene.tasks.broken = _READ_ONLY
    chats.save_draft(chat, "typed")
    scene.tasks.broken = None
    scene.finish(session)
    chats.tabs.open(chat)
    assert (scene.window.opened[-1].draft, scene.window.opened[-1].queue.messages) == ("typed", ())
    chats.tick()
    assert scene.branch(session)[-2].content == "q2"
    assert scene.library.conversations.draft(chat).typed == "typed"


def test_a_draft_that_a_damaged_library_refused_comes_into_the_next_one(scene: Scene, chats: Conversations) -> None:
    """What was known of the former library is forgotten, but not the words."""
    chat = scene.library.conversations.create().id
    chats.tabs.open(chat)
    scene.tasks.broken = DamagedDatabase("It is damaged.")
    chats.save_draft(chat, "words")
    chats.tick()
    chats.close_all()
    chats.leave_library()
    chats.tick()
    scene.tasks.broken = None
    chats.tick()
    assert scene.library.conversations.draft(chat).typed == "words"


def test_a_tab_that_opens_has_the_draft_that_is_being_saved_again(scene: Scene) -> None:
    """The library may have taken the draft only after the tab had read the older one."""
    chats = scene.conversations()
    chats.creation.new("old")
    chat = scene.window.opened[-1].id
    scene.tasks.broken = _READ_ONLY
    chats.save_draft(chat, "old and new")
    scene.window.chats.remove(chat)
    chats.tabs.forget(chat)
    scene.tasks.broken, scene.tasks.held = None, True
    chats.tabs.open(chat)
    chats.tick()
    scene.tasks.let_go()
    assert scene.window.opened[-1].draft == "old and new"
