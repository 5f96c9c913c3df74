"""A message as lines: what is offered under it, and how it is asked for."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ui.markdown.lines import Kind, Line, lines
from ui.state import MessageState, MessageView
from ui.transcript_rows import WHOLE, Action, Rows, code_text, parse_action


def reply(state: MessageState = MessageState.DONE, text: str = "Yes.", **more: Any) -> MessageView:
    return MessageView("a/1 ü", "assistant", text, state, **more)


def rows(view: MessageView, *, newest: bool = True, copied: int | None = None) -> tuple[Line, ...]:
    return Rows(view, newest, copied).lines(lines(view.text))


def verbs(found: tuple[Line, ...]) -> list[str]:
    actions = (parse_action(span.style.href) for line in found for span in line.spans if span.style.href)
    return [action.verb for action in actions if action]


@given(st.sampled_from(["copy", "retry", "continue"]), st.text(max_size=20), st.integers(-1, 99))
def test_an_action_survives_its_address(verb: str, message: str, number: int) -> None:
    """Any id comes back as it was."""
    message = message.encode("utf-8", "ignore").decode()
    assert parse_action(Action(verb, message, number).href) == Action(verb, message, number)


@pytest.mark.parametrize("href", ["", "https://a.example/b/c", "hearth:copy", "mailto:a@b.example"])
def test_a_foreign_address_is_no_action(href: str) -> None:
    """Links in a text ask for nothing."""
    assert parse_action(href) is None


@pytest.mark.parametrize(
    ("state", "newest", "expected"),
    [
        (MessageState.DONE, True, ["copy", "retry"]),
        (MessageState.DONE, False, ["copy"]),
        (MessageState.STOPPED, True, ["copy", "retry", "continue"]),
        (MessageState.STOPPED, False, ["copy"]),
        (MessageState.INTERRUPTED, True, ["copy", "retry", "continue"]),
        (MessageState.FAILED, True, ["retry", "copy"]),
        (MessageState.FAILED, False, ["copy"]),
        (MessageState.OPEN, True, []),
    ],
)
def test_offers_follow_state_and_place(state: MessageState, newest: bool, expected: list[str]) -> None:  # noqa: FBT001 - a table of cases
    """Only the newest reply can be written again or go on; an open one offers nothing yet."""
    assert verbs(rows(reply(state), newest=newest)) == expected


def test_footer_says_figures_and_state() -> None:
    """The app's figures come first, then how it ended."""
    footer = rows(reply(MessageState.STOPPED, footer="8 tokens"))[-1]
    assert footer.kind is Kind.FOOTER
    assert "8 tokens · Stopped   Continue" in footer.text


def test_nothing_to_copy_without_text() -> None:
    """A reply that was stopped before its first word only offers to go on."""
    found = rows(reply(MessageState.STOPPED, text=""))
    assert (len(found), verbs(found)) == (1, ["retry", "continue"])


def test_failure_shows_its_error() -> None:
    """The text so far stays, the error stands under it."""
    found = rows(reply(MessageState.FAILED, error="Out of\nmemory."))
    assert [line.kind for line in found] == [Kind.TEXT, Kind.ERROR, Kind.FOOTER]
    assert "Out of\u2028memory." in found[1].text
    assert "Try again" in found[1].text


def test_waiting_reply_holds_one_empty_line() -> None:
    """The place of the first word is there before the word."""
    assert rows(reply(MessageState.OPEN, text="")) == (Line(Kind.TEXT),)


def test_what_a_user_wrote_is_not_markdown() -> None:
    """A question is shown to the letter, as one bubble."""
    (bubble,) = rows(MessageView("u", "user", "# no\n*really*\0\n"))
    assert (bubble.kind, bubble.text) == (Kind.BUBBLE, "# no\u2028*really*\ufffd")


def test_copied_code_says_so() -> None:
    """Only the card whose button was clicked."""
    found = rows(reply(text="```\na\n```\n\n```\nb\n```"), copied=1)
    heads = [line.text for line in found if line.kind is Kind.CODE_HEAD]
    assert ["Copied" in head for head in heads] == [False, True]


def test_copied_answer_says_so() -> None:
    """The tick stands where the copy icon was."""
    assert next(span.style.icon for span in rows(reply(), copied=WHOLE)[-1].spans if span.style.icon) == "check"


def test_every_icon_says_what_it_does() -> None:
    """An anchor without words has a tip."""
    spans = [span for line in rows(reply(text="```\na\n```")) for span in line.spans]
    assert all(span.style.tip for span in spans if span.style.icon)


def test_code_text_is_the_source() -> None:
    """Copying a card gives the code as the model wrote it."""
    found = rows(reply(text="```\nx\n```\n\n- ```py\n  def f():\n\n  \treturn\n  ```"))
    assert code_text(found, 1) == "def f():\n\n\treturn\n"
