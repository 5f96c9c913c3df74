"""The selection of a transcript as plain text for the clipboard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor

from ui.markdown.lines import NOTE, LineKind
from ui.markdown.spans import BREAK, OBJECT
from ui.transcript import utf16
from ui.transcript.block_lines import blocks_from, fragments_of, kind_of
from ui.transcript.properties import TextProperty

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
            shown = source if character == OBJECT and source else character
            pieces.append(shown)
            places += [position] * len(shown)
            position += utf16.length(character)
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
    is_led_by_icon = part.kind in {LineKind.ERROR, LineKind.TOOL}
    text = text.replace(BREAK, "\n").replace(OBJECT, "").lstrip(" \t" if is_led_by_icon else "")
    return text.rstrip("\u00a0")  # it was before an icon


def _separator(before: _Part, part: _Part) -> str:
    if before.kind == part.kind == LineKind.TABLE and part.row >= before.row:
        return "\t" if part.row == before.row else "\n"
    listed = "-" in before.nest and "-" in part.nest
    same_code = before.kind == part.kind == LineKind.CODE
    return "\n" if same_code or listed else "\n\n"
