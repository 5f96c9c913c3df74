"""A message as lines: what is offered under it, and how it is asked for."""

from __future__ import annotations

from typing import Any

from ui.markdown.lines import Line, LineKind, lines
from ui.state import MessageState, MessageView, ToolView
from ui.transcript.anchors import WHOLE_MESSAGE, parse_action
from ui.transcript.message_lines import CONTEXT_START, MessageLines, ReplyContent, code_text


def reply(state: MessageState = MessageState.DONE, text: str = "Yes.", **more: Any) -> MessageView:
    return MessageView("a/1 ü", "assistant", text, state, **more)


def rows(view: MessageView, *, newest: bool = True, copied: int | None = None) -> tuple[Line, ...]:
    return MessageLines(view, newest, copied).lines(ReplyContent(lines(view.text)))


def verbs(found: tuple[Line, ...]) -> list[str]:
    actions = (parse_action(span.style.href) for line in found for span in line.spans if span.style.href)
    return [action.verb for action in actions if action]


def test_failure_shows_its_error() -> None:
    """The text so far stays, the error stands under it."""
    found = rows(reply(MessageState.FAILED, error="Out of\nmemory."))
    assert [line.kind for line in found] == [LineKind.TEXT, LineKind.ERROR, LineKind.FOOTER]
    assert "Out of\u2028memory." in found[1].text
    assert "Try again" in found[1].text


def test_waiting_reply_holds_one_empty_line() -> None:
    """The place of the first word is there before the word."""
    assert rows(reply(MessageState.OPEN, text="")) == (Line(LineKind.TEXT, tight=True),)


def test_what_a_user_wrote_is_not_markdown() -> None:
    """A question is shown to the letter, as one bubble with a row under it."""
    bubble, _handles = rows(MessageView("u", "user", "# no\n*really*\0\n"))
    assert (bubble.kind, bubble.text) == (LineKind.BUBBLE, "# no\u2028*really*\ufffd")


def test_copied_code_says_so() -> None:
    """Only the card whose button was clicked."""
    found = rows(reply(text="```\na\n```\n\n```\nb\n```"), copied=1)
    heads = [line.text for line in found if line.kind is LineKind.CODE_HEAD]
    assert ["Copied" in head for head in heads] == [False, True]


def test_copied_answer_says_so() -> None:
    """The tick stands where the copy icon was."""
    assert next(span.style.icon for span in rows(reply(), copied=WHOLE_MESSAGE)[-1].spans if span.style.icon) == "check"


def test_every_icon_says_what_it_does() -> None:
    """An anchor without words has a tip."""
    spans = [span for line in rows(reply(text="```\na\n```")) for span in line.spans]
    assert all(span.style.tip for span in spans if span.style.icon)


def test_code_text_is_the_source() -> None:
    """Copying a card gives the code as the model wrote it."""
    found = rows(reply(text="```\nx\n```\n\n- ```py\n  def f():\n\n  \treturn\n  ```"))
    assert code_text(found, 1) == "def f():\n\n\treturn\n"


def test_reasoning_stands_above_the_answer() -> None:
    """Folded it is one line, open its own lines follow; a click on either asks for the other."""
    reasoning = lines("Hm.", nest="~")
    folded = MessageLines(reply()).lines(ReplyContent(lines("Yes."), "Thought for 4 s"))
    opened = MessageLines(reply()).lines(ReplyContent(lines("Yes."), "Thought for 4 s", reasoning))
    assert [line.text for line in opened[:3]] == ["Thought for 4 s\u2009\ufffc", "Hm.", "Yes."]
    assert [line.kind for line in folded] == [LineKind.THOUGHT, LineKind.TEXT, LineKind.FOOTER]
    assert "fold" in verbs(folded)
    signs = [line.spans[-1].style.icon for line in (folded[0], opened[0])]
    assert signs == ["chevron-right", "chevron-down"]


def test_while_it_thinks_no_place_waits_for_the_answer() -> None:
    """The reasoning grows there."""
    found = MessageLines(reply(MessageState.OPEN, text="")).lines(ReplyContent((), "Thinking…", lines("Hm", nest="~")))
    assert [line.kind for line in found] == [LineKind.THOUGHT, LineKind.TEXT]


def test_a_tool_call_is_a_card() -> None:
    """Its name on top, its arguments to the letter, both to be copied whole."""
    tool = ToolView("get_weather", '{\n  "city": "Lisbon"\n}')
    found = rows(reply(text="```\na\n```", tools=(tool, tool)))
    heads = [line for line in found if line.kind is LineKind.TOOL]
    assert ["get_weather" in head.text for head in heads] == [True, True]
    assert [code_text(found, head.number) for head in heads] == [tool.arguments + "\n"] * 2
    assert code_text(found, 0) == "a\n"


def test_a_call_that_is_being_written_is_shown_raw() -> None:
    """Until the call itself is there."""
    found = MessageLines(reply(MessageState.OPEN, text="")).lines(ReplyContent(call='<call>{"a'))
    assert [line.kind for line in found] == [LineKind.TOOL, LineKind.CODE, LineKind.CODE_FOOT]
    done = MessageLines(reply(text="", tools=(ToolView("f", "{}"),))).lines(ReplyContent(call="<call>"))
    assert "<call>" not in str(done)


def test_where_reading_begins_is_said() -> None:
    """Above the message, whoever wrote it."""
    for view in (reply(), MessageView("u", "user", "Hi")):
        found = MessageLines(view, context_start=True).lines(ReplyContent(lines(view.text)))
        assert (found[0].kind, found[0].text) == (LineKind.MARK, CONTEXT_START)
