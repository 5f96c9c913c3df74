"""The selection of a transcript for the clipboard: as plain text, and as HTML, so that other apps keep its form.

HTML has headings, lists, quotes, tables, code, emphasis and links, but no colours and no fonts. Formulas are their TeX.

`WholeSelection` lets the selection of the page stand for all of a chat, of which the page may hold only a part.
Invariants:
- If the selection covers the page, it stands for the whole chat until the user selects something else. Older messages
  that come on the page are selected with it. New ones at the end remove it.
- To copy a whole chat, the messages that are not loaded are requested, and each message is written into a document that
  is never shown, one at a time, so that the window stays responsive.
- The clipboard has the part on the page at once. The whole chat replaces that, unless something else was copied since.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QFont, QGuiApplication, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument

from ui.markdown.lines import NOTE, TASK_DONE, TASK_OPEN, LineKind
from ui.markdown.spans import BREAK, OBJECT
from ui.transcript import utf16
from ui.transcript.anchors import SCHEME
from ui.transcript.blocks import TextProperty, blocks_from, fragments_of, kind_of
from ui.transcript.document_writer import DocumentWriter
from ui.transcript.formats import KEY, Formats
from ui.transcript.messages import ShownMessages
from ui.transcript.older_messages import WholeChat
from ui.widgets.text_field import copied_text

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

DECORATION = {
    *("", LineKind.RULE, LineKind.CODE_HEAD, LineKind.CODE_FOOT, LineKind.TABLE_FOOT),
    *(LineKind.FOOTER, LineKind.HANDLES, LineKind.THOUGHT, LineKind.MARK, LineKind.FILES),
}
"""Kinds of blocks that are not part of the conversation's text."""
_ROWS = {LineKind.FOOTER, LineKind.HANDLES, LineKind.MARK}
"""Kinds of blocks that a selection passes over, so that it shows what is copied."""
_BOXES = {TASK_OPEN: "☐ ", TASK_DONE: "☑ "}
_SCRIPTS = {
    QTextCharFormat.VerticalAlignment.AlignSubScript: "sub",
    QTextCharFormat.VerticalAlignment.AlignSuperScript: "sup",
}


class _Part(NamedTuple):
    """A selected block, and which part of it is selected. `row` is that of a table's cell, and -1 outside of cells.
    `marker` is that of a list item, if it is no part of the text.
    """

    block: QTextBlock
    start: int
    end: int
    kind: str
    nest: str
    row: int
    marker: str = ""

    @property
    def text(self) -> str:
        """The text. Pictures of formulas are their TeX, and other text has a source too."""
        return "".join(shown for shown, _ in _fragments(self.block, self.start, self.end))


def copied_parts(cursor: QTextCursor, first: QTextBlock, bottom: float) -> Iterator[QTextCursor]:
    """The parts of the selection that are copied, for painting: rows of buttons and figures are left out. Only blocks
    from `first` to the height `bottom` of the document are looked at.
    """
    layout = cursor.document().documentLayout()
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    block = first
    while block.isValid() and block.position() < end and layout.blockBoundingRect(block).top() < bottom:
        if kind_of(block) in _ROWS:
            yield from _stretch(cursor, start, min(end, block.position() - 1))
            start = max(start, block.position() + block.length())
        block = block.next()
    yield from _stretch(cursor, start, end)


def _stretch(cursor: QTextCursor, start: int, end: int) -> Iterator[QTextCursor]:
    if start < end:
        part = QTextCursor(cursor)
        part.setPosition(start)
        part.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        yield part


def selected_text(cursor: QTextCursor) -> str:
    """The selected content as text. Buttons and figures are left out, list items are indented, table cells are
    separated by tabs.
    """
    pieces: list[str] = []
    before: _Part | None = None
    for part in _parts(cursor):
        pieces += ["" if before is None else _separator(before, part), _readable(part)]
        before = part
    return "".join(pieces)


def _parts(cursor: QTextCursor) -> Iterator[_Part]:
    """The selected blocks that are part of the conversation's text. The cells of a row whose columns run from right to
    left are in the document in the other order.
    """
    for mirrored, group in groupby(_copied(cursor), _mirrored_row):
        parts = list(group)
        yield from reversed(parts) if mirrored else parts


def _mirrored_row(part: _Part) -> tuple[int, int] | None:
    is_mirrored = part.kind == LineKind.TABLE and part.block.blockFormat().intProperty(TextProperty.MIRRORED)
    return (part.block.userState(), part.row) if is_mirrored else None


def _copied(cursor: QTextCursor) -> Iterator[_Part]:
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    for block in blocks_from(cursor.document(), start, end):
        form, kind, at = block.blockFormat(), kind_of(block), block.position()
        row = form.intProperty(TextProperty.ROW) if form.hasProperty(TextProperty.ROW) else -1
        is_gap = kind == LineKind.TABLE and row < 0  # the empty block above a row
        if kind not in DECORATION and not is_gap:
            nest = form.stringProperty(TextProperty.NEST).replace(NOTE, "-")  # a footnote becomes an item of a list
            yield _Part(block, max(0, start - at), end - at, kind, nest, row)


def searched_text(block: QTextBlock) -> tuple[str, list[int]]:
    """The text of a block with the TeX of its formulas, and for each character its position in the document."""
    pieces: list[str] = []
    places: list[int] = []
    for fragment in fragments_of(block):
        form, position = fragment.charFormat(), fragment.position()
        source = form.stringProperty(TextProperty.SOURCE)
        for character in "" if form.intProperty(TextProperty.BESIDE) else fragment.text():
            shown = source if character == OBJECT and source else character
            pieces.append(shown)
            places += [position] * len(shown)
            position += utf16.length(character)
    return "".join(pieces), places


def _fragments(block: QTextBlock, start: int, end: int) -> Iterator[tuple[str, QTextCharFormat]]:
    """The text of a part of a block, cut where its format changes."""
    for fragment in fragments_of(block):
        form, first = fragment.charFormat(), fragment.position() - block.position()
        source = form.stringProperty(TextProperty.SOURCE)
        text = "" if form.intProperty(TextProperty.BESIDE) else fragment.text()
        shown = utf16.part(text, max(0, start - first), max(0, end - first))
        if source and shown.strip(OBJECT) and len(shown) < len(fragment.text()):
            source = ""  # a part of a word was selected
        yield source * (shown.count(OBJECT) or bool(shown)) if source else shown, form


def _readable(part: _Part) -> str:
    text = part.text
    if part.kind == LineKind.TEXT:
        text = "  " * max(0, part.nest.count("-") - 1) + text.replace("\t", " ", int("-" in part.nest))
    if part.kind == LineKind.TOOL:
        text = text.partition("\t")[0]
    text = text.replace(BREAK, "\n").replace(OBJECT, "")
    if part.kind in {LineKind.ERROR, LineKind.TOOL}:
        text = text.lstrip(" \t")  # of its icon
    return text.rstrip("\u00a0")  # it was before an icon


def _separator(before: _Part, part: _Part) -> str:
    if before.kind == part.kind == LineKind.TABLE and part.row >= before.row:
        return "\t" if part.row == before.row else "\n"
    listed = "-" in before.nest and "-" in part.nest
    same_code = before.kind == part.kind == LineKind.CODE
    return "\n" if same_code or listed else "\n\n"


def selected_html(cursor: QTextCursor) -> str:
    """The selected content as HTML."""
    containers = _Containers()
    pieces: list[str] = []
    for _, group in groupby(map(_without_marker, _parts(cursor)), _element):
        parts = tuple(group)
        pieces += [containers.enter(parts[0].nest, parts[0].marker), _content(parts)]
    return "".join((*pieces, containers.enter("", "")))


def _without_marker(part: _Part) -> _Part:
    if part.kind != LineKind.TEXT or part.block.blockFormat().textIndent() >= 0:
        return part
    marker, tab, _ = part._replace(start=0, end=part.block.length()).text.partition("\t")
    start = utf16.length(part.block.text().partition("\t")[0]) + 1
    return part._replace(start=max(part.start, start), marker=marker) if tab else part


def _element(part: _Part) -> tuple[str, int]:
    """Equal for the parts of one element: the lines of a code block, and the cells of a table."""
    is_card = part.kind in {LineKind.CODE, LineKind.TABLE}
    return part.kind, part.block.userState() if is_card else part.block.position()


def _content(parts: tuple[_Part, ...]) -> str:
    first = parts[0]
    match first.kind:
        case LineKind.CODE:
            text = "\n".join(part.text for part in parts)
            return f"<pre><code>{escape(text)}</code></pre>"
        case LineKind.TABLE:
            rows = ""
            for row, cells in groupby(parts, lambda part: part.row):
                tag = "td" if row else "th"
                rows += f"<tr>{''.join(f'<{tag}>{_inline(cell)}</{tag}>' for cell in cells)}</tr>"
            return f"<table>{rows}</table>"
        case LineKind.HEADING:
            level = first.block.blockFormat().headingLevel()
            return f"<h{level}>{_inline(first)}</h{level}>"
        case _:
            return _inline(first) if first.marker else f"<p>{_inline(first)}</p>"


def _inline(part: _Part) -> str:
    is_bold_anyway = part.kind == LineKind.HEADING or (part.kind == LineKind.TABLE and not part.row)
    pieces = (_tagged(text, form, is_bold_anyway) for text, form in _fragments(part.block, part.start, part.end))
    return "".join(pieces).strip()


def _tagged(text: str, form: QTextCharFormat, is_bold_anyway: bool) -> str:  # noqa: FBT001 - a state of the line
    shown = escape(text.replace(OBJECT, "")).replace(BREAK, "<br>")
    pill, href = form.intProperty(TextProperty.PILL), form.anchorHref()
    tags = (
        *(("kbd" if pill == KEY else "code",) if pill else ()),
        *(("strong",) if form.fontWeight() >= QFont.Weight.DemiBold and not is_bold_anyway else ()),
        *(("em",) if form.fontItalic() else ()),
        *(("s",) if form.fontStrikeOut() else ()),
        *((_SCRIPTS[form.verticalAlignment()],) if form.verticalAlignment() in _SCRIPTS else ()),
    )
    for tag in tags if shown else ():
        shown = f"<{tag}>{shown}</{tag}>"
    is_link = shown and href and not href.startswith(f"{SCHEME}:")
    return f'<a href="{escape(href)}">{shown}</a>' if is_link else shown


class _Containers:
    """The open lists and quotes. Each has its letter of `nest` and the tags that close it."""

    def __init__(self) -> None:
        self._open: list[tuple[str, str]] = []

    def enter(self, nest: str, marker: str) -> str:
        """The tags that lead from the containers of the last part to those of the next one."""
        pairs = enumerate(zip(self._open, nest, strict=False))
        same = next((at for at, (opened, letter) in pairs if opened[0] != letter), min(len(nest), len(self._open)))
        item = nest.rfind("-") if marker else -1
        kind = "ol" if marker[:1].isdigit() else "ul"
        between = ""
        if 0 <= item < same:
            same = item + 1 if self._open[item][1] == kind else item
            between = "</li><li>" if same > item else ""
        begun = self._close_to(same) + between
        for place in range(same, len(nest)):
            begun += self._begin(nest[place], kind, marker if place == item else "")
        return begun + _BOXES.get(marker, "")

    def _begin(self, letter: str, kind: str, marker: str) -> str:
        if letter != "-":
            self._open.append((letter, "blockquote"))
            return "<blockquote>"
        self._open.append((letter, kind))
        number = marker.rstrip(".)")
        start = f' start="{number}"' if number.isdigit() and number != "1" else ""
        return f"<{kind}{start}><li>"

    def _close_to(self, depth: int) -> str:
        closed = self._open[depth:]
        del self._open[depth:]
        return "".join(f"</li></{tag}>" if letter == "-" else f"</{tag}>" for letter, tag in reversed(closed))


class WholeSelection(QObject):
    """Watches the selection of one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._is_whole = False
        self._is_kept = False
        transcript.selectionChanged.connect(self._note)

    def _note(self) -> None:
        if not self._is_kept:
            cursor, end = self._transcript.textCursor(), self._transcript.document().characterCount() - 1
            self._is_whole = 0 == cursor.selectionStart() < cursor.selectionEnd() == end

    def end(self) -> None:
        """Messages come or go at the end: remove a selection that reaches to there, lest it grows into them."""
        cursor = self._transcript.textCursor()
        if cursor.hasSelection() and cursor.selectionEnd() == self._transcript.document().characterCount() - 1:
            self._transcript.select(cursor.position(), cursor.position())

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Wrap a change of the document: that is not the user who selects something else. What came above is selected
        too, without moving the view.
        """
        self._is_kept = True
        yield
        cursor = self._transcript.textCursor()
        if self._is_whole and cursor.selectionStart() > 0:
            self._transcript.select(0, cursor.selectionEnd())
        self._is_kept = False

    def copy(self) -> None:
        """The selection is on the clipboard as it is on the page. Replace it by the whole chat if that is meant."""
        transcript = self._transcript
        is_all_here = len(transcript.loaded) == len(transcript.messages) and not transcript.has_earlier
        if not self._is_whole or is_all_here:
            return
        copy = WholeCopy(transcript)
        transcript.busy_sign.begin()
        WholeChat(transcript, copy.begin, copy.end).start()


class WholeCopy(QObject):
    """Makes one copy of all messages, and deletes itself."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._document = QTextDocument()
        theme = transcript.look.theme
        self._writer = DocumentWriter(self._document, Formats(theme, theme.reading.column))
        self._writer.insert(0)
        self._replaced = QGuiApplication.clipboard().text()
        self._texts: list[str] = []
        self._pieces: list[str] = []

    def begin(self, messages: ShownMessages) -> None:
        """All messages are here."""
        self._timer = self._transcript.timer(partial(self._add, messages))
        self._add(messages)

    def _add(self, messages: ShownMessages) -> None:
        index, clipboard = len(self._texts), QGuiApplication.clipboard()
        if index < len(messages):
            self._writer.write(0, messages.lines(index))
            cursor = QTextCursor(self._document)
            cursor.select(QTextCursor.SelectionType.Document)
            self._texts.append(selected_text(cursor))
            self._pieces.append(selected_html(cursor))
            self._timer.start(0)
            return
        if clipboard.text() == self._replaced:
            clipboard.setMimeData(copied_text("\n\n".join(filter(None, self._texts)), "".join(self._pieces)))
        self.end()

    def end(self) -> None:
        """All is copied, or some messages cannot be read, and the part on the page stays on the clipboard."""
        self._transcript.busy_sign.end()
        self.deleteLater()
