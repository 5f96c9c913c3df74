"""Tooltips with names that come from users, files and the hub."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """`text` as a tooltip that shows every letter of it. Qt would take a name like "<b>x</b>" for markup."""
    return f"<p>{escape(text)}</p>".replace("\n", "<br>") if Qt.mightBeRichText(text) else text
