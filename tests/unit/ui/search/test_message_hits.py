from __future__ import annotations

from ui.search.matching import Matcher, count, in_reasoning
from ui.state.chat import LONGEST_QUESTION, LONGEST_REASONING, MessageView, ToolView


def test_all_of_a_reply_is_searched() -> None:
    """Prose, code, tables, reasoning and tool arguments count; markup, languages and buttons do not."""
    text = "A **fox** and a f*o*x.\n\n```fox\nfox = 1\n```\n\n| fox | b |\n|---|---|\n| fox | d |\n"
    reply = MessageView("m", "assistant", text, reasoning="The fox?", tools=(ToolView("fox", '{"a": "fox"}'),))
    assert count(reply, Matcher(("fox",))) == 2 + 1 + 2 + 1 + 1
    assert in_reasoning(reply, Matcher(("fox",))) == 1


def test_a_question_is_searched_as_it_was_typed() -> None:
    """The page shows a question without rendering its Markdown."""
    assert count(MessageView("m", "user", "**fox** f*o*x"), Matcher(("fox",))) == 1


def test_what_the_page_does_not_show_is_not_searched() -> None:
    """An import may have megabytes in a message, and each search would go through all of them."""
    fox = Matcher(("fox",))
    assert count(MessageView("m", "user", "fox" + "." * LONGEST_QUESTION + "fox"), fox) == 1
    assert in_reasoning(MessageView("m", "assistant", "", reasoning="fox" + "." * LONGEST_REASONING + "fox"), fox) == 1
    assert count(MessageView("m", "assistant", "", tools=(ToolView("", "fox" + "." * 20_000 + "fox"),)), fox) == 1
