"""The requests that have not ended: their names, their progress and their ends. No model is needed for that."""

from __future__ import annotations

from typing import Any

import pytest

from engine.protocol.errors import RequestError
from engine.protocol.messages import Event, Generate, Progress, TurnFinished
from engine.schedule.scheduler import MOST_ROWS
from engine.server.open_requests import OpenRequests
from tests.fakes.sequences import sequence_in

ASKED = Generate("r", "c", ())


class _Rows:
    """A batch of so many rows of other requests."""

    sequences: tuple[()] = ()

    def __init__(self, rows: int) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return self._rows


def requests_of(events: list[Event], rows: int = 0) -> OpenRequests:
    none: Any = None
    batch: Any = _Rows(rows)
    return OpenRequests(none, none, batch, none, none, events.append)


def test_a_request_ends_once() -> None:
    """The second attempt finds it closed, even if another request has its name by then."""
    events: list[Event] = []
    requests = requests_of(events)
    first = requests.open(ASKED, now=0.0)
    assert first is not None
    error = RequestError("")
    requests.fail([first, first], error)
    again = requests.open(ASKED, now=1.0)
    requests.fail([first], error)
    assert [event.reason for event in events if isinstance(event, TurnFinished)] == ["failed"]
    assert requests.find("r") is again


@pytest.mark.parametrize(
    ("rows", "position", "emitted", "shown"),
    [
        (MOST_ROWS - 1, 4, [], "prefill"),
        (MOST_ROWS, 4, [], "queued"),
        (MOST_ROWS, 10, [7], "decode"),
    ],
    ids=["there is a row", "its prompt waits", "its first token is shown"],
)
def test_what_waits_for_a_row_is_shown_as_queued(rows: int, position: int, emitted: list[int], shown: str) -> None:
    """But not an answer that has just begun."""
    events: list[Event] = []
    sequence = sequence_in("prefill", ASKED, prompt_tokens=10, position=position)
    sequence.emitted = emitted
    requests_of(events, rows).report_progress(sequence)
    assert [event.phase for event in events if isinstance(event, Progress)] == [shown]
