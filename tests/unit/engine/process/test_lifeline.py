"""The tie to the app: the parts that a test can check without ending a process."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

import pytest

from engine.process import lifeline


def test_the_end_begins_once() -> None:
    """Several threads may notice the end. A later one does not extend the main thread's time."""
    seconds: list[float] = []
    ending = lifeline.Ending(lambda noticed: noticed(), seconds.append, seconds.append)
    ending.begin()
    ending.begin()
    assert seconds == [lifeline.STUCK_SECONDS, lifeline.CLOSING_SECONDS]


def test_an_end_that_the_main_thread_does_not_notice_comes_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache writes are finished first, in the time that the server would grant them."""
    monkeypatch.setattr(lifeline, "NOTICE_SECONDS", 0.0)
    monkeypatch.setattr("faulthandler.dump_traceback", lambda: events.append("stacks"))
    events: list[object] = []
    ending = lifeline.Ending(lambda _: None, events.append, lambda status: events.append(f"exit {status}"))
    ending.finish_writes = lambda seconds: events.append(f"written in {seconds:.0f} s")
    ending.begin()
    assert events == [lifeline.STUCK_SECONDS, "stacks", lifeline.CLOSING_SECONDS, "written in 20 s", "exit 0"]


def test_a_main_thread_that_notices_in_time_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other thread ends it, however long its cache writes take."""
    monkeypatch.setattr(lifeline, "NOTICE_SECONDS", 60.0)
    left: list[int] = []
    inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
    ending = lifeline.Ending(inbox.put, lambda _: None, left.append)
    reader = threading.Thread(target=ending.begin)
    reader.start()
    inbox.get(timeout=60)()
    reader.join(60)
    assert not reader.is_alive()
    assert left == []


def test_the_end_comes_after_the_last_cache_writes() -> None:
    """They get all the time that they are granted."""
    assert lifeline.CLOSING_SECONDS > lifeline.WRITES_SECONDS
