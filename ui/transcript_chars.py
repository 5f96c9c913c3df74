"""Spans as character formats: fonts, colours, links, icons.

Owns how letters look in one theme; where they stand is `transcript_blocks`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextFormat, QTextImageFormat

from ui.markdown.lines import Kind, Line
from ui.markdown.spans import PLAIN, Style
from ui.theme import BODY_PX, CODE_PX, SMALL_PX, mono_font, ui_font

if TYPE_CHECKING:
    from ui.theme import Theme

PILL = QTextFormat.Property.UserProperty + 3
"""Set on inline code, behind which a pill is painted."""
ICON_PX = 16

_HEADING = {1: 22, 2: 19, 3: 17}
_EMPTY = {Kind.CODE_FOOT, Kind.RULE}


class Chars:
    """The character formats of one theme, each made once. A table's lines have level 1 in its head, -1 above it."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._made: dict[tuple[Kind, int, Style], QTextCharFormat] = {}

    def of(self, line: Line, style: Style = PLAIN) -> QTextCharFormat:
        """The character format of a style on a line."""
        key = (line.kind, line.level, style)
        if key not in self._made:
            self._made[key] = self._make(line, style)
        return self._made[key]

    def marker(self) -> QTextCharFormat:
        """The character format of a list item's marker."""
        made = QTextCharFormat(self.of(Line(Kind.TEXT)))
        made.setForeground(QColor(self._theme.muted))
        return made

    def image(self, line: Line, style: Style) -> QTextImageFormat:
        """The picture that a span with an icon stands for; its name is the icon's, a space, its colour."""
        colour = self._theme.danger if line.kind is Kind.ERROR else self._theme.muted
        made = QTextImageFormat(self.of(line, style).toImageFormat())
        made.setObjectType(QTextFormat.ObjectTypes.ImageObject.value)
        made.setName(f"{style.icon} {colour}")
        made.setWidth(ICON_PX)
        made.setHeight(ICON_PX)
        made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        return made

    def _make(self, line: Line, style: Style) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._font(line, style))
        made.setForeground(QColor(self._colour(line, style)))
        if style.code and line.kind is not Kind.CODE:
            made.setProperty(PILL, 1)
        if style.href:
            made.setAnchor(True)
            made.setAnchorHref(style.href)
        if style.tip or style.href:
            made.setToolTip(style.tip or style.href)
        return made

    def _font(self, line: Line, style: Style) -> QFont:
        if line.kind in _EMPTY or (line.kind is Kind.TABLE and line.level < 0):
            return ui_font(1)
        size = BODY_PX
        weight = QFont.Weight.DemiBold if style.bold or line.kind is Kind.HEADING else QFont.Weight.Normal
        if line.kind is Kind.HEADING:
            size = _HEADING.get(line.level, BODY_PX)
        elif line.kind in {Kind.CODE_HEAD, Kind.FOOTER} or (line.kind is Kind.TABLE and line.level):
            size = SMALL_PX
        if line.kind is Kind.TABLE and line.level:
            weight = QFont.Weight.DemiBold
        mono = line.kind is Kind.CODE or style.code
        font = mono_font(CODE_PX if line.kind is Kind.CODE else size - 2, weight) if mono else ui_font(size, weight)
        font.setItalic(style.italic)
        font.setStrikeOut(style.strike)
        return font

    def _colour(self, line: Line, style: Style) -> str:
        theme = self._theme
        if style.token:
            return theme.syntax.get(style.token, theme.text)
        if line.kind is Kind.ERROR and not style.href:
            return theme.danger
        if line.kind is Kind.CODE_HEAD or (line.kind is Kind.FOOTER and not style.href):
            return theme.muted
        if line.kind is Kind.TABLE and line.level and not style.href:
            return theme.muted
        return theme.accent if style.href else theme.text
