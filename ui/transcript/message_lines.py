"""A message as lines, in the order of the transcript: reasoning, text, tools, error, footer. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from resources.language.text import mark, plural, tr
from ui.markdown.grammar import clean
from ui.markdown.highlight import highlight
from ui.markdown.lines import NOTE, Line, LineKind
from ui.markdown.spans import BREAK, Span, Style
from ui.state.chat import MessageState, MessageView
from ui.transcript.anchors import WHOLE_MESSAGE, AnchorAction
from ui.transcript.file_chips import files_line
from ui.transcript.footer import ICON, SPACE, Footer, copy_icon, displayable, link
from ui.transcript.notes import with_notes
from ui.transcript.question_lines import MORE, is_long, question_spans, question_text

CONTEXT_START = mark("The model reads from here on")
READ_ALL = mark("Read all again")
LEAVE_OUT = mark("Leave out the oldest turns")
CARRY_ON = mark("New chat from here")
_LONGEST_NAME, _LONGEST_ERROR = 200, 2_000
_LONGEST_CALL, _MOST_ROWS = 20_000, 1_000
"""The characters and rows of a call that are shown. All of it is copied and printed."""
_FIRST_TOOL = -2
"""Tool calls are numbered downwards from here, so that no number stands for both a tool call and a code block."""


class ReplyContent(NamedTuple):
    """The content of a reply so far.

    `thought` is the line that stands for the reasoning, "" without reasoning. `reasoning` is None while it is folded.
    `call` is the raw text of a tool call that is still being generated.
    """

    answer: Iterable[Line] = ()
    thought: str = ""
    reasoning: Iterable[Line] | None = None
    call: str = ""


class MessageLines(NamedTuple):
    """Builds the lines of one message.

    - `newest` is set for the last message of the conversation.
    - `copied` is the code block that the user just copied, or WHOLE_MESSAGE.
    - `edited` is set for a question that the user is editing, and `folded` until the user unfolds a long one.
    - `context_start` is set for the first message in the model's context, if older messages are out of it.
    - `signed` is set if the reply names its model.
    """

    view: MessageView
    newest: bool = False
    copied: int | None = None
    edited: bool = False
    context_start: bool = False
    folded: bool = True
    signed: bool = False

    def lines(self, content: ReplyContent) -> tuple[Line, ...]:
        """All lines of the message. `content` is the content of a reply; it is ignored for a question."""
        mark = (self._mark(),) if self.context_start else ()
        footer = Footer(self.view, self.newest, self.copied == WHOLE_MESSAGE, self.folded, self.signed)
        if self.view.role == "user":
            question = tuple(self._question())
            row = footer.of_question()._replace(tight=question[-1].kind is LineKind.FILES)
            return (*mark, *question, row)
        first, *rest = (*self._thought(content), *self._body(content), *self._error(), *footer.of_reply())
        return (*mark, first._replace(tight=True), *rest)  # the row above has a margin of its own

    def _mark(self) -> Line:
        tip = tr("Let the model read the older messages again, if all of the chat fits")
        return Line(LineKind.MARK, (Span(tr(CONTEXT_START)), SPACE, link("read-all", self.view.id, tr(READ_ALL), tip)))

    def _question(self) -> Iterator[Line]:
        files = self.view.attachments
        if files:
            yield files_line(files)
        text = question_text(self.view.text)
        if text or not files:
            spans = question_spans(text, shortened=self.folded and is_long(text))
            yield Line(LineKind.BUBBLE, spans, level=int(self.edited), tight=bool(files))

    def _thought(self, content: ReplyContent) -> Iterator[Line]:
        if not content.thought:
            return
        folded = content.reasoning is None
        tip = tr("Show the reasoning") if folded else tr("Fold the reasoning")
        style = Style(href=AnchorAction("fold", self.view.id).href, tip=tip)
        chevron = style._replace(icon="chevron-right" if folded else "chevron-down")
        yield Line(LineKind.THOUGHT, (Span(displayable(content.thought) + "\u2009", style), Span(ICON, chevron)))
        for line in content.reasoning or ():
            yield self._code_head(line) if line.kind is LineKind.CODE_HEAD else line

    def _body(self, content: ReplyContent) -> Iterator[Line]:
        empty = not content.thought
        answer = tuple(content.answer)
        has_notes = any(line.nest.endswith(NOTE) for line in answer)
        for line in with_notes(answer, self.view.id) if has_notes else answer:
            empty = False
            yield self._code_head(line) if line.kind is LineKind.CODE_HEAD else line
        for index, tool in enumerate(self.view.tools):
            empty = False
            yield from self._tool(_FIRST_TOOL - index, tool.name, tool.arguments)
        if content.call and not self.view.tools:
            empty = False
            yield Line(LineKind.TOOL, (Span(ICON, Style(icon="wrench")), Span("  " + tr("Calling a tool…"))))
            yield from _code(content.call, "", _FIRST_TOOL)
        if empty and self.view.state is MessageState.OPEN:
            yield Line(LineKind.TEXT)

    def _code_head(self, line: Line) -> Line:
        done = self.copied == line.number
        return _with_copy(line, self.view.id, _copy_word(done=done), done=done)

    def _tool(self, number: int, name: str, arguments: str) -> Iterator[Line]:
        title = Span(displayable(name[:_LONGEST_NAME]) or tr("tool"), Style(code=True))
        done = self.copied == number
        action = AnchorAction("copy", self.view.id, number)
        copy = _copy(action, tr("Copy these arguments"), _copy_word(done=done), done=done)
        yield Line(LineKind.TOOL, (Span(ICON, Style(icon="wrench")), Span("  "), title, *copy), number=number)
        yield from _code(arguments, "json", number)

    def _error(self) -> Iterator[Line]:
        if self.view.state is not MessageState.FAILED:
            return
        spans = [
            Span(ICON, Style(icon="triangle-alert")),
            Span("\t" + displayable(self.view.error or tr("The answer failed."), _LONGEST_ERROR)),
        ]
        ways_out = self._ways_out()
        for place, way_out in enumerate(ways_out):
            whole = way_out._replace(text=way_out.text.replace(" ", "\u00a0"))  # no line ends inside of it
            spans += [Span(BREAK) if len(ways_out) > 1 and not place else SPACE, whole]
        yield Line(LineKind.ERROR, tuple(spans))

    def _ways_out(self) -> list[Span]:
        """What the user can do about an answer that failed."""
        view = self.view
        if view.too_long == "message":
            return [
                link("edit", view.question, tr("Edit the message"), tr("Make the message shorter and send it again")),
                link("delete", view.id, tr("Delete it"), tr("Delete the message from the chat. You can undo that.")),
            ]
        if not self.newest:
            return []
        if view.too_long == "chat":
            return [
                link("leave-out", view.id, tr(LEAVE_OUT), tr("Let the model read only the newest turns that fit")),
                link("carry-on", view.id, tr(CARRY_ON), tr("Copy the message to a new chat")),
            ]
        return [link("regenerate", view.id, tr("Try again"), tr("Ask for this answer again"))]


@lru_cache(maxsize=512)
def _with_copy(line: Line, message: str, word: str, *, done: bool) -> Line:
    """The head of a code block with its button, which says `word` in the user's language. An answer that grows asks for
    the same heads again and again.
    """
    copy = _copy(AnchorAction("copy", message, line.number), tr("Copy this code"), word, done=done)
    return line._replace(spans=(*(line.spans or (Span("code"),)), *copy))


def _copy(action: AnchorAction, tip: str, word: str, *, done: bool) -> Iterator[Span]:
    sign = copy_icon(action, tip, done=done)
    yield from (Span("\t"), sign, Span("  " + word, sign.style._replace(icon="")))


def _copy_word(*, done: bool) -> str:
    return tr("Copied") if done else tr("Copy")


def _code(text: str, language: str, number: int) -> Iterator[Line]:
    text = text.strip("\n")
    shown = "\n".join(text[:_LONGEST_CALL].split("\n", _MOST_ROWS)[:_MOST_ROWS])
    rest = clean(text[len(shown) :])
    *rows, last = highlight(clean(shown), language)
    for row in rows:
        yield Line(LineKind.CODE, row, number=number)
    more = (Span(MORE, Style(muted=True, source=rest)),) if rest else ()
    yield Line(LineKind.CODE, (*last, *more), number=number)
    yield Line(LineKind.CODE_FOOT, number=number)


def code_text(lines: Iterable[Line], number: int) -> str:
    """The source of the code block or tool call `number`, ending with a newline."""
    shown = (line.spans for line in lines if line.kind is LineKind.CODE and line.number == number)
    return "".join("".join(span.style.source or span.text for span in spans) + "\n" for spans in shown)


def whole_code(line: Line) -> Iterator[Line]:
    """A line of code, and the rows behind it that the page does not show."""
    *spans, last = line.spans or (Span(""),)
    first, *rows = last.style.source.split("\n")
    yield line._replace(spans=(*spans, Span(first))) if last.style.source else line
    for row in rows:
        yield line._replace(spans=(Span(row),))


_UNREAD = {
    *(LineKind.FOOTER, LineKind.HANDLES, LineKind.MARK, LineKind.RULE),
    *(LineKind.CODE_HEAD, LineKind.CODE_FOOT, LineKind.TABLE_FOOT),
}


def plain_text(lines: Iterable[Line]) -> str:
    """The words of a message for a screen reader, without its buttons. Formulas are their TeX."""
    return "\n".join(filter(None, (_words(line) for line in lines if line.kind not in _UNREAD))).strip()


def _words(line: Line) -> str:
    if line.rows:
        cells = "; ".join(_spoken(cell) for row in line.rows for cell in row)
        if line.number:
            return cells
        return plural(
            "Table, {count} column: {names}", "Table, {count} columns: {names}", len(line.aligns), names=cells
        )
    return f"{line.marker} {_spoken(line.spans)}".strip()


def _spoken(spans: Iterable[Span]) -> str:
    shown = (span for span in spans if not span.style.icon and not span.style.is_room)
    text = "".join(span.style.source or span.text for span in shown)
    return text.replace(BREAK, "\n").strip()
