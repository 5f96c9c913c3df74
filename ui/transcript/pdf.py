"""Puts a conversation on paper, as a PDF or by a printer: the pages of the transcript in the light theme.

It runs on the GUI thread, in steps of one formula, message, line or page, so that the window lives on beside a long
chat. Buttons and figures are left out, code wraps, and formulas are lines, not pixels.

Qt keeps lines whole. The page breaks keep together what would look torn:

- A card, a bubble and a bar begin on the page of their first line.
- A heading, the head of a card and a question stand on one page with the line that follows them.
- The foot of a card stands on one page with the last line of its code.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import product
from math import floor
from typing import Final

from PySide6.QtCore import QDate, QLocale, QMarginsF, QRectF, QSaveFile, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFontMetricsF,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextTable,
)

from resources.language.text import plural, tr
from ui.markdown.lines import REASONING, Line, LineKind
from ui.theme.theme import LIGHT, icon_pixmap, ui_font
from ui.transcript.backdrop import Backdrop, PointedAt
from ui.transcript.block_formats import GUTTER_PX, set_margins
from ui.transcript.blocks import TextProperty, blocks_from, fragments_of, kind_of
from ui.transcript.document_writer import DocumentWriter
from ui.transcript.formats import CELL_SIDES, ICON_PX, LONGEST_WORD_PX, Formats, tables
from ui.transcript.formulas import FORMULA_OBJECT, FormulaObject, Formulas
from ui.transcript.image_loader import IMAGE_OBJECT, ImageObject
from ui.transcript.message_lines import whole_code, without_links
from ui.transcript.messages import IMAGE_SIGN, ShownMessages

_HEADS: Final = {LineKind.BUBBLE, LineKind.CODE_HEAD, LineKind.TOOL}
_FRAMED: Final = {*_HEADS, LineKind.ERROR}
_BARRED: Final = {LineKind.TEXT, LineKind.HEADING, LineKind.MATH}
"""Lines that have a bar beside them in a quote and in reasoning."""
_KEPT: Final = {*_HEADS, LineKind.FILES, LineKind.HANDLES, LineKind.HEADING, LineKind.THOUGHT}
"""Lines that stand on one page with the next one."""
_UNSEEN: Final = {"", LineKind.HANDLES, LineKind.TABLE_FOOT}
"""Lines that are only space on paper."""
_TALLEST: Final = 0.5
"""The most of a page that is left empty, so that lines stand together."""


class PageBreaks:
    """The page breaks of one document, whose pages have this height in pixels."""

    def __init__(self, document: QTextDocument, height: float) -> None:
        self._document = document
        self._height = height

    @property
    def count(self) -> int:
        """The number of pages with anything on them."""
        block = self._document.lastBlock()
        while block.previous().isValid() and kind_of(block) in _UNSEEN:
            block = block.previous()
        return self._page(self._rect(block).bottom() - 1) + 1

    def place(self, start: int) -> Iterator[None]:
        """Add the breaks that are needed from the block at this position on, in steps: Qt lays out everything below a
        break again, and a message may have thousands.
        """
        block = self._document.findBlock(start)
        while block.isValid():
            if _is_framed(block) and self._line_top(block) > self._rect(block).top() + 1:
                self._break_before(block)
            block = self._keep_with_next(block)
            yield

    def _keep_with_next(self, block: QTextBlock) -> QTextBlock:
        """Let a block stand with what follows it. Returns the block to look at next."""
        last = block
        while _is_kept(last) and last.next().isValid():
            if self._rect(last).bottom() - self._rect(block).top() > _TALLEST * self._height:
                return block.next()
            last = last.next()
        if last == block or last == self._document.lastBlock():  # which is empty
            return block.next()
        if self._page(self._line_top(block)) == self._page(self._line_top(last)):
            return last
        above = block.previous()
        if above.isValid() and self._page(self._rect(above).bottom() - 1) >= self._page(self._line_top(block)):
            self._break_before(block)
        return last

    def _break_before(self, block: QTextBlock) -> None:
        broken = QTextBlockFormat()
        broken.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
        QTextCursor(block).mergeBlockFormat(broken)

    def _rect(self, block: QTextBlock) -> QRectF:
        return self._document.documentLayout().blockBoundingRect(block)

    def _line_top(self, block: QTextBlock) -> float:
        top, layout = self._rect(block).top(), block.layout()
        return top + layout.lineAt(0).y() if layout.lineCount() else top

    def _page(self, y: float) -> int:
        return int(y // self._height)


def _is_framed(block: QTextBlock) -> bool:
    """Whether a shape is painted behind or beside a block."""
    nest = block.blockFormat().stringProperty(TextProperty.NEST)
    return kind_of(block) in _FRAMED or (kind_of(block) in _BARRED and (">" in nest or REASONING in nest))


def _is_kept(block: QTextBlock) -> bool:
    """Whether a block stands with the next one."""
    return kind_of(block) in _KEPT or (kind_of(block) == LineKind.CODE and kind_of(block.next()) == LineKind.CODE_FOOT)


_DPI = 1_200
MARGIN_MM = 20.0
_COLUMN_PX = 680
_WIDTH_PX = _COLUMN_PX + 2 * GUTTER_PX
_HEAD_PX = 34.0
_FOOT_PX = 26.0
_TOP_PX, _BOTTOM_PX = 16, 8
_SMALLEST = 0.6
"""The smallest size of a wide table, in that of the text."""
_LEFT_OUT = {LineKind.FOOTER, LineKind.MARK}
_ICONS = ("wrench", "triangle-alert", "file-text", "square", "square-check")
_NO_OBJECT = QTextFormat.ObjectTypes.NoObject.value
_ICON_SCALE = 4
"""Paper has more dots than a screen."""


class NotOnPaper(Exception):  # noqa: N818 - named after what happened
    """The file cannot be written, or the printer cannot be used. The message is for people."""


def write_pdf(
    path: str, messages: ShownMessages, images: Container[str], title: str, when: datetime
) -> Generator[None]:
    """Write all messages with these images, as they are at the first step, to a file. Raises NotOnPaper."""
    file = QSaveFile(path)
    if not file.open(QSaveFile.OpenModeFlag.WriteOnly):
        raise NotOnPaper(tr("The PDF cannot be written to {path}. Choose another folder.", path=path))
    yield from print_pages(_paper(file, title), messages, images, title, when, lambda _page: True)
    if not file.commit():
        raise NotOnPaper(tr("The PDF cannot be written to {path}. Look whether the disk is full.", path=path))


def printed_images(messages: ShownMessages) -> Iterator[list[str]]:
    """The addresses of the images in all messages, one message at a time."""
    whole = _whole(messages)
    for index in range(len(whole)):
        view = whole[index].view
        if IMAGE_SIGN in view.text or IMAGE_SIGN in view.reasoning:
            cells = (cell for line in whole.lines(index) for cell in line.cells)
            yield [span.style.image for spans in cells for span in spans if span.style.image]


def print_pages(
    device: QPagedPaintDevice,
    messages: ShownMessages,
    images: Container[str],
    title: str,
    when: datetime,
    wanted: Callable[[int], bool],
) -> Generator[None]:
    """Print the `wanted` pages, counted from 1, of all messages, as they are at the first step. The caller holds the
    images at the addresses `images`; of others the words are printed. Raises NotOnPaper.
    """
    scale = device.width() / _WIDTH_PX  # how many dots of the paper a pixel has
    height = device.height() / scale - _HEAD_PX - _FOOT_PX
    document = yield from printed_document(messages, images, height)
    count = PageBreaks(document, height).count
    pages = [page for page in range(count) if wanted(page + 1)]
    if not pages:
        raise NotOnPaper(
            plural(
                "This chat has one page. Choose that one.",
                "This chat has {count} pages. Choose some of those.",
                count,
            )
        )
    painter = QPainter(device)
    if not painter.isActive():
        raise NotOnPaper(tr("The printer cannot be used now. Look whether it is switched on and connected."))
    try:
        backdrop = Backdrop(document, Formats(LIGHT, _COLUMN_PX))
        painter.scale(scale, scale)
        heading = title, QLocale().toString(QDate(when.year, when.month, when.day), QLocale.FormatType.LongFormat)
        for page in pages:
            if page != pages[0]:
                device.newPage()
            _paint_frame(painter, height, heading, f"{page + 1} / {count}")
            _paint_page(painter, document, backdrop, QRectF(0, page * height, _WIDTH_PX, height))
            yield
    finally:
        painter.end()


def _paper(file: QSaveFile, title: str) -> QPdfWriter:
    writer = QPdfWriter(file)
    is_metric = QLocale().measurementSystem() == QLocale.MeasurementSystem.MetricSystem
    size = QPageSize.PageSizeId.A4 if is_metric else QPageSize.PageSizeId.Letter
    margins = QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM)
    writer.setPageLayout(
        QPageLayout(QPageSize(size), QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter)
    )
    writer.setResolution(_DPI)
    writer.setTitle(title)
    writer.setCreator("Hearth")
    return writer


def printed_document(
    messages: ShownMessages, images: Container[str], height: float
) -> Generator[None, None, QTextDocument]:
    """Make the document that is printed, with pages of this height in pixels."""
    document = QTextDocument()
    document.setDefaultFont(ui_font())
    document.documentLayout().registerHandler(FORMULA_OBJECT, FormulaObject(document))
    document.documentLayout().registerHandler(IMAGE_OBJECT, ImageObject(document))
    set_margins(document, _TOP_PX, _BOTTOM_PX)
    for name, colour in product(_ICONS, (LIGHT.muted, LIGHT.danger)):
        icon = icon_pixmap(name, colour, ICON_PX, _ICON_SCALE)
        document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(f"{name} {colour}"), icon)
    document.setPageSize(QSizeF(_WIDTH_PX, height))
    breaks = PageBreaks(document, height)
    writer = DocumentWriter(document, Formats(LIGHT, _COLUMN_PX, _COLUMN_PX))
    cursor = QTextCursor(document)
    whole, formulas = _whole(messages), Formulas(images)
    for index in range(len(whole)):
        view, lines = whole[index].view, tuple(_joined(tuple(_printed(whole.lines(index)))))
        formulas.prepared(view.id, lines)
        yield from formulas.typeset()
        writer.insert(index)
        writer.write(index, formulas.prepared(view.id, lines))
        start = writer.start(index)
        cursor.beginEditBlock()
        _wrap_code(document, start)
        _shrink_tables(document, start)
        cursor.endEditBlock()
        # Qt lays out everything below a break again, which is little as long as the rest of the chat is not written.
        yield from breaks.place(writer.start(max(0, index - 1)))  # a question stands with its answer
        yield
    return document


def _whole(messages: ShownMessages) -> ShownMessages:
    """The messages as they are now, with each long question unfolded."""
    made = ShownMessages(replace(messages[at].view, text=messages[at].text) for at in range(len(messages)))
    for at in range(len(made)):
        if made[at].view.role == "user":
            made[at].fold(folded=False)
    return made


def _printed(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines without what can only be clicked."""
    for line in lines:
        if line.kind in {LineKind.CODE_HEAD, LineKind.TOOL, LineKind.THOUGHT}:
            words = (span for span in line.spans if not span.style.href and span.text != "\t")
            yield line._replace(spans=tuple(words) or line.spans[:1])
        elif line.kind is LineKind.CODE:
            yield from whole_code(line)
        elif line.kind is LineKind.HANDLES:
            yield line._replace(spans=(), level=0)  # the space between a question and its answer
        elif line.kind is LineKind.ERROR:
            yield line._replace(spans=tuple(span for span in line.spans if not span.style.href))
        elif line.kind not in _LEFT_OUT:
            yield without_links(line) if line.kind is LineKind.TEXT else line


def _joined(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines with all rows of a table in one, so that Qt repeats its head on each page."""
    done = 0
    for start, stop in tables(lines):
        yield from lines[done:start]
        yield lines[start]._replace(rows=tuple(row for line in lines[start:stop] for row in line.rows))
        done = stop
    yield from lines[done:]


def _wrap_code(document: QTextDocument, start: int) -> None:
    wrapped = QTextBlockFormat()
    wrapped.setNonBreakableLines(False)
    cursor = QTextCursor(document)
    for block in blocks_from(document, start, document.characterCount()):
        if block.blockFormat().nonBreakableLines():
            cursor.setPosition(block.position())
            cursor.mergeBlockFormat(wrapped)


def _shrink_tables(document: QTextDocument, start: int) -> None:
    """Write tables smaller whose words would break in their columns, as the page is not wide enough."""
    cursor = QTextCursor(document)
    for table in _tables(document, start):
        pieces = [piece for row in range(table.rows()) for piece in _pieces(table, row)]
        # In one of many columns there is no room, not even for a space, whose words have no width.
        factor = max(_SMALLEST, min((room / width for _, room, width in pieces if width > max(0.0, room)), default=1.0))
        for fragment, _, _ in pieces if factor < 1 else ():
            smaller = QTextCharFormat()
            pixels = floor(fragment.charFormat().font().pixelSize() * factor)
            smaller.setProperty(QTextFormat.Property.FontPixelSize, pixels)
            cursor.setPosition(fragment.position())
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(smaller)


def _tables(document: QTextDocument, start: int) -> Iterator[QTextTable]:
    block = document.findBlock(start)
    while block.isValid():
        table = QTextCursor(block).currentTable()
        if table is not None:
            yield table
            block = document.findBlock(table.lastPosition())
        block = block.next()


def _pieces(table: QTextTable, row: int) -> Iterator[tuple[QTextFragment, float, float]]:
    """The texts in a row of a table, each with the room that its column has and the width of its longest word. Pictures
    fit already.
    """
    for column, width in enumerate(table.format().toTableFormat().columnWidthConstraints()):
        for fragment in fragments_of(table.cellAt(row, column).firstCursorPosition().block()):
            metrics = QFontMetricsF(fragment.charFormat().font())
            words = (metrics.horizontalAdvance(word) for word in fragment.text().split())
            if fragment.charFormat().objectType() == _NO_OBJECT:
                yield fragment, width.rawValue() - sum(CELL_SIDES), min(LONGEST_WORD_PX, max(words, default=0.0))


def _paint_frame(painter: QPainter, height: float, heading: tuple[str, str], number: str) -> None:
    """Paint the title and the date above the text, and the number of the page below it."""
    painter.setFont(ui_font(11))
    painter.setPen(QColor(LIGHT.muted))
    head = QRectF(GUTTER_PX, 0, _WIDTH_PX - 2 * GUTTER_PX, 16)
    title, date = heading
    room = round(head.width()) - painter.fontMetrics().horizontalAdvance(date) - 24
    shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room)
    painter.drawText(head, Qt.AlignmentFlag.AlignLeft, shown)
    painter.drawText(head, Qt.AlignmentFlag.AlignRight, date)
    painter.fillRect(QRectF(head.left(), head.bottom() + 3, head.width(), 0.75), QColor(LIGHT.hairline))
    foot = head.translated(0, _HEAD_PX + height + 10)
    painter.drawText(foot, Qt.AlignmentFlag.AlignHCenter, number)


def _paint_page(painter: QPainter, document: QTextDocument, backdrop: Backdrop, area: QRectF) -> None:
    painter.save()
    painter.translate(0, _HEAD_PX - area.top())
    painter.setClipRect(area)
    backdrop.paint(painter, area, PointedAt())
    backdrop.paint_with_text(painter, area)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.clip = area
    document.documentLayout().draw(painter, context)
    painter.restore()
