"""One reply, channel by channel."""

from __future__ import annotations

import pytest

from ui.state import MessageState, MessageView, ToolView
from ui.transcript.reply_state import ReplyState

OPEN = MessageView("a", "assistant", "", MessageState.OPEN)


def text_of(reply: ReplyState) -> tuple[str, str, str]:
    content = reply.content()
    reasoning = "-" if content.reasoning is None else " ".join(line.text for line in content.reasoning)
    return content.thought, reasoning, " ".join(line.text for line in content.answer)


def test_without_reasoning_there_is_no_fold() -> None:
    """White space is none."""
    reply = ReplyState(OPEN)
    reply.feed("\n ", "reasoning")
    reply.feed("Yes.", "answer")
    assert text_of(reply) == ("", "-", "Yes.")


def test_the_time_is_measured_until_the_answer_begins() -> None:
    """The app's own words come first once it has any; an old reply of unknown length only says that it thought."""
    moments = iter([10.0, 14.2])
    reply = ReplyState(OPEN, lambda: next(moments))
    for text in ("Hm", "."):
        reply.feed(text, "reasoning")
        assert reply.content().thought == "Thinking…"
    for text in ("\n\n", "Yes", "!"):
        reply.feed(text, "answer")
    assert text_of(reply) == ("Thought for 4 s", "-", "Yes!")
    reply.update(MessageView("a", "assistant", "Yes!", reasoning="Hm.", thought="Thought for 5 s"))
    assert reply.content().thought == "Thought for 5 s"
    assert ReplyState(MessageView("a", "assistant", "Yes!", reasoning="Hm.")).content().thought == "Thought"


def test_a_call_ends_the_reasoning_too() -> None:
    """A reply may want a tool without a word."""
    reply = ReplyState(OPEN)
    reply.feed("Hm.", "reasoning")
    assert not reply.is_folded
    reply.feed("<call>", "tool")
    assert (reply.is_folded, reply.content().call) == (True, "<call>")
    reply.update(MessageView("a", "assistant", "", reasoning="Hm.", tools=(ToolView("f", "{}"),)))
    assert (reply.is_folded, reply.content().call) == (True, "")


def test_reasoning_that_led_nowhere_is_left_open() -> None:
    """There is nothing else to see of a reply that was stopped while it thought."""
    reply = ReplyState(MessageView("a", "assistant", "", MessageState.STOPPED, reasoning="Hm."))
    assert text_of(reply) == ("Thought", "Hm.", "")


@pytest.mark.parametrize("folded", [True, False])
def test_the_users_choice_outlives_the_stream(folded: bool) -> None:  # noqa: FBT001 - both cases
    """What was opened or folded by hand stays so to the end."""
    reply = ReplyState(OPEN)
    reply.feed("Hm.", "reasoning")
    reply.fold(folded)
    reply.feed("Yes.", "answer")
    assert reply.is_folded is folded
    reply.update(MessageView("a", "assistant", "Yes.", reasoning="Hm."))
    assert reply.is_folded is folded


def test_a_reply_that_has_ended_takes_nothing_more() -> None:
    """In no channel."""
    reply = ReplyState(MessageView("a", "assistant", "Yes."))
    for channel in ("answer", "reasoning", "tool"):
        reply.feed("late", channel)
    assert (text_of(reply), reply.content().call) == (("", "-", "Yes."), "")


def test_an_open_reply_that_is_told_again_goes_on() -> None:
    """The same words do not begin anew, other words do."""
    reply = ReplyState(OPEN)
    reply.feed("One ", "answer")
    reply.update(MessageView("a", "assistant", "One ", MessageState.OPEN, places=2))
    reply.feed("two", "answer")
    assert reply.text == "One two"
    reply.update(MessageView("a", "assistant", "Else", MessageState.OPEN))
    assert reply.text == "Else"
