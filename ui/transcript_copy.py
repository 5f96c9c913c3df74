"""A selection of the transcript as text that makes sense elsewhere.

Owns what of the document is content and what is furniture; the clipboard is the widget's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.markdown.lines import Kind
from ui.markdown.spans import BREAK
from ui.transcript_format import KIND, NEST, ROW

if TYPE_CHECKING:
    from PySide6.QtGui import QTextBlock, QTextCursor

_FURNITURE = {"", Kind.CODE_HEAD.value, Kind.CODE_FOOT.value, Kind.FOOTER.value}


def selected_text(cursor: QTextCursor) -> str:
    """The selected content: buttons and figures left out, list items indented, table cells parted by tabs."""
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    block = cursor.document().findBlock(start)
    text = ""
    before: QTextBlock | None = None
    while block.isValid() and block.position() < end:
        piece = _piece(block, start, end)
        if block.blockFormat().stringProperty(KIND) not in _FURNITURE and not _is_gap(block):
            text += (_separator(before, block) if before is not None else "") + piece
            before = block
        block = block.next()
    return text


def _piece(block: QTextBlock, start: int, end: int) -> str:
    text = _utf16_slice(block.text(), max(0, start - block.position()), end - block.position())
    nest = block.blockFormat().stringProperty(NEST)
    if block.blockFormat().stringProperty(KIND) in {Kind.TEXT.value, Kind.HEADING.value}:
        text = "  " * max(0, nest.count("-") - 1) + text.replace("\t", " ", 1)
    return text.replace(BREAK, "\n").replace("\ufffc", "")


def _utf16_slice(text: str, start: int, end: int) -> str:
    """Positions of a document count UTF-16 units."""
    if text.isascii():
        return text[start:end]
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le", "ignore")


def _is_gap(block: QTextBlock) -> bool:
    """The empty block above a table."""
    table = Kind.TABLE.value
    return block.blockFormat().stringProperty(KIND) == table and not block.blockFormat().hasProperty(ROW)


def _separator(before: QTextBlock, block: QTextBlock) -> str:
    old, new = before.blockFormat(), block.blockFormat()
    kinds = old.stringProperty(KIND), new.stringProperty(KIND)
    if kinds == (Kind.TABLE.value, Kind.TABLE.value):
        return "\t" if old.intProperty(ROW) == new.intProperty(ROW) else "\n"
    listed = "-" in old.stringProperty(NEST) and "-" in new.stringProperty(NEST)
    same_code = kinds == (Kind.CODE.value, Kind.CODE.value)
    return "\n" if same_code or listed else "\n\n"
