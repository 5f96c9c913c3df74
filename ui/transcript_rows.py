"""A message as the lines that the transcript shows: its text, and the row under it with what can be done.

Owns the words and the addresses of those actions; Markdown is `markdown`'s, the look is `transcript_format`'s. No Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from ui.markdown.grammar import clean
from ui.markdown.lines import Kind, Line
from ui.markdown.spans import BREAK, Span, Style
from ui.state import MessageState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ui.state import MessageView

SCHEME = "hearth"
ICON = "\ufffc"
WHOLE = -1
"""The number that stands for the whole message where a code block's number is expected."""

_SPACE = Span("   ")
_WORDS = {MessageState.STOPPED: "Stopped", MessageState.INTERRUPTED: "Interrupted"}


class Action(NamedTuple):
    """What an anchor asks for: a verb ("copy", "retry", "continue"), a message, and a code block's number or WHOLE."""

    verb: str
    message: str
    number: int = WHOLE

    @property
    def href(self) -> str:
        """The anchor's address. Text of a message cannot hold one: only web and mail addresses become links there."""
        return f"{SCHEME}:{self.verb}/{self.number}/{quote(self.message, safe='')}"


def parse_action(href: str) -> Action | None:
    """The action behind an address; None for an address that is not ours."""
    scheme, _, rest = href.partition(":")
    parts = rest.split("/", 2)
    if scheme != SCHEME or len(parts) != 3:  # noqa: PLR2004 - verb, number, message
        return None
    return Action(parts[0], unquote(parts[2]), int(parts[1]))


class Rows(NamedTuple):
    """How one message is to be shown. `newest` is set on a reply with nothing after it, `copied` on what was copied a
    moment ago.
    """

    view: MessageView
    newest: bool = False
    copied: int | None = None

    def lines(self, body: Iterable[Line]) -> tuple[Line, ...]:
        """All lines of the message; `body` is its text as Markdown, unused for a user's message."""
        if self.view.role == "user":
            return (Line(Kind.BUBBLE, (Span(clean(self.view.text).strip("\n").replace("\n", BREAK)),)),)
        return (*self._body(body), *self._error(), *self._footer())

    def _body(self, body: Iterable[Line]) -> Iterator[Line]:
        empty = True
        for line in body:
            empty = False
            yield self._code_head(line) if line.kind is Kind.CODE_HEAD else line
        if empty and self.view.state is MessageState.OPEN:
            yield Line(Kind.TEXT)

    def _code_head(self, line: Line) -> Line:
        action = Action("copy", self.view.id, line.number)
        return line._replace(
            spans=(*(line.spans or (Span("code"),)), Span("\t"), *self._copy(action, "Copy this code", named=True))
        )

    def _copy(self, action: Action, tip: str, *, named: bool) -> Iterator[Span]:
        done = self.copied == action.number
        style = Style(href=action.href, tip="Copied" if done else tip)
        yield Span(ICON, style._replace(icon="check" if done else "copy"))
        if named:
            yield Span("  Copied" if done else "  Copy", style)

    def _error(self) -> Iterator[Line]:
        if self.view.state is not MessageState.FAILED:
            return
        spans = [Span(ICON, Style(icon="triangle-alert")), Span("  " + _plain(self.view.error or "The answer failed."))]
        if self.newest:
            spans += [_SPACE, self._link("retry", "Try again", "Ask for this answer again")]
        yield Line(Kind.ERROR, tuple(spans))

    def _footer(self) -> Iterator[Line]:
        groups = [group for group in (self._icons(), self._figures(), self._resume()) if group]
        if self.view.state is not MessageState.OPEN and groups:
            spans = [span for group in groups for span in (_SPACE, *group)]
            yield Line(Kind.FOOTER, tuple(spans[1:]))

    def _icons(self) -> list[Span]:
        spans: list[Span] = []
        if self.view.text.strip():
            spans += self._copy(Action("copy", self.view.id), "Copy this answer", named=False)
        if self.newest and self.view.state is not MessageState.FAILED:
            style = Style(icon="refresh-cw", href=Action("retry", self.view.id).href, tip="Write this answer again")
            spans += [_SPACE, Span(ICON, style)] if spans else [Span(ICON, style)]
        return spans

    def _figures(self) -> list[Span]:
        words = [_plain(self.view.footer), _WORDS.get(self.view.state, "")]
        text = " · ".join(word for word in words if word)
        return [Span(text)] if text else []

    def _resume(self) -> list[Span]:
        if not self.newest or self.view.state not in _WORDS:
            return []
        return [self._link("continue", "Continue", "Go on where this answer ended")]

    def _link(self, verb: str, text: str, tip: str) -> Span:
        return Span(text, Style(href=Action(verb, self.view.id).href, tip=tip))


def _plain(text: str) -> str:
    return clean(text).replace("\n", BREAK)


def code_text(lines: Iterable[Line], number: int) -> str:
    """The source of the message's code block `number`, ending with a newline."""
    return "".join(line.text + "\n" for line in lines if line.kind is Kind.CODE and line.number == number)
