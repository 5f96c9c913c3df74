"""A message as lines, in the order of the transcript: reasoning, text, tools, error, and the row of its actions and
figures. Links lead between the footnotes of an answer and the words that they belong to. No Qt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from resources.language.text import mark, plural, tr
from ui.markdown.grammar import clean
from ui.markdown.highlight import highlight
from ui.markdown.lines import NOTE, Line, LineKind
from ui.markdown.spans import BREAK, OBJECT, Span, Style
from ui.state.chat import MessageState, MessageView, ToolView
from ui.theme.direction import is_right_to_left
from ui.theme.long_texts import LONGEST, cut
from ui.theme.phrases import show_all, whole_figures
from ui.transcript.anchors import WHOLE_MESSAGE, AnchorAction, Verb
from ui.transcript.question_lines import MORE, files_line, is_long, question_spans, question_text

CONTEXT_START = mark("The model reads from here on")
READ_ALL = mark("Read all again")
LEAVE_OUT = mark("Leave out the oldest turns")
CARRY_ON = mark("New chat from here")
_LONGEST_NAME, _LONGEST_ERROR = 200, 2_000
_FIRST_TOOL = -2
"""Tool calls are numbered downwards from here, so that no number stands for both a tool call and a code block."""
_SPACE = Span("   ")
_BESIDE_STEPS = Span("\u2002\u2009")
"""Enough for the ring around an icon."""
_BESIDE_ICON = Span("\u2004")
"""Enough for the mark of one icon to leave out the other."""
_ISOLATED = "\u2068{}\u2069"
"""Figures stay in order among Arabic letters."""
_CUT = {MessageState.STOPPED, MessageState.INTERRUPTED}
"""The states of answers that can be continued."""


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
        if self.view.role == "user":
            question = tuple(self._question())
            row = self.question_row()._replace(tight=question[-1].kind is LineKind.FILES)
            return (*mark, *question, row)
        first, *rest = (*self._thought(content), *self._body(content), *self._error(), *self.reply_row())
        return (*mark, first._replace(tight=True), *rest)  # the row above has a margin of its own

    def _mark(self) -> Line:
        tip = tr("Let the model read the older messages again, if all of the chat fits")
        return Line(LineKind.MARK, (Span(tr(CONTEXT_START)), _SPACE, self._link("read-all", tr(READ_ALL), tip)))

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
        yield Line(LineKind.THOUGHT, (Span(_displayable(content.thought) + "\u2009", style), Span(OBJECT, chevron)))
        yield from map(self._with_copy, content.reasoning or ())

    def _body(self, content: ReplyContent) -> Iterator[Line]:
        answer = tuple(content.answer)
        has_notes = any(line.nest.endswith(NOTE) for line in answer)
        yield from map(self._with_copy, with_notes(answer, self.view.id) if has_notes else answer)
        for index, tool in enumerate(self.view.tools):
            yield from self._tool(_FIRST_TOOL - index, tool)
        if more := self.view.more_calls:
            rest = plural("and {count} more tool call", "and {count} more tool calls", more)
            yield Line(LineKind.TEXT, (Span(rest, Style(muted=True)),))
        if content.call and not self.view.tools:
            yield Line(LineKind.TOOL, (Span(OBJECT, Style(icon="wrench")), Span("  " + tr("Calling a tool…"))))
            yield from _code(ToolView("", content.call), "", _FIRST_TOOL)
        is_empty = not (content.thought or answer or self.view.tools or content.call)
        if is_empty and self.view.state is MessageState.OPEN:
            yield Line(LineKind.TEXT)

    def _with_copy(self, line: Line) -> Line:
        """The head of a code block with its button, or another line as it is."""
        if line.kind is not LineKind.CODE_HEAD:
            return line
        return line._replace(spans=(*(line.spans or (Span("code"),)), *self._copy(line.number, tr("Copy this code"))))

    def _tool(self, number: int, tool: ToolView) -> Iterator[Line]:
        title = Span(_displayable(tool.name[:_LONGEST_NAME]) or tr("tool"), Style(code=True))
        copy = self._copy(number, tr("Copy these arguments"))
        yield Line(LineKind.TOOL, (Span(OBJECT, Style(icon="wrench")), Span("  "), title, *copy), number=number)
        yield from _code(tool, "json", number)

    def _error(self) -> Iterator[Line]:
        if self.view.state is not MessageState.FAILED:
            return
        words = _displayable(self.view.error or tr("The answer failed."), _LONGEST_ERROR)
        spans = [Span(OBJECT, Style(icon="triangle-alert")), Span("\t" + words)]
        ways_out = self._ways_out()
        for place, way_out in enumerate(ways_out):
            whole = way_out._replace(text=way_out.text.replace(" ", "\u00a0"))  # no line ends inside of it
            spans += [Span(BREAK) if len(ways_out) > 1 and not place else _SPACE, whole]
        yield Line(LineKind.ERROR, tuple(spans))

    def _ways_out(self) -> list[Span]:
        """What the user can do about an answer that failed."""
        if self.view.too_long == "message":
            tip = tr("Make the message shorter and send it again")
            edit = Span(tr("Edit the message"), Style(href=AnchorAction("edit", self.view.question).href, tip=tip))
            tip = tr("Delete the message from the chat. You can undo that.")
            return [edit, self._link("delete", tr("Delete it"), tip)]
        if not self.newest:
            return []
        if self.view.too_long == "chat":
            return [
                self._link("leave-out", tr(LEAVE_OUT), tr("Let the model read only the newest turns that fit")),
                self._link("carry-on", tr(CARRY_ON), tr("Copy the message to a new chat")),
            ]
        return [self._link("regenerate", tr("Try again"), tr("Ask for this answer again"))]

    def question_row(self) -> Line:
        """The row under a question. Its icons to copy, edit and delete have their place and are invisible until the
        mouse is near. Level 1 means that the row always shows something: alternatives, or the link that unfolds.
        """
        text = question_text(self.view.text)
        words = show_all(text.count("\n") + 1, len(text)) if self.folded else tr("Show less")
        fold = [self._link("fold", words, words)] if is_long(text) else []
        shown = [group for group in (fold, self._steps()) if group]
        groups = [[self._copy_icon(tr("Copy this message"))]] if self.view.text.strip() else []
        groups.append([self._icon("pencil", "edit", tr("Edit this message"))])
        tip = tr("Delete this message and its answer. You can undo that.")
        groups.append([self._icon("trash-2", "delete", tip)])
        return Line(LineKind.HANDLES, _in_row(groups + shown), level=int(bool(shown)))

    def reply_row(self) -> Iterator[Line]:
        """The row under a reply, if it has any content. While a reply is generated, the row only shows its
        alternatives. It begins on the side where the reply does.
        """
        groups = [self._steps()]
        if self.view.state is not MessageState.OPEN:
            groups = [*self._icons(), *groups, self._figures()]
            if self.newest and self.view.state in _CUT:
                groups.append([self._link("extend", tr("Continue"), tr("Go on where this answer ended"))])
        if spans := _in_row(groups):
            yield Line(LineKind.FOOTER, spans, mirrored=self._is_mirrored)

    def _icons(self) -> Iterator[list[Span]]:
        has_text = bool(self.view.text.strip())
        if has_text:
            yield [self._copy_icon(tr("Copy this answer"))]
        if not (self.newest and self.view.state is MessageState.FAILED and not self.view.too_long):
            again = self._icon("refresh-cw", "alternatives", tr("Write this answer again (right click for more)"), 1)
            arrow = _BESIDE_ICON, self._icon("chevron-down", "choose", tr("Write several answers"))
            yield [again, *(arrow if self.newest else ())]
        if has_text:
            yield [self._icon("git-branch", "fork", tr("Fork: go on from here in a new chat"))]

    @property
    def _is_mirrored(self) -> bool:
        return self.view.role == "assistant" and is_right_to_left(self.view.text)

    def _steps(self) -> list[Span]:
        place, places = self.view.place, self.view.places
        if places <= 1:
            return []
        back, forth = ("chevron-left", "chevron-right")[:: -1 if self._is_mirrored else 1]
        steps = (-1, back, tr("Previous alternative"), place > 1), (1, forth, tr("Next alternative"), place < places)
        before, after = (
            self._icon(name, "step", tip, by)
            if is_offered
            else Span(OBJECT, Style(icon=name, tip=tr("There is none"), muted=True))
            for by, name, tip, is_offered in steps
        )
        return [before, _BESIDE_STEPS, Span(f"{place}/{places}"), _BESIDE_STEPS, after]

    def _figures(self) -> list[Span]:
        signature = _displayable(self.view.writer) if self.signed else ""
        figures = whole_figures(_displayable(self.view.footer))
        text = " · ".join(filter(None, (signature, figures)))
        writer = tr("Written by {model}", model=self.view.writer) if self.view.writer else ""
        tip = "\n".join(filter(None, (writer, self.view.rate)))
        return [Span(_ISOLATED.format(text) if self._is_mirrored else text, Style(tip=tip))] if text else []

    def _icon(self, name: str, verb: Verb, tip: str, number: int = WHOLE_MESSAGE) -> Span:
        """An icon that the user can click."""
        return Span(OBJECT, Style(icon=name, href=AnchorAction(verb, self.view.id, number).href, tip=tip))

    def _copy_icon(self, tip: str, number: int = WHOLE_MESSAGE) -> Span:
        """The icon that copies. It becomes a tick for a moment after a click."""
        done = self.copied == number
        return self._icon("check" if done else "copy", "copy", tr("Copied") if done else tip, number)

    def _copy(self, number: int, tip: str) -> Iterator[Span]:
        """The icon that copies a code block or a tool call, with a word."""
        icon = self._copy_icon(tip, number)
        word = tr("Copied") if self.copied == number else tr("Copy")
        yield from (Span("\t"), icon, Span(f"  {word}", icon.style._replace(icon="")))

    def _link(self, verb: Verb, text: str, tip: str) -> Span:
        """A link that the user can click."""
        return Span(text, Style(href=AnchorAction(verb, self.view.id).href, tip=tip))


def _in_row(groups: Iterable[Sequence[Span]]) -> tuple[Span, ...]:
    """The spans of these groups, with space between the groups."""
    return tuple(span for group in groups if group for span in (_SPACE, *group))[1:]


def _code(tool: ToolView, language: str, number: int) -> Iterator[Line]:
    rest = clean(tool.arguments.strip("\n")[len(tool.shown) :])
    *rows, last = highlight(clean(tool.shown), language)
    for row in rows:
        yield Line(LineKind.CODE, row, number=number)
    more = (Span(MORE, Style(muted=True, source=rest)),) if rest else ()
    yield Line(LineKind.CODE, (*last, *more), number=number)
    yield Line(LineKind.CODE_FOOT, number=number)


def _displayable(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text from the app, without the characters that a document cannot hold."""
    return clean(cut(text, longest)).replace("\n", BREAK)


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
        cells = "; ".join(map(_spoken, line.cells))
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


_THERE: Final[Verb] = "note"
_BACK: Final[Verb] = "note-back"
NOTE_VERBS: Final = (_THERE, _BACK)
_SIGN: Final = "[^"


def other_end(action: AnchorAction) -> AnchorAction:
    """The anchor to which one of a footnote leads."""
    return action._replace(verb=_BACK if action.verb == _THERE else _THERE)


def with_notes(lines: Sequence[Line], message: str) -> Iterator[Line]:
    """The lines of an answer, with a rule above each group of footnotes. A word leads to its note, and the note back to
    the first such word.
    """
    numbers = {line.marker: number for number, line in enumerate(filter(_begins_note, lines))}
    before = ""
    for line in lines:
        if _begins_note(line) and not before.endswith(NOTE):
            yield Line(LineKind.RULE, nest=line.nest[:-1])
        before = line.nest
        is_linked = _begins_note(line) or any(map(_is_reference, line.spans))
        yield _linked(line, message, numbers) if is_linked else line


def without_links(line: Line) -> Line:
    """A line with footnotes as it is on paper."""
    spans = (span for span in line.spans if not (span.style.icon and span.style.href))
    return line._replace(
        spans=tuple(
            span._replace(style=span.style._replace(href="", tip="")) if _is_reference(span) else span for span in spans
        )
    )


def _is_reference(span: Span) -> bool:
    """Whether a span is the sign of a footnote in the text."""
    return span.style.source.startswith(_SIGN)


def _begins_note(line: Line) -> bool:
    return bool(line.marker) and line.nest.endswith(NOTE)


def _linked(line: Line, message: str, numbers: Mapping[str, int]) -> Line:
    spans = tuple(_reference(span, message, numbers) for span in line.spans)
    if not _begins_note(line):
        return line._replace(spans=spans)
    href = AnchorAction(_BACK, message, numbers[line.marker]).href
    back = Span(OBJECT, Style(icon="corner-left-up", href=href, tip=tr("Back to the text")))
    return line._replace(spans=(*spans, Span("\u00a0"), back))


def _reference(span: Span, message: str, numbers: Mapping[str, int]) -> Span:
    number = numbers.get(f"{span.text}.") if _is_reference(span) else None
    if number is None:
        return span
    href = AnchorAction(_THERE, message, number).href
    return span._replace(style=span.style._replace(href=href, tip=tr("Go to the footnote")))
