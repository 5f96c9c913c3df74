"""The end of a group: its last event comes once, and without a wait for an app that does not read."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import cast

import pytest

from engine.process.lifeline import Ending
from engine.protocol.group import GROUP_LOST, GroupEnded
from engine.protocol.messages import Event, Pong
from engine.ranks import link as links
from engine.ranks import meeting
from engine.ranks.inputs import Input
from engine.ranks.meeting import LastWords


class BrokenLink:
    """A link whose peer is lost as soon as it starts."""

    def start(self, _heard: object, lost: Callable[[str], object]) -> None:
        """The peer is lost."""
        lost("silent for 5 s")


def test_a_lost_group_ends_within_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rank that notices the loss grants its last cache writes only what is left of them."""
    done: list[object] = []
    monkeypatch.setattr("os._exit", done.append)
    monkeypatch.setattr(logging, "shutdown", lambda: done.append("logged"))
    ending = Ending(lambda _: None)
    ending.finish_writes = done.append
    meeting.follow(cast("links.Link[Input]", BrokenLink()), ending)
    assert done == [meeting.LAST_WRITES_SECONDS, "logged", GROUP_LOST]
    assert links.SILENT_SECONDS + links.BEAT_SECONDS + meeting.LAST_WRITES_SECONDS < 10


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
    monkeypatch.setattr(meeting, "SAYING_SECONDS", 0.01)
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
