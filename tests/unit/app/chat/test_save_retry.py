"""Replies that the library could not save."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from app.chat.saves import NewestSaves, save
from app.chat.session import ChatSession
from storage.errors import DamagedDatabase, EnvironmentProblem, Problem, StorageFault
from storage.library.rows import Message
from tests.unit.app.conftest import Scene

_FULL = EnvironmentProblem(Problem.DISK_FULL)


def _ended(scene: Scene) -> Message:
    conversation = scene.library.conversations.create().id
    return replace(
        scene.library.messages.begin_turn(conversation, "Hello", "model").reply, content="Good", state="done"
    )


def _saves(scene: Scene, saved: Callable[[Message], object] = lambda _: None) -> NewestSaves[Message, None]:
    """As an outbox keeps its replies."""
    return NewestSaves(
        lambda _: scene.tasks,
        lambda _, reply: partial(save, reply=reply),
        lambda _, reply, _none: saved(reply),
        lambda _, _error: None,
    )


def test_a_reply_is_offered_until_it_is_taken(scene: Scene) -> None:
    """Each retry saves once; after a success there are no more."""
    taken: list[Message] = []
    unsaved, reply = _saves(scene, taken.append), _ended(scene)
    unsaved.keep(reply.id, reply, _FULL)
    scene.tasks.broken = _FULL
    unsaved.retry()
    assert taken == []
    scene.tasks.broken = None
    unsaved.retry()
    assert taken == [reply]
    scene.tasks.held = True
    unsaved.retry()
    assert not scene.tasks.waiting


def test_one_try_at_a_time(scene: Scene) -> None:
    """No retry starts before the last one has ended."""
    taken: list[Message] = []
    unsaved = _saves(scene, taken.append)
    unsaved.keep("reply", _ended(scene), _FULL)
    scene.tasks.held = True
    unsaved.retry()
    unsaved.retry()
    scene.tasks.let_go()
    assert len(taken) == 1


def test_what_the_library_refuses_for_good_is_not_offered_again(scene: Scene) -> None:
    """Neither our own mistakes nor replies of an erased chat are retried."""
    unsaved, reply = _saves(scene), _ended(scene)
    unsaved.keep(reply.id, reply, StorageFault("no"))
    unsaved.keep("gone", replace(reply, id="gone"), DamagedDatabase("damaged"))
    unsaved.retry()
    scene.tasks.held = True
    unsaved.retry()
    assert not scene.tasks.waiting
    assert scene.library.messages.branch(reply.conversation)[-1].state == "open"


def test_a_try_that_fails_by_our_own_fault_is_the_last(scene: Scene) -> None:
    """The queue is cleared after an error that a retry cannot solve."""
    unsaved = _saves(scene)
    unsaved.keep("reply", _ended(scene), _FULL)
    scene.tasks.broken = StorageFault("no")
    unsaved.retry()
    scene.tasks.held = True
    unsaved.retry()
    assert not scene.tasks.waiting


@pytest.mark.parametrize("is_streaming", [True, False])
def test_a_session_knows_that_words_are_in_memory_alone(scene: Scene, is_streaming: bool) -> None:  # noqa: FBT001 - a parameter
    """Whether the library refuses the text of an answer in progress, or the whole answer, until it takes it."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    scene.turn_of(session).jot()
    assert not _is_refused(session)
    scene.tasks.broken = _FULL
    scene.say(session, " day")
    if is_streaming:
        scene.turn_of(session).jot()
    else:
        scene.finish(session)
    assert _is_refused(session)
    scene.tasks.broken = None
    session.tick()
    assert not _is_refused(session)


def _is_refused(session: ChatSession) -> bool:
    return session.is_refused


def test_what_was_refused_stays_refused_until_the_library_has_it(scene: Scene) -> None:
    """Also while other words are saved, while newer ones in its place are being saved, and while it is tried again."""
    saves = NewestSaves[str, None](
        lambda _: scene.tasks, lambda _key, _value: lambda _: None, lambda *_: None, lambda *_: None
    )
    scene.tasks.broken = _FULL
    saves.put("one", "words")
    scene.tasks.broken = None
    saves.put("two", "other words")
    told = [saves.is_refused]
    scene.tasks.held = True
    saves.retry()
    told.append(saves.is_refused)
    saves.put("one", "newer words")
    scene.tasks.run_next()
    told.append(saves.is_refused)
    scene.tasks.let_go()
    assert (told, saves.is_refused) == ([True, True, True], False)
