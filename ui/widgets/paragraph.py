"""A label whose lines are further apart than those of a QLabel."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel

from ui.theme.long_texts import cut

_LINE_PERCENT = 120  # of the font's own line height, which is about 120 % of its size


class Paragraph(QLabel):
    """Shows plain text that wraps. The style sheet colours it by its object name."""

    def __init__(self, name: str, font: QFont, align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft) -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.RichText, alignment=align)
        self.setObjectName(name)
        self.setFont(font)
        self.words = ""

    def say(self, words: str) -> None:
        """Show `words` as they are; nothing in them is markup."""
        self.words = words
        self.setAccessibleName(words)
        lines = escape(cut(words)).replace("\n", "<br>")
        self.setText(f'<p style="line-height: {_LINE_PERCENT}%">{lines}</p>' if words else "")
