"""Spans as character formats: fonts, colours, links and icons."""

from __future__ import annotations

from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextFormat, QTextImageFormat

from ui.markdown.lines import NOTE, REASONING, Line, LineKind
from ui.markdown.spans import PLAIN, Formula, Style
from ui.theme.theme import BODY_PX, CODE_PX, SMALL_PX, Theme, mono_font, ui_font
from ui.theme.tooltips import plain_tip
from ui.transcript.properties import TextProperty

_CODE, KEY = 1, 2
_SCRIPTS = {
    "sub": QTextCharFormat.VerticalAlignment.AlignSubScript,
    "sup": QTextCharFormat.VerticalAlignment.AlignSuperScript,
}
ICON_PX = 16
INVISIBLE = "transparent"
"""The colour of an icon that the backdrop paints only while the mouse is near."""

_HEADING = {1: 22, 2: 19, 3: 17}
_EMPTY = {LineKind.CODE_FOOT, LineKind.TABLE_FOOT, LineKind.RULE}
_SMALL = {LineKind.CODE_HEAD, LineKind.TOOL, LineKind.FOOTER, LineKind.HANDLES, LineKind.MARK, LineKind.FILES}
_LEVELLED = {LineKind.FOOTER, LineKind.HANDLES, LineKind.TEXT}
_LEVELLING_PX = 27
"""The font of icons between words. Qt puts an icon into the middle of its line, and the x-height of the icon's font
decides how far the line reaches below the baseline. With this font, the icon is level with the words.
"""
_RAW = {Formula.INLINE, Formula.DISPLAY, Formula.OPEN}
"""Formulas that show their TeX for a moment."""
_QUIET = {LineKind.CODE_HEAD, LineKind.THOUGHT}
"""Kinds of lines whose links are muted too."""


class CharFormats:
    """Character formats for one theme. Each format is made once and cached, unless only one place has it.

    The lines of a table have level 1 in the head row and level -1 in the empty block above the table.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._cache: dict[tuple[LineKind, int, bool, bool, Style], QTextCharFormat] = {}

    def of(self, line: Line, style: Style = PLAIN) -> QTextCharFormat:
        """The character format of a style on a line."""
        if style.href or style.source:  # nearly each is used once, and a long chat has very many
            return self._make(line, style)
        key = (line.kind, line.level, _is_reasoning(line), _is_note(line), style)
        if key not in self._cache:
            self._cache[key] = self._make(line, style)
        return self._cache[key]

    def marker(self, line: Line) -> QTextCharFormat:
        """The character format of a list item's marker."""
        made = QTextCharFormat(self.of(line))
        made.setForeground(QColor(self._theme.muted))
        return made

    def image(self, line: Line, style: Style) -> QTextImageFormat:
        """The image of a span with an icon. Its name is the icon's name, a space and the colour."""
        colour = self._icon_colour(line, style)
        made = QTextImageFormat(self.of(line, style).toImageFormat())
        made.setObjectType(QTextFormat.ObjectTypes.ImageObject.value)
        made.setName(f"{style.icon} {colour}")
        side = self._theme.reading.px(ICON_PX)
        made.setWidth(side)
        made.setHeight(side)
        made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        if line.kind in _LEVELLED:
            made.setFont(ui_font(self._theme.reading.px(_LEVELLING_PX)))
        return made

    def _icon_colour(self, line: Line, style: Style) -> str:
        if line.kind is LineKind.HANDLES and not style.icon.startswith("chevron"):
            return INVISIBLE
        if style.muted:
            return self._theme.button_off
        return self._theme.danger if line.kind is LineKind.ERROR else self._theme.muted

    def _make(self, line: Line, style: Style) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._font(line, style))
        made.setForeground(QColor(self._colour(line, style)))
        if (style.code and line.kind is not LineKind.CODE and not style.token) or style.key:
            made.setProperty(TextProperty.PILL, KEY if style.key else _CODE)
        if style.is_room:
            made.setProperty(TextProperty.BESIDE, 1)
        if style.script:
            made.setVerticalAlignment(_SCRIPTS[style.script])
        if style.source:
            made.setProperty(TextProperty.SOURCE, style.source)
        if style.chip:
            made.setProperty(TextProperty.CHIP, style.chip)
            made.setProperty(TextProperty.CHIP_ICON, style.chip_icon)
        if style.href:
            made.setAnchor(True)
            made.setAnchorHref(style.href)
        if style.tip or style.href:
            made.setToolTip(plain_tip(style.tip or style.href))
        return made

    def _font(self, line: Line, style: Style) -> QFont:
        if line.kind in _EMPTY or (line.kind is LineKind.TABLE and line.level < 0):
            return ui_font(1)
        size = BODY_PX - 1 if _is_reasoning(line) or line.kind is LineKind.THOUGHT else BODY_PX
        weight = QFont.Weight.DemiBold if style.bold or line.kind is LineKind.HEADING else QFont.Weight.Normal
        if line.kind is LineKind.HEADING:
            size = size if _is_reasoning(line) else _HEADING.get(line.level, BODY_PX)
        elif line.kind in _SMALL or _is_note(line) or (line.kind is LineKind.TABLE and line.level):
            size = SMALL_PX
        if line.kind is LineKind.TABLE and line.level:
            weight = QFont.Weight.DemiBold
        mono = line.kind is LineKind.CODE or style.code or style.key or style.formula in _RAW
        code_size = CODE_PX if line.kind in {LineKind.CODE, LineKind.TOOL} else size - 2
        in_size = self._theme.reading.px
        font = mono_font(in_size(code_size), weight) if mono else ui_font(in_size(size), weight)
        font.setItalic(style.italic)
        font.setUnderline(line.kind is LineKind.ERROR and bool(style.href))
        font.setStrikeOut(style.strike)
        return font

    def _colour(self, line: Line, style: Style) -> str:
        theme = self._theme
        if style.token:
            return theme.syntax.get(style.token, theme.text)
        if line.kind is LineKind.ERROR:
            return theme.danger if style.href else theme.text
        if line.kind is LineKind.TOOL or style.chip:
            return theme.text if style.code or (style.chip and not style.muted) else theme.muted
        if line.kind in _QUIET or style.formula in _RAW:
            return theme.muted
        if style.href:
            return theme.accent
        is_head = style.muted or (line.kind is LineKind.TABLE and line.level)
        is_muted = is_head or line.kind in _SMALL or _is_reasoning(line) or _is_note(line)
        return theme.muted if is_muted else theme.text


def _is_note(line: Line) -> bool:
    return line.nest.endswith(NOTE)


def _is_reasoning(line: Line) -> bool:
    return line.nest.startswith(REASONING)
