"""Tooltips with names that come from users, files and the hub."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt

from ui.theme.long_texts import cut


def plain_tip(text: str) -> str:
    """The beginning of `text` as a tooltip that shows it as it is. Qt would take a name like "<b>x</b>" for markup."""
    text = cut(text)
    return f"<p>{escape(text)}</p>".replace("\n", "<br>") if Qt.mightBeRichText(text) else text
