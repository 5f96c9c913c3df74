"""A library into which another process writes while the window is open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from app.conversations.conversations import Conversations
from storage.errors import EnvironmentProblem, Problem
from storage.library.library import Library
from tests.fakes.library import save
from tests.unit.app.conftest import Scene


@pytest.fixture
def beside(scene: Scene, tmp_path: Path) -> Iterator[Library]:
    """The library as another process has it open."""
    del scene
    with closing(Library.open(tmp_path / "library.sqlite")) as library:
        yield library


def _answered(library: Library, chat: str, question: str, answer: str) -> None:
    """A whole turn of the other process."""
    turn = library.messages.begin_turn(chat, question, "a/model")
    library.messages.end(replace(turn.reply, content=answer, state="done"))


def _shown(scene: Scene, chat: str) -> list[str]:
    return [view.text for view in scene.window.messages[chat]]


def test_a_turn_of_another_process_is_shown_at_once(scene: Scene, chats: Conversations, beside: Library) -> None:
    """A turn that `hearth ask` adds to an open chat is in the window after the next second, and so is a chat that it
    begins, in the list.
    """
    trip = scene.library.conversations.create(title="trip").id
    chats.tabs.open(trip)
    scene.converse(chats, trip, "Where to?", "North.")
    chats.tick()
    _answered(beside, trip, "And then?", "West.")
    beside.conversations.create(title="begun elsewhere")
    chats.tick()
    assert _shown(scene, trip) == ["Where to?", "North.", "And then?", "West."]
    assert "begun elsewhere" in [row.title for row in scene.window.rows]


def test_an_answer_that_another_process_writes_grows(scene: Scene, chats: Conversations, beside: Library) -> None:
    """The words of another process appear while it writes them."""
    trip = scene.library.conversations.create(title="trip").id
    chats.tabs.open(trip)
    turn = beside.messages.begin_turn(trip, "Where to?", "a/model")
    chats.tick()
    assert scene.window.texts(trip) == [("Where to?", "done"), ("", "open")]
    save(beside, turn.reply, "North, ")
    chats.tick()
    assert scene.window.texts(trip) == [("Where to?", "done"), ("North, ", "open")]


def test_the_next_answer_builds_on_what_is_shown(scene: Scene, chats: Conversations, beside: Library) -> None:
    """If another process has added a turn since the last look, a new message shows that turn above itself: the model
    reads it.
    """
    trip = scene.library.conversations.create(title="trip").id
    chats.tabs.open(trip)
    scene.converse(chats, trip, "Where to?", "North.")
    _answered(beside, trip, "And then?", "West.")
    chats.sessions.of(trip).submit("And at last?")
    read = [said.content for said in scene.engine.request_of(trip).messages]
    assert read == ["Where to?", "North.", "And then?", "West.", "And at last?"]
    assert _shown(scene, trip) == [*read, ""]


def test_a_turn_here_ends_before_the_words_of_others_are_shown(
    scene: Scene, chats: Conversations, beside: Library
) -> None:
    """While a chat is answered here, its streamed words stay; after its turn the other process's turn is there."""
    trip = scene.library.conversations.create(title="trip").id
    chats.tabs.open(trip)
    chats.sessions.of(trip).submit("Where to?")
    chats.sessions.engine_event(scene.engine.deltas((trip, "North")))
    _answered(beside, trip, "And then?", "West.")
    chats.tick()
    assert _shown(scene, trip) == ["Where to?", "North"]
    chats.sessions.engine_event(scene.engine.deltas((trip, ".")))
    chats.sessions.engine_event(scene.engine.finished(trip))
    chats.tick()
    assert _shown(scene, trip) == ["Where to?", "North.", "And then?", "West."]


def test_without_another_writer_nothing_is_read_again(scene: Scene, chats: Conversations) -> None:
    """A second without a foreign write costs one job that reads no table, and no view."""
    trip = scene.library.conversations.create(title="trip").id
    chats.tabs.open(trip)
    scene.window.store.conversations.put(())
    chats.tick()
    chats.tick()
    assert scene.window.rows == ()


def test_a_library_that_cannot_be_read_is_left_in_peace(scene: Scene, chats: Conversations) -> None:
    """After an error nothing is shown, and the next look waits for half a minute."""
    scene.tasks.broken = EnvironmentProblem(Problem.READ_ONLY)
    chats.others.tick()
    assert scene.window.notices == {}
    scene.tasks.held = True
    for _ in range(29):
        chats.others.tick()
    assert not scene.tasks.waiting
    chats.others.tick()
    assert scene.tasks.waiting
