"""Counts the hits of a search in a message that is not on the page. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.markdown.grammar import clean
from ui.markdown.lines import Line, LineKind, lines
from ui.markdown.spans import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ui.search.matching import Matcher
    from ui.state.chat import MessageView


def count(view: MessageView, matcher: Matcher) -> int:
    """The hits in a message: in the text of a question; in reasoning, answer and tool arguments of a reply."""
    if view.role == "user":
        return matcher.count(clean(view.text))
    answer = _in_markdown(view.text, matcher) if matcher.may_occur(view.text) else 0
    called = sum(matcher.count(row) for tool in view.tools for row in tool.arguments.splitlines())
    return in_reasoning(view, matcher) + answer + called


def in_reasoning(view: MessageView, matcher: Matcher) -> int:
    """The hits in the reasoning of a reply, folded or not."""
    return _in_markdown(view.reasoning, matcher) if matcher.may_occur(view.reasoning) else 0


def _in_markdown(source: str, matcher: Matcher) -> int:
    return sum(matcher.count(text) for text in _texts(lines(source)))


def _texts(shown: Iterable[Line]) -> Iterator[str]:
    for line in shown:
        if line.kind is LineKind.TABLE:
            yield from (text_of(cell) for row in line.rows for cell in row)
        elif line.kind is not LineKind.CODE_HEAD:
            yield line.text
