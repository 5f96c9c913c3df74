"""What the parts of a generation share: here, how far a request is shown to be."""

from __future__ import annotations

from typing import Any, cast

import pytest

from engine.protocol.messages import ChatMessage, Event, Generate, Progress
from engine.schedule.open_requests import OpenRequests
from engine.schedule.scheduler import MOST_ROWS
from engine.server.running_model import RunningModel
from tests.fakes.sequences import sequence_in

ASKED = Generate("r", "c", (ChatMessage("user", "Hello."),))


@pytest.mark.parametrize(
    ("rows", "position", "emitted", "shown"),
    [
        (MOST_ROWS - 1, 4, [], "prefill"),
        (MOST_ROWS, 4, [], "queued"),
        (MOST_ROWS, 10, [7], "decode"),
        (MOST_ROWS, 12, [7, 8, 9], "queued"),
    ],
    ids=["there is a row", "its prompt waits", "its first token is shown", "it was paused and resumed"],
)
def test_what_waits_for_a_row_is_shown_as_queued(rows: int, position: int, emitted: list[int], shown: str) -> None:
    """But not an answer that has just begun."""
    events: list[Event] = []
    none: Any = None
    running = RunningModel(none, none, cast("Any", range(rows)), OpenRequests(), lambda: 0.0, events.append)
    sequence = sequence_in("prefill", ASKED, prompt_tokens=10, position=position)
    sequence.emitted = emitted
    running.report_progress(sequence)
    assert [event.phase for event in events if isinstance(event, Progress)] == [shown]
