"""The row under a message: which actions it offers, and when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt

from ui.markdown.lines import LineKind
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import LIGHT
from ui.transcript.anchors import parse_action
from ui.transcript.block_formats import BlockFormats
from ui.transcript.message_lines import MessageLines


def reply(state: MessageState = MessageState.DONE, text: str = "Yes.", **more: Any) -> MessageView:
    return MessageView("a", "assistant", text, state, **more)


def offers(view: MessageView, *, newest: bool = True) -> list[tuple[str, int]]:
    footer = MessageLines(view, newest)
    found = [footer.question_row()] if view.role == "user" else list(footer.reply_row())
    actions = [parse_action(span.style.href) for line in found for span in line.spans]
    return [(action.verb, action.number) for action in actions if action]


@pytest.mark.parametrize(
    ("state", "newest", "expected"),
    [
        (MessageState.DONE, True, ["copy", "alternatives", "choose", "fork"]),
        (MessageState.DONE, False, ["copy", "alternatives", "fork"]),
        (MessageState.STOPPED, True, ["copy", "alternatives", "choose", "fork", "extend"]),
        (MessageState.STOPPED, False, ["copy", "alternatives", "fork"]),
        (MessageState.INTERRUPTED, True, ["copy", "alternatives", "choose", "fork", "extend"]),
        (MessageState.FAILED, True, ["copy", "fork"]),
        (MessageState.FAILED, False, ["copy", "alternatives", "fork"]),
        (MessageState.OPEN, True, []),
    ],
)
def test_actions_depend_on_state_and_position(state: MessageState, newest: bool, expected: list[str]) -> None:  # noqa: FBT001 - a table of cases
    """Any finished reply can be regenerated or forked. Only the newest offers several answers or can be continued, and
    a failed one is retried.
    """
    assert [verb for verb, _ in offers(reply(state), newest=newest)] == expected


def test_a_click_requests_one_alternative() -> None:
    """Several alternatives are offered by a menu."""
    assert ("alternatives", 1) in offers(reply())


def test_the_footer_shows_the_figures_and_a_way_to_continue() -> None:
    """The app's figures come first. They tell how the reply ended."""
    (line,) = MessageLines(reply(MessageState.STOPPED, footer="8 tokens · Stopped"), newest=True).reply_row()
    assert line.kind is LineKind.FOOTER
    assert "8\u00a0tokens · Stopped   Continue" in line.text


def test_the_figures_tell_who_wrote_the_reply() -> None:
    """In a tool tip, so that a chat of several models has no other look."""
    (line,) = MessageLines(reply(footer="8 tokens", writer="LFM2 2.6B"), newest=True).reply_row()
    assert [span.style.tip for span in line.spans if span.text == "8\u00a0tokens"] == ["Written by LFM2 2.6B"]
    (unknown,) = MessageLines(reply(footer="8 tokens"), newest=True).reply_row()
    assert [span.style.tip for span in unknown.spans if span.text == "8\u00a0tokens"] == [""]


def test_an_empty_reply_cannot_be_copied() -> None:
    """A reply that was stopped before its first word can only be written again or continued."""
    assert offers(reply(MessageState.STOPPED, text="")) == [("alternatives", 1), ("choose", -1), ("extend", -1)]


@pytest.mark.parametrize(
    ("place", "expected"),
    [(1, [("step", 1)]), (2, [("step", -1), ("step", 1)]), (3, [("step", -1)])],
)
def test_alternatives_are_counted_and_stepped_through(place: int, expected: list[tuple[str, int]]) -> None:
    """At the first and the last alternative, one arrow is disabled."""
    view = reply(place=place, places=3)
    (line,) = MessageLines(view).reply_row()
    assert f"{place}/3" in line.text
    assert [offer for offer in offers(view) if offer[0] == "step"] == expected
    chevrons = [span.style.muted for span in line.spans if "chevron" in span.style.icon]
    assert chevrons == [place == 1, place == 3]


def test_an_open_reply_offers_its_alternatives_only() -> None:
    """Other actions wait until it has ended."""
    assert offers(reply(MessageState.OPEN, text="", places=2)) == [("step", 1)]


def test_a_question_can_be_copied_edited_deleted_and_stepped() -> None:
    """The icons are always reachable by keyboard. The steps exist only if there are alternatives. Files without words
    cannot be copied.
    """
    question = MessageView("u", "user", "Why?")
    own = [("copy", -1), ("edit", -1), ("delete", -1)]
    assert offers(question) == own
    assert offers(replace(question, place=2, places=2)) == [*own, ("step", -1)]
    assert offers(replace(question, text="")) == own[1:]


def test_every_icon_says_what_it_does() -> None:
    """Each icon has a tool tip, even if it is disabled."""
    (line,) = MessageLines(reply(places=2)).reply_row()
    assert all(span.style.tip for span in line.spans if span.style.icon)


def test_a_row_that_always_shows_something_keeps_its_distance() -> None:
    """The link that unfolds a long question stands as far from the answer as the arrows between alternatives do."""
    long = "\n".join(str(number) for number in range(40))
    assert MessageLines(MessageView("u", "user", long)).question_row().level == 1
    assert MessageLines(MessageView("u", "user", "Why?", place=1, places=2)).question_row().level == 1
    assert MessageLines(MessageView("u", "user", "Why?")).question_row().level == 0


@pytest.mark.usefixtures("qapp")
def test_the_row_under_a_hebrew_reply_is_mirrored() -> None:
    """It begins at the right, and the way back points there. Figures stay in order."""
    view = MessageView("a", "assistant", "שלום", footer="8 tokens · restored in 74 ms", place=2, places=3)
    (line,) = MessageLines(view).reply_row()
    assert line.mirrored
    assert BlockFormats(740, LIGHT.reading).of(line).layoutDirection() == Qt.LayoutDirection.RightToLeft
    icons = [span.style.icon for span in line.spans if span.style.icon.startswith("chevron")]
    assert icons == ["chevron-right", "chevron-left"]
    assert "\u20688\u00a0tokens · restored in 74\u00a0ms\u2069" in line.text
    (plain,) = MessageLines(replace(view, text="Hello")).reply_row()
    assert not plain.mirrored
    assert BlockFormats(740, LIGHT.reading).of(plain).layoutDirection() == Qt.LayoutDirection.LeftToRight


def test_a_number_stays_with_its_unit() -> None:
    """In a narrow chat with large letters a line ends between two figures, or before a number of a long one."""
    footer = "10 tokens · ready again in 10 ms instead of about 33 s"
    view = MessageView("a", "assistant", "Hello", footer=footer, rate="64.0 tok/s")
    (line,) = MessageLines(view).reply_row()
    assert line.text.endswith("   10\u00a0tokens · ready again in 10\u00a0ms instead of about 33\u00a0s")


@pytest.mark.usefixtures("qapp")
def test_the_rate_of_an_answer_is_in_the_tip_of_its_figures() -> None:
    """With the model that wrote it, and nowhere on the page."""
    view = MessageView("a", "assistant", "Hello", footer="10 tokens", rate="64.0 tok/s", writer="Qwen3")
    (line,) = MessageLines(view).reply_row()
    assert line.spans[-1].style.tip == "Written by Qwen3\n64.0 tok/s"
    assert "tok/s" not in line.text
