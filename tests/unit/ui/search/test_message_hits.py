from __future__ import annotations

from ui.search.matching import Matcher, count, in_reasoning
from ui.state.chat import MessageView, ToolView


def test_all_of_a_reply_is_searched() -> None:
    """Prose, code, tables, reasoning and tool arguments count; markup, languages and buttons do not."""
    text = "A **fox** and a f*o*x.\n\n```fox\nfox = 1\n```\n\n| fox | b |\n|---|---|\n| fox | d |\n"
    reply = MessageView("m", "assistant", text, reasoning="The fox?", tools=(ToolView("fox", '{"a": "fox"}'),))
    assert count(reply, Matcher(("fox",))) == 2 + 1 + 2 + 1 + 1
    assert in_reasoning(reply, Matcher(("fox",))) == 1


def test_a_question_is_searched_as_it_was_typed() -> None:
    """The page shows a question without rendering its Markdown."""
    assert count(MessageView("m", "user", "**fox** f*o*x"), Matcher(("fox",))) == 1
