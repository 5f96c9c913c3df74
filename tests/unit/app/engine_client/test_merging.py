"""What is left of several decode steps when their text is joined."""

from __future__ import annotations

from app.engine_client.engine_process import merged
from engine.protocol.messages import Delta, Deltas, Event, Pong, ReplyChannel


def delta(request: str, text: str, tokens: int, channel: ReplyChannel = "answer") -> Delta:
    return Delta(request, f"chat of {request}", text, tokens, 10.0 * tokens, channel)


def test_the_steps_of_several_answers_become_one_event() -> None:
    """Each answer has one row, with all of its text and its newest figures."""
    steps = [Deltas((delta("a", f"a{at}", at), delta("b", f"b{at}", at))) for at in range(1, 4)]
    assert list(merged(steps)) == [Deltas((delta("a", "a1a2a3", 3), delta("b", "b1b2b3", 3)))]


def test_the_channels_of_an_answer_keep_their_order() -> None:
    """Reasoning that is followed by the answer is not mixed with it."""
    steps = [
        Deltas((delta("a", "why", 1, "reasoning"), delta("b", "one", 1))),
        Deltas((delta("a", "so", 2), delta("b", " two", 2))),
        Deltas((delta("a", "hm", 3, "reasoning"),)),
    ]
    (joined,) = merged(steps)
    assert isinstance(joined, Deltas)
    assert [(row.text, row.channel) for row in joined.rows if row.request == "a"] == [
        ("why", "reasoning"),
        ("so", "answer"),
        ("hm", "reasoning"),
    ]
    assert [row.text for row in joined.rows if row.request == "b"] == ["one two"]


def test_other_events_keep_their_place() -> None:
    """Text is never moved past an event."""
    one, two, three = (Deltas((delta("a", text, 1),)) for text in ("one", "two", "three"))
    events: list[Event] = [one, Pong(), two, three, Pong()]
    assert list(merged(events)) == [one, Pong(), Deltas((delta("a", "twothree", 1),)), Pong()]
    assert list(merged([])) == []
