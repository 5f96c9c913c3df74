"""Reports as lines, the speed of a download, and the waits between attempts."""

from __future__ import annotations

from typing import Any

import pytest

from app.hub.errors import HubAnswerUnreadable, HubBusy, HubClosed, HubError, HubUnreachable, WrongDigest
from app.hub.fetch import progress
from app.hub.fetch.progress import (
    Done,
    Failed,
    FetchProgress,
    FetchWaiting,
    Meter,
    Report,
    RetryPatience,
    Started,
    Verifying,
)
from storage.untrusted import UntrustedDataError

REPORTS = [
    Started("a/b", "c", 9, 1, 2, "mit"),
    FetchProgress(1, 9, 2.5, 3.0),
    FetchProgress(1, 9),
    FetchWaiting(2.0, "Why."),
    Verifying("model.safetensors"),
    Done("a/b", "c", "/models/a/b"),
    Failed("wrong_size", "Why."),
]


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_is_one_line_and_comes_back(report: Report) -> None:
    """Worker and window agree about every kind."""
    line = progress.encode(report)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert progress.decode(line) == report


@pytest.mark.parametrize("line", [b"", b"{}", b'{"event":"other"}', b"\xff", b'{"event":"progress","done":"x"}'])
def test_another_line_is_refused(line: bytes) -> None:
    """A library's output is not taken for a report."""
    with pytest.raises(UntrustedDataError):
        progress.decode(line)


class Clock:
    """A clock that the test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_speed_is_the_mean_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow first moment does not linger, and a speed that stays is told exactly. So is the time for the rest: unknown
    as long as nothing comes.
    """
    clock, told = Clock(), list[Any]()
    monkeypatch.setattr("app.hub.fetch.progress.monotonic", clock)
    meter = Meter(0, 400, told.append)
    clock.now += 0.5
    meter.came(0)
    assert (told[-1].rate, told[-1].seconds_left) == (0.0, None)
    meter = Meter(0, 400, told.append)
    for _ in range(4):
        clock.now += 0.5
        meter.came(50)
    assert told[-1].rate == pytest.approx(100)
    assert told[-1].seconds_left == pytest.approx(2)


def test_the_speed_follows_a_change_smoothly(monkeypatch: pytest.MonkeyPatch) -> None:
    """One second at another speed moves it a little; half a minute moves it there."""
    clock, told = Clock(), list[Any]()
    monkeypatch.setattr("app.hub.fetch.progress.monotonic", clock)
    meter = Meter(0, 1 << 20, told.append)
    for _ in range(100):
        clock.now += 0.1
        meter.came(10)
    clock.now += 1.0
    meter.came(1000)
    assert 150 < told[-1].rate < 400
    for _ in range(300):
        clock.now += 0.1
        meter.came(100)
    assert told[-1].rate == pytest.approx(1000, rel=0.01)


def test_the_waits_double_up_to_a_limit_and_are_bounded() -> None:
    """Seven failures end a download within two minutes."""
    patience = RetryPatience(draw=lambda: 0.0)
    waits = [patience.pause_s(failures, HubUnreachable("x")) for failures in range(1, 8)]
    assert waits == [1, 2, 4, 8, 16, 30, None]


def test_clients_that_failed_together_return_apart() -> None:
    """The wait has a random share."""
    assert RetryPatience(draw=lambda: 1.0).pause_s(1, HubUnreachable("x")) == 1.25


def test_an_ordered_wait_is_kept() -> None:
    """Up to five minutes; a longer one ends the download, and none at all is the usual one."""
    patience = RetryPatience(draw=lambda: 0.0)
    assert patience.pause_s(1, HubBusy("x", 300.0)) == 300
    assert patience.pause_s(1, HubBusy("x", 301.0)) is None
    assert patience.pause_s(2, HubBusy("x")) == 2


@pytest.mark.parametrize("error", [HubClosed("x"), HubAnswerUnreadable("x"), WrongDigest("x"), HubError("x")])
def test_what_does_not_pass_is_not_waited_for(error: HubError) -> None:
    """Trying again would only take time."""
    assert RetryPatience().pause_s(1, error) is None
