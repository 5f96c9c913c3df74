"""Text painted on one line, or broken into two, and shortened to its width."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from os.path import commonprefix

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextOption

from ui.theme.direction import is_right_to_left
from ui.theme.long_texts import LONGEST, cut

_ELLIPSIS = "…"
_FORK = re.compile(r" \(fork(?: [0-9]+)?\)$")
"""What the title of a fork ends with, the only difference to that of its original."""
_LONGEST_MARK = 20
_LEAST_TITLE = 1 / 3
"""The share of the room that is kept for the title itself."""
_LONGEST_START = 12
"""So many characters of a word stand before the place where it differs from another, at most."""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter


def shortened(text: str, font: QFont, width: int) -> str:
    """The text if it fits, else its beginning with an ellipsis, which stands right behind a letter. The mark at the end
    of a fork's title follows it, if there is room for enough of the title.
    """
    metrics = QFontMetrics(font)
    begun = cut(text)
    shown = metrics.elidedText(begun, Qt.TextElideMode.ElideRight, width)
    if shown == text:
        return text
    mark = found[0] if (found := _FORK.search(text, max(0, len(text) - _LONGEST_MARK))) else ""
    room = width - metrics.horizontalAdvance(mark)
    if mark and room >= width * _LEAST_TITLE:
        shown = metrics.elidedText(begun.removesuffix(mark), Qt.TextElideMode.ElideRight, room)
    else:
        mark = ""
    return shown.removesuffix(_ELLIPSIS).rstrip() + _ELLIPSIS + mark


def start_of_difference(title: str, titles: Sequence[str], font: QFont, width: int) -> int:
    """Where a title that does not fit into `width` begins to differ from those that would look like it; 0 if none
    would. `titles` are all of them in order, each once.
    """
    stem = shortened(title, font, width).partition(_ELLIPSIS)[0]
    if stem == title:
        return 0
    at = bisect(titles, title)
    near = (*titles[max(0, at - 2) : at - 1], *titles[at : at + 1])  # no other one has more in common
    common = max((len(commonprefix((title, one))) for one in near), default=0)  # noqa: RUF071 - these are no paths
    if common < len(stem):
        return 0
    word = title.rfind(" ", 0, common + 1) + 1
    return word if word > 0 and common - word <= _LONGEST_START else common


def with_difference(title: str, start: int, font: QFont, width: int) -> str:
    """The title if it fits. If it does not, words before `start` are left out until it does."""
    metrics, tail = QFontMetrics(font), title[start:]
    if not start or metrics.horizontalAdvance(title) <= width:
        return shortened(title, font, width)
    head = metrics.elidedText(title, Qt.TextElideMode.ElideRight, max(0, width - metrics.horizontalAdvance(tail)))
    return shortened(head.removesuffix(_ELLIPSIS).rstrip() + _ELLIPSIS + tail, font, width)


def without_middle(text: str, metrics: QFontMetrics, width: int) -> str:
    """The text if it fits, else both of its ends with an ellipsis between them."""
    half = LONGEST // 2
    ends = text if len(text) <= LONGEST else f"{text[:half]}{_ELLIPSIS}{text[-half:]}"
    return metrics.elidedText(ends, Qt.TextElideMode.ElideMiddle, width)


def on_two_lines(text: str, font: QFont, width: int) -> tuple[str, ...]:
    """The text on one line if it fits, else on two. The second line has the last sentence if both lines fit then, else
    all that the first one has no room for. If neither fits, the last sentence has the second line, and both lines are
    shortened.
    """
    metrics, text = QFontMetrics(font), cut(text)
    if metrics.horizontalAdvance(text) <= width:
        return (text,)
    before, _, last = text.rpartition(". ")
    filled = _filled(text, metrics, width)
    ways = ((f"{before}.", last), filled) if before else (filled,)
    fitting = (way for way in ways if all(metrics.horizontalAdvance(line) <= width for line in way))
    return tuple(shortened(line, font, width) for line in next(fitting, ways[0]) if line)


def _filled(text: str, metrics: QFontMetrics, width: int) -> tuple[str, str]:
    """As many words as fit, and the rest."""
    words = text.split(" ")
    heads = (" ".join(words[:count]) for count in range(len(words), 1, -1))
    head = next((head for head in heads if metrics.horizontalAdvance(head) <= width), words[0])
    return head, text.removeprefix(head).lstrip()


def draw_elided(painter: QPainter, line: QRect, text: str, font: QFont, colour: str) -> None:
    """Paint `text` at the left, shortened to fit `line`."""
    draw_line(painter, QRectF(line), shortened(text, font, line.width()), font, colour)


def draw_written(painter: QPainter, line: QRect, text: str, font: QFont, colour: str) -> None:
    """Paint what a user wrote, shortened to fit `line`. A text in a right-to-left script begins at the right."""
    side = _RIGHT if is_right_to_left(text) else _LEFT
    draw_line(painter, QRectF(line), shortened(text, font, line.width()), font, colour, side)


def draw_line(
    painter: QPainter, line: QRectF, text: str, font: QFont, colour: str, side: Qt.AlignmentFlag = _LEFT
) -> None:
    """Paint all of `text` at this side."""
    option = QTextOption(side)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    reads_left = is_right_to_left(text)  # so that points and ellipses stand at the end of the text
    option.setTextDirection(Qt.LayoutDirection.RightToLeft if reads_left else Qt.LayoutDirection.LeftToRight)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(line, text, option)
