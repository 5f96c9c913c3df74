"""The lines that `hearth models fetch` prints for people."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.cli.models_fetch import PlainLines, duration, json_line, line, terminal_line
from app.hub.fetch.progress import Done, Failed, FetchProgress, FetchWaiting, Report, Started, Verifying

GIB = 1 << 30
COMMIT = "0123456789abcdef0123456789abcdef01234567"
STARTED = Started("a/b", COMMIT, GIB * 52 // 10, 0, 7, "mit")
DONE = Done("a/b", COMMIT, "/models/a/b", "mit")


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (STARTED, "a/b at 0123456789ab: 5.2 GB, licence mit"),
        (Started("a/b", COMMIT, 5 * 2**20), "a/b at 0123456789ab: 5 MB"),
        (FetchProgress(GIB * 31 // 10, GIB * 52 // 10, 48.0 * 2**20, 44.2), "3.1 GB of 5.2 GB, 48 MB/s, 44 s left"),
        (FetchProgress(0, GIB * 52 // 10), "0 bytes of 5.2 GB, 0 bytes/s"),
        (FetchWaiting(8.0, "The hub cannot be reached: it does not answer."),
         "The hub cannot be reached: it does not answer. Hearth tries again in 8 s."),
        (Verifying("model.safetensors"), "Verifying model.safetensors"),
        (Verifying(), "Writing the model to the disk"),
        (DONE, "a/b is in /models/a/b"),
        (Failed("wrong_size", "Why."), "Why."),
    ],
)  # fmt: skip
def test_each_report_is_one_line(report: Report, words: str) -> None:
    """Amounts and times are in words."""
    assert line(report) == words


def test_durations_are_in_words() -> None:
    """Seconds, minutes, hours."""
    assert [duration(seconds) for seconds in (0.4, 59.4, 61, 3600, 3725)] == [
        "0 s", "59 s", "1 min 1 s", "1 h 0 min", "1 h 2 min"
    ]  # fmt: skip


def printed(tell: Callable[[Report], object], reports: list[Report], capfd: pytest.CaptureFixture[str]) -> str:
    for report in reports:
        tell(report)
    return capfd.readouterr().out


def test_a_file_gets_a_line_for_each_tenth(capfd: pytest.CaptureFixture[str]) -> None:
    """A log does not grow with each second."""
    reports: list[Report] = [STARTED, *(FetchProgress(count, 100) for count in range(0, 101, 4)), Verifying("x"), DONE]
    lines = printed(PlainLines().tell, reports, capfd).splitlines()
    assert len(lines) == 12
    assert lines[0] == line(STARTED)
    assert lines[-1] == line(DONE)


def test_a_terminal_has_one_line_that_changes(capfd: pytest.CaptureFixture[str]) -> None:
    """Only the beginning and the outcome stay."""
    text = printed(terminal_line, [STARTED, FetchProgress(1, 2), FetchProgress(2, 2), DONE], capfd)
    assert text.count("\n") == 2
    assert text.count("\r\x1b[K") == 4
    assert text.endswith(f"{line(DONE)}\n")


def test_json_has_an_object_on_each_line(capfd: pytest.CaptureFixture[str]) -> None:
    """Scripts read line by line."""
    text = printed(json_line, [Verifying(), Failed("a", "b")], capfd)
    assert text == '{"event":"verifying","file":""}\n{"event":"error","code":"a","message":"b"}\n'
