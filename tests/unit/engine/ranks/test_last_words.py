"""The last event of a leader: once, last, and without a wait for an app that does not read."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from engine.protocol.group import GroupEnded
from engine.protocol.messages import Event, Pong
from engine.ranks import last_words
from engine.ranks.last_words import LastWords

if TYPE_CHECKING:
    import pytest


def test_the_end_of_a_group_is_told_once_and_last() -> None:
    """A second thread that notices the end tells nothing, and the engine emits nothing after it."""
    told: list[Event] = []
    words = LastWords(told.append)
    words.emit(Pong())
    words.say(1, "lost")
    words.say(2, "disagreed")
    words.emit(Pong())
    assert told == [Pong(), GroupEnded(1, "lost")]


def test_an_app_that_does_not_read_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pipe to it is full, so the event waits; the process ends all the same."""
    monkeypatch.setattr(last_words, "SAYING_SECONDS", 0.01)
    reads, told = threading.Event(), list[Event]()

    def emit(event: Event) -> None:
        reads.wait(10)
        told.append(event)

    LastWords(emit).say(1, "lost")
    assert told == []
    reads.set()


def test_a_second_thread_does_not_end_the_process_before_the_words_are_out() -> None:
    """Both notice the end at once, and either of them may be the one that ends the process."""
    begun, goes, told = threading.Event(), threading.Event(), list[Event]()

    def emit(event: Event) -> None:
        begun.set()
        goes.wait(10)
        told.append(event)

    words = LastWords(emit)
    first = threading.Thread(target=words.say, args=(1, "lost"))
    first.start()
    assert begun.wait(10)
    threading.Timer(0.05, goes.set).start()
    words.say(1, "not_started")
    assert told == [GroupEnded(1, "lost")]
    first.join()
