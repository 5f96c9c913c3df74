"""The selection of a transcript as HTML for the clipboard, so that other apps keep its form.

It has headings, lists, quotes, tables, code, emphasis and links, but no colours and no fonts. Formulas are their TeX.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from typing import NamedTuple

from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextCursor

from ui.markdown.lines import TASK_DONE, TASK_OPEN, LineKind
from ui.markdown.spans import BREAK, OBJECT
from ui.transcript import utf16
from ui.transcript.anchors import SCHEME
from ui.transcript.char_formats import KEY
from ui.transcript.properties import TextProperty
from ui.transcript.selected_text import copied_blocks, fragments, nest_of, part_text, row_of

_BOXES = {TASK_OPEN: "☐ ", TASK_DONE: "☑ "}
_SCRIPTS = {
    QTextCharFormat.VerticalAlignment.AlignSubScript: "sub",
    QTextCharFormat.VerticalAlignment.AlignSuperScript: "sup",
}


class _Part(NamedTuple):
    """A selected block. `marker` is that of a list item."""

    block: QTextBlock
    start: int
    end: int
    kind: str
    nest: str
    row: int
    marker: str


def selected_html(cursor: QTextCursor) -> str:
    """The selected content as HTML."""
    containers = _Containers()
    pieces: list[str] = []
    for _, group in groupby(_parts(cursor), _element):
        parts = tuple(group)
        pieces.append(containers.enter(parts[0].nest, parts[0].marker))
        pieces.append(_content(parts))
    return "".join((*pieces, containers.enter("", "")))


def _parts(cursor: QTextCursor) -> Iterator[_Part]:
    for block, start, end in copied_blocks(cursor):
        form = block.blockFormat()
        kind = form.stringProperty(TextProperty.KIND)
        marker, tab, _ = "".join(text for text, _ in fragments(block, 0, block.length())).partition("\t")
        is_item = bool(tab) and kind == LineKind.TEXT and form.textIndent() < 0
        prefix = utf16.length(block.text().partition("\t")[0]) + 1 if is_item else 0
        nest, row = nest_of(form), row_of(form)
        yield _Part(block, max(start, prefix), end, kind, nest, row, marker if is_item else "")


def _element(part: _Part) -> tuple[str, int]:
    """Equal for the parts of one element: the lines of a code block, and the cells of a table."""
    is_card = part.kind in {LineKind.CODE, LineKind.TABLE}
    return part.kind, part.block.userState() if is_card else part.block.position()


def _content(parts: tuple[_Part, ...]) -> str:
    first = parts[0]
    match first.kind:
        case LineKind.CODE:
            text = "\n".join(part_text(part.block, part.start, part.end) for part in parts)
            return f"<pre><code>{escape(text)}</code></pre>"
        case LineKind.TABLE:
            rows = groupby(parts, lambda part: part.row)
            return f"<table>{''.join(_row(row, tuple(cells)) for row, cells in rows)}</table>"
        case LineKind.HEADING:
            level = first.block.blockFormat().headingLevel()
            return f"<h{level}>{_inline(first)}</h{level}>"
        case _:
            return _inline(first) if first.marker else f"<p>{_inline(first)}</p>"


def _row(row: int, cells: Iterable[_Part]) -> str:
    tag = "td" if row else "th"
    return f"<tr>{''.join(f'<{tag}>{_inline(cell)}</{tag}>' for cell in cells)}</tr>"


def _inline(part: _Part) -> str:
    is_bold_anyway = part.kind == LineKind.HEADING or (part.kind == LineKind.TABLE and not part.row)
    pieces = (_tagged(text, form, is_bold_anyway) for text, form in fragments(part.block, part.start, part.end))
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
        same = 0
        while same < min(len(nest), len(self._open)) and self._open[same][0] == nest[same]:
            same += 1
        item = nest.rfind("-") if marker else -1
        kind = "ol" if marker[:1].isdigit() else "ul"
        pieces: list[str] = []
        if 0 <= item < same:
            pieces.append(self._close_to(item + 1))
            if self._open[item][1] == kind:
                pieces.append("</li><li>")
            else:
                pieces.append(self._close_to(item))
            same = len(self._open)
        else:
            pieces.append(self._close_to(same))
        places = range(same, len(nest))
        pieces += [self._begin(nest[place], kind, marker if place == item else "") for place in places]
        pieces.append(_BOXES.get(marker, ""))
        return "".join(pieces)

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
