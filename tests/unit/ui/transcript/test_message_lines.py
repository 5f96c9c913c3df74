"""A message as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from resources.language import catalogue, text
from resources.language.formats import FORMATS
from resources.language.text import tr
from ui.markdown.lines import Line, LineKind, lines
from ui.state.chat import MOST_CHIPS, AttachmentView, MessageState, MessageView, ToolView
from ui.transcript.anchors import WHOLE_MESSAGE, AnchorAction, parse_action
from ui.transcript.message_lines import (
    CARRY_ON,
    CONTEXT_START,
    LEAVE_OUT,
    READ_ALL,
    MessageLines,
    ReplyContent,
    code_text,
    plain_text,
    whole_code,
)


def reply(state: MessageState = MessageState.DONE, text: str = "Yes.", **more: Any) -> MessageView:
    return MessageView("a/1 ü", "assistant", text, state, **more)


def rows(view: MessageView, *, newest: bool = True, copied: int | None = None) -> tuple[Line, ...]:
    return MessageLines(view, newest, copied).lines(ReplyContent(lines(view.text)))


def verbs(found: tuple[Line, ...]) -> list[str]:
    actions = (parse_action(span.style.href) for line in found for span in line.spans if span.style.href)
    return [action.verb for action in actions if action]


def test_a_failed_reply_shows_its_error() -> None:
    """The text so far stays, and the error follows below."""
    found = rows(reply(MessageState.FAILED, error="Out of\nmemory."))
    assert [line.kind for line in found] == [LineKind.TEXT, LineKind.ERROR, LineKind.FOOTER]
    assert "Out of\u2028memory." in found[1].text
    assert "Try\u00a0again" in found[1].text


def test_a_waiting_reply_has_one_empty_line() -> None:
    """The line reserves the place of the first word."""
    assert rows(reply(MessageState.OPEN, text="")) == (Line(LineKind.TEXT, tight=True),)


def test_tool_calls_that_are_not_shown_are_counted() -> None:
    """Below the last card."""
    found = rows(reply(tools=(ToolView("f", "{}"),), more_calls=2_000))
    assert [line.text for line in found if line.kind is LineKind.TEXT] == ["Yes.", "and 2,000 more tool calls"]


def test_a_question_is_not_parsed_as_markdown() -> None:
    """A question is shown exactly as written, as one bubble with a row under it."""
    bubble, _handles = rows(MessageView("u", "user", "# no\n*really*\0\n"))
    assert (bubble.kind, bubble.text) == (LineKind.BUBBLE, "# no\u2028*really*\ufffd")


@pytest.fixture
def german() -> Iterator[Callable[[], None]]:
    """Switches the language, back to English in the end."""
    yield lambda: text.install(text.Language("de", catalogue.read("de"), FORMATS["de"]))
    text.install(text.Language())


def test_code_and_notes_speak_the_language_after_a_switch(german: Callable[[], None]) -> None:
    """They were on the screen in another one before."""
    view = reply(text="Word[^1]\n\n```\na\n```\n\n[^1]: Note.")
    before = rows(view)
    german()
    head = next(line.text for line in rows(view) if line.kind is LineKind.CODE_HEAD)
    tips = {span.style.tip for found in (before, rows(view)) for line in found for span in line.spans}
    assert "Kopieren" in head
    assert {tr("Back to the text"), "Back to the text"} <= tips


def test_copied_code_is_marked() -> None:
    """Only the card that the user clicked says "Copied"."""
    found = rows(reply(text="```\na\n```\n\n```\nb\n```"), copied=1)
    heads = [line.text for line in found if line.kind is LineKind.CODE_HEAD]
    assert ["Copied" in head for head in heads] == [False, True]


def test_a_copied_answer_is_marked() -> None:
    """A tick replaces the copy icon."""
    assert next(span.style.icon for span in rows(reply(), copied=WHOLE_MESSAGE)[-1].spans if span.style.icon) == "check"


def test_every_icon_says_what_it_does() -> None:
    """Each anchor without words has a tool tip."""
    spans = [span for line in rows(reply(text="```\na\n```")) for span in line.spans]
    assert all(span.style.tip for span in spans if span.style.icon)


def test_code_text_is_the_source() -> None:
    """Copying a card gives the code as the model wrote it."""
    found = rows(reply(text="```\nx\n```\n\n- ```py\n  def f():\n\n  \treturn\n  ```"))
    assert code_text(found, 1) == "def f():\n\n\treturn\n"


def test_reasoning_is_above_the_answer() -> None:
    """Folded, it is one line. Open, its lines follow. A click toggles it."""
    reasoning = lines("Hm.", nest="~")
    folded = MessageLines(reply()).lines(ReplyContent(lines("Yes."), "Thought for 4 s"))
    opened = MessageLines(reply()).lines(ReplyContent(lines("Yes."), "Thought for 4 s", reasoning))
    assert [line.text for line in opened[:3]] == ["Thought for 4 s\u2009\ufffc", "Hm.", "Yes."]
    assert [line.kind for line in folded] == [LineKind.THOUGHT, LineKind.TEXT, LineKind.FOOTER]
    assert "fold" in verbs(folded)
    signs = [line.spans[-1].style.icon for line in (folded[0], opened[0])]
    assert signs == ["chevron-right", "chevron-down"]


def test_no_line_is_reserved_for_the_answer_while_the_model_thinks() -> None:
    """The reasoning grows there instead."""
    found = MessageLines(reply(MessageState.OPEN, text="")).lines(ReplyContent((), "Thinking…", lines("Hm", nest="~")))
    assert [line.kind for line in found] == [LineKind.THOUGHT, LineKind.TEXT]


def test_a_tool_call_is_a_card() -> None:
    """The name is above the arguments. Copying gives the exact arguments."""
    tool = ToolView("get_weather", '{\n  "city": "Lisbon"\n}')
    found = rows(reply(text="```\na\n```", tools=(tool, tool)))
    heads = [line for line in found if line.kind is LineKind.TOOL]
    assert ["get_weather" in head.text for head in heads] == [True, True]
    assert [code_text(found, head.number) for head in heads] == [tool.arguments + "\n"] * 2
    assert code_text(found, 0) == "a\n"


@pytest.mark.parametrize("piece", ["x\n", "word "])
@pytest.mark.parametrize("is_open", [False, True])
def test_only_the_beginning_of_a_long_call_is_shown(piece: str, is_open: bool) -> None:  # noqa: FBT001 - a case
    """A model can write a call of any length, for which the page took seconds. Copied and printed it is whole."""
    long = piece * 40_000 + "x"
    if is_open:
        found = MessageLines(reply(MessageState.OPEN, text="")).lines(ReplyContent(call=long))
    else:
        found = rows(reply(tools=(ToolView("n" * 50_000, long),)))
    head = next(line for line in found if line.kind is LineKind.TOOL)
    code = [line for line in found if line.kind is LineKind.CODE]
    assert len(head.text) < 300
    assert sum(len(line.text) for line in code) < 25_000
    assert len(code) <= 1_000
    assert code_text(found, code[0].number) == long + "\n"
    assert "\n".join(line.text for one in code for line in whole_code(one)) == long


def test_an_imported_message_has_no_error_and_no_number_of_files_without_limit() -> None:
    """Both are what a file says. Qt takes a minute for 5,000 chips in one line."""
    error = next(line for line in rows(reply(MessageState.FAILED, error="e" * 50_000)) if line.kind is LineKind.ERROR)
    assert len(error.text) < 3_000
    many = tuple(AttachmentView(str(number), "notes.txt") for number in range(5_000))
    files, *_ = rows(MessageView("q", "user", "Hi", attachments=many))
    assert len({span.style.chip for span in files.spans} - {0}) == MOST_CHIPS
    assert files.text.endswith("+4,900")


def test_an_unfinished_call_is_shown_raw() -> None:
    """The raw text is shown until the call is complete."""
    found = MessageLines(reply(MessageState.OPEN, text="")).lines(ReplyContent(call='<call>{"a'))
    assert [line.kind for line in found] == [LineKind.TOOL, LineKind.CODE, LineKind.CODE_FOOT]
    done = MessageLines(reply(text="", tools=(ToolView("f", "{}"),))).lines(ReplyContent(call="<call>"))
    assert "<call>" not in str(done)


def test_the_start_of_the_context_is_marked() -> None:
    """The mark is above the message, whether the user or the model wrote it, with the way back to the whole chat."""
    for view in (reply(), MessageView("u", "user", "Hi")):
        found = MessageLines(view, context_start=True).lines(ReplyContent(lines(view.text)))
        assert found[0].kind is LineKind.MARK
        words, *_, button = found[0].spans
        assert (words.text, button.text) == (CONTEXT_START, READ_ALL)
        assert parse_action(button.style.href) == AnchorAction("read-all", view.id)


def _ways_out(**changes: Any) -> list[tuple[str, str]]:
    found = rows(reply(MessageState.FAILED, text="", error="No.", **changes), newest=True)
    (card,) = (line for line in found if line.kind is LineKind.ERROR)
    assert all(" " not in span.text for span in card.spans if span.style.href), "a link is never broken into two lines"
    links = [
        (span.text.replace("\u00a0", " "), parse_action(span.style.href)) for span in card.spans if span.style.href
    ]
    return [(words, f"{action.verb} {action.message}") for words, action in links if action is not None]


def test_the_card_of_a_message_that_is_too_long_leads_on() -> None:
    """One link makes it shorter, one removes it. The same again would fail again, so that is not offered."""
    assert _ways_out(too_long="message", question="q") == [
        ("Edit the message", "edit q"),
        ("Delete it", "delete a/1 ü"),
    ]


def test_the_card_of_a_chat_that_is_too_long_has_the_choice() -> None:
    """Also after the notice with the same choice was put away."""
    assert _ways_out(too_long="chat") == [(LEAVE_OUT, "leave-out a/1 ü"), (CARRY_ON, "carry-on a/1 ü")]
    assert _ways_out() == [("Try again", "regenerate a/1 ü")]


def test_a_screen_reader_hears_that_there_is_a_table() -> None:
    """With the number of its columns. Its rows follow, each in a line."""
    spoken = plain_text(lines("Before.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter."))
    assert spoken == "Before.\nTable, 2 columns: a; b\n1; 2\nAfter."
