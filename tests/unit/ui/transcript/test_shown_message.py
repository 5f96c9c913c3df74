"""One reply and its channels."""

from __future__ import annotations

import pytest

from ui.state.chat import LONGEST_REASONING, MessageState, MessageView, ToolView
from ui.transcript import messages
from ui.transcript.messages import ShownMessage

OPEN = MessageView("a", "assistant", "", MessageState.OPEN)


def text_of(reply: ShownMessage) -> tuple[str, str, str]:
    content = reply.content()
    reasoning = "-" if content.reasoning is None else " ".join(line.text for line in content.reasoning)
    return content.thought, reasoning, " ".join(line.text for line in content.answer)


def test_without_reasoning_there_is_no_fold() -> None:
    """White space does not count as reasoning."""
    reply = ShownMessage(OPEN)
    reply.feed("\n ", "reasoning")
    reply.feed("Yes.", "answer")
    assert text_of(reply) == ("", "-", "Yes.")


def test_the_time_is_measured_until_the_answer_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app's own line replaces the measured one. Without a measurement the line is just "Thought"."""
    moments = iter([10.0, 14.2])
    monkeypatch.setattr(messages, "monotonic", lambda: next(moments))
    reply = ShownMessage(OPEN)
    for text in ("Hm", "."):
        reply.feed(text, "reasoning")
        assert reply.content().thought == "Thinking…"
    for text in ("\n\n", "Yes", "!"):
        reply.feed(text, "answer")
    assert text_of(reply) == ("Thought for 4 s", "-", "Yes!")
    reply.update(MessageView("a", "assistant", "Yes!", reasoning="Hm.", thought="Thought for 5 s"))
    assert reply.content().thought == "Thought for 5 s"
    assert ShownMessage(MessageView("a", "assistant", "Yes!", reasoning="Hm.")).content().thought == "Thought"


def test_a_call_ends_the_reasoning_too() -> None:
    """A reply may call a tool without any answer text."""
    reply = ShownMessage(OPEN)
    reply.feed("Hm.", "reasoning")
    assert not reply.is_folded
    reply.feed("<call>", "tool")
    assert (reply.is_folded, reply.content().call) == (True, "<call>")
    reply.update(MessageView("a", "assistant", "", reasoning="Hm.", tools=(ToolView("f", "{}"),)))
    assert (reply.is_folded, reply.content().call) == (True, "")


def test_reasoning_without_an_answer_stays_open() -> None:
    """It is all that a reply shows if it was stopped while the model reasoned."""
    reply = ShownMessage(MessageView("a", "assistant", "", MessageState.STOPPED, reasoning="Hm."))
    assert text_of(reply) == ("Thought", "Hm.", "")


def test_reasoning_without_measure_is_shown_up_to_a_bound() -> None:
    """That of an import may have megabytes, and unfolds at once. All of it is copied."""
    text = "so on and on\n" * 100_000
    reply = ShownMessage(MessageView("a", "assistant", "Yes.", reasoning=text))
    reply.fold(folded=False)
    shown = tuple(reply.content().reasoning or ())
    assert sum(len(line.text) for line in shown) < LONGEST_REASONING + 200
    assert shown[-1].text == "… The rest is too long to be shown, but it is copied."
    assert shown[-1].spans[0].style.source == text[LONGEST_REASONING:]


@pytest.mark.parametrize("folded", [True, False])
def test_the_users_choice_outlives_the_stream(folded: bool) -> None:  # noqa: FBT001 - both cases
    """Reasoning that the user opened or folded stays that way when the reply ends."""
    reply = ShownMessage(OPEN)
    reply.feed("Hm.", "reasoning")
    reply.fold(folded)
    reply.feed("Yes.", "answer")
    assert reply.is_folded is folded
    reply.update(MessageView("a", "assistant", "Yes.", reasoning="Hm."))
    assert reply.is_folded is folded


def test_a_finished_reply_takes_no_deltas() -> None:
    """Late deltas are dropped in every channel."""
    reply = ShownMessage(MessageView("a", "assistant", "Yes."))
    for channel in ("answer", "reasoning", "tool"):
        reply.feed("late", channel)
    assert (text_of(reply), reply.content().call) == (("", "-", "Yes."), "")


def test_an_open_reply_keeps_its_stream_if_the_text_is_the_same() -> None:
    """Another text starts a new stream."""
    reply = ShownMessage(OPEN)
    reply.feed("One ", "answer")
    reply.update(MessageView("a", "assistant", "One ", MessageState.OPEN, places=2))
    reply.feed("two", "answer")
    assert reply.text == "One two"
    reply.update(MessageView("a", "assistant", "Else", MessageState.OPEN))
    assert reply.text == "Else"
