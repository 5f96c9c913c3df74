"""What a field puts on the clipboard, or lets the user drag away."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QTextEdit


def copied_text(text: str, html: str = "") -> QMimeData:
    """The clipboard's data for a text. Qt's own data of a selection is also HTML, Markdown and OpenDocument. To make
    that takes time with the square of the longest paragraph: half a minute for the longest message.
    """
    # Use an object that Qt made: the clipboard outlives Python, and an object made here would crash at exit.
    data = QTextEdit().createMimeDataFromSelection()
    data.setText(text)
    if html:
        data.setHtml(html)
    return data
