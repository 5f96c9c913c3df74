"""The selection of a transcript as plain text for the clipboard.

WholeSelection: all of a chat as the selection of its page, which may hold only a part of the chat.

Runs on the GUI thread. Invariants:
- If the selection covers the page, it stands for the whole chat until the user selects something else. Older messages
  that come on the page are selected with it. New ones at the end remove it.
- To copy a whole chat, the messages that are not loaded are requested, and each message is written into a document that
  is never shown, one at a time, so that the window stays responsive.
- The clipboard has the part on the page at once. The whole chat replaces that, unless something else was copied since.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication, QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument

from ui.markdown.lines import NOTE, LineKind
from ui.markdown.spans import BREAK
from ui.transcript import properties
from ui.transcript.block_lines import blocks_from, fragments_of, kind_of
from ui.transcript.document_writer import DocumentWriter
from ui.transcript.formats import Formats
from ui.transcript.older_messages import WholeChat
from ui.transcript.properties import TextProperty
from ui.transcript.selected_html import selected_html
from ui.widgets.announcement import copied_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ui.theme.theme import Theme
    from ui.transcript.messages import ShownMessages
    from ui.transcript.transcript import Transcript


_OBJECT = "\ufffc"
DECORATION = {
    *("", LineKind.RULE, LineKind.CODE_HEAD, LineKind.CODE_FOOT, LineKind.TABLE_FOOT),
    *(LineKind.FOOTER, LineKind.HANDLES, LineKind.THOUGHT, LineKind.MARK, LineKind.FILES),
}
"""Kinds of blocks that are not part of the conversation's text."""


_ROWS = {LineKind.FOOTER, LineKind.HANDLES, LineKind.MARK}
"""Kinds of blocks that a selection passes over, so that it shows what is copied."""


class _Part(NamedTuple):
    kind: str
    nest: str
    row: int
    text: str


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
        if before is not None:
            pieces.append(_separator(before, part))
        pieces.append(_readable(part))
        before = part
    return "".join(pieces)


def _parts(cursor: QTextCursor) -> Iterator[_Part]:
    for block, start, end in copied_blocks(cursor):
        form = block.blockFormat()
        yield _Part(form.stringProperty(TextProperty.KIND), nest_of(form), row_of(form), part_text(block, start, end))


def copied_blocks(cursor: QTextCursor) -> Iterator[tuple[QTextBlock, int, int]]:
    """The selected blocks that are part of the conversation's text, each with the selected part of it. The cells of a
    row whose columns run from right to left are in the document in the other order.
    """
    for mirrored, group in groupby(_copied(cursor), _mirrored_row):
        blocks = list(group)
        yield from reversed(blocks) if mirrored else blocks


def _mirrored_row(copied: tuple[QTextBlock, int, int]) -> tuple[int, int] | None:
    form = copied[0].blockFormat()
    is_mirrored = form.stringProperty(TextProperty.KIND) == LineKind.TABLE and form.intProperty(TextProperty.MIRRORED)
    return (copied[0].userState(), row_of(form)) if is_mirrored else None


def _copied(cursor: QTextCursor) -> Iterator[tuple[QTextBlock, int, int]]:
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    for block in blocks_from(cursor.document(), start, end):
        is_gap = kind_of(block) == LineKind.TABLE and row_of(block.blockFormat()) < 0  # the empty block above a row
        if kind_of(block) not in DECORATION and not is_gap:
            yield block, max(0, start - block.position()), end - block.position()


def row_of(form: QTextBlockFormat) -> int:
    """The row of a table's cell, -1 outside of cells."""
    return form.intProperty(TextProperty.ROW) if form.hasProperty(TextProperty.ROW) else -1


def nest_of(form: QTextBlockFormat) -> str:
    """The containers of a block. A footnote is copied as an item of a list."""
    return form.stringProperty(TextProperty.NEST).replace(NOTE, "-")


def searched_text(block: QTextBlock) -> tuple[str, list[int]]:
    """The text of a block with the TeX of its formulas, and for each character its position in the document."""
    pieces: list[str] = []
    places: list[int] = []
    for fragment in fragments_of(block):
        form, position = fragment.charFormat(), fragment.position()
        source = form.stringProperty(TextProperty.SOURCE)
        for character in "" if form.intProperty(TextProperty.BESIDE) else fragment.text():
            shown = source if character == _OBJECT and source else character
            pieces.append(shown)
            places += [position] * len(shown)
            position += properties.length(character)
    return "".join(pieces), places


def part_text(block: QTextBlock, start: int, end: int) -> str:
    """The text of a part of a block. Pictures of formulas are their TeX, and other text has a source too."""
    return "".join(shown for shown, _ in fragments(block, start, end))


def fragments(block: QTextBlock, start: int, end: int) -> Iterator[tuple[str, QTextCharFormat]]:
    """The text of a part of a block, cut where its format changes."""
    for fragment in fragments_of(block):
        form, first = fragment.charFormat(), fragment.position() - block.position()
        source = form.stringProperty(TextProperty.SOURCE)
        text = "" if form.intProperty(TextProperty.BESIDE) else fragment.text()
        shown = properties.part(text, max(0, start - first), max(0, end - first))
        if source and shown.strip(_OBJECT) and len(shown) < len(fragment.text()):
            source = ""  # a part of a word was selected
        yield source * (shown.count(_OBJECT) or bool(shown)) if source else shown, form


def _readable(part: _Part) -> str:
    text = part.text
    if part.kind == LineKind.TEXT:
        text = "  " * max(0, part.nest.count("-") - 1) + text.replace("\t", " ", int("-" in part.nest))
    if part.kind == LineKind.TOOL:
        text = text.partition("\t")[0]
    is_led_by_icon = part.kind in {LineKind.ERROR, LineKind.TOOL}
    text = text.replace(BREAK, "\n").replace(_OBJECT, "").lstrip(" \t" if is_led_by_icon else "")
    return text.rstrip("\u00a0")  # it was before an icon


def _separator(before: _Part, part: _Part) -> str:
    if before.kind == part.kind == LineKind.TABLE and part.row >= before.row:
        return "\t" if part.row == before.row else "\n"
    listed = "-" in before.nest and "-" in part.nest
    same_code = before.kind == part.kind == LineKind.CODE
    return "\n" if same_code or listed else "\n\n"


_BETWEEN: Final = "\n\n"


class WholeSelection(QObject):
    """Watches the selection of one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._is_whole = False
        self._is_kept = False
        self._copy: WholeCopy | None = None
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

    def keep(self) -> None:
        """The document is about to be changed: that is not the user who selects something else."""
        self._is_kept = True

    def extend(self) -> None:
        """The document was changed: select what came above, without moving the view."""
        cursor = self._transcript.textCursor()
        if self._is_whole and cursor.selectionStart() > 0:
            self._transcript.select(0, cursor.selectionEnd())
        self._is_kept = False

    def copy(self, theme: Theme) -> None:
        """The selection is on the clipboard as it is on the page. Replace it by the whole chat if that is meant."""
        transcript = self._transcript
        is_all_here = len(transcript.loaded) == len(transcript.messages) and not transcript.has_earlier
        if not self._is_whole or is_all_here:
            return
        self._copy = WholeCopy(transcript, theme)
        transcript.busy_sign.begin()
        WholeChat(transcript, self._copy.begin, self._copy.end).start()


class WholeCopy(QObject):
    """Makes one copy of all messages, and deletes itself."""

    def __init__(self, transcript: Transcript, theme: Theme) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._document = QTextDocument()
        self._writer = DocumentWriter(self._document, Formats(theme, theme.reading.column))
        self._writer.insert(0)
        self._replaced = QGuiApplication.clipboard().text()
        self._texts: list[str] = []
        self._pieces: list[str] = []
        self._messages: ShownMessages | None = None
        self._timer = transcript.timer(self._add)

    def begin(self, messages: ShownMessages) -> None:
        """All messages are here."""
        self._messages = messages
        self._add()

    def _add(self) -> None:
        messages, index = self._messages, len(self._texts)
        if messages is None or index >= len(messages):
            self._hand_over()
            return
        self._writer.write(0, messages.lines(index))
        cursor = QTextCursor(self._document)
        cursor.select(QTextCursor.SelectionType.Document)
        self._texts.append(selected_text(cursor))
        self._pieces.append(selected_html(cursor))
        self._timer.start(0)

    def _hand_over(self) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard.text() == self._replaced:
            clipboard.setMimeData(copied_text(_BETWEEN.join(filter(None, self._texts)), "".join(self._pieces)))
        self.end()

    def end(self) -> None:
        """All is copied, or some messages cannot be read, and the part on the page stays on the clipboard."""
        self._transcript.busy_sign.end()
        self.deleteLater()
