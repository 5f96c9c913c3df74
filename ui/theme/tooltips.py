"""Tooltips with names that come from users, files and the hub."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt

from ui.theme.long_texts import cut

_LONGEST_LINE = 120


def plain_tip(text: str) -> str:
    """The beginning of `text` as a tooltip that shows it as it is. Qt would take a name like "<b>x</b>" for markup, and
    breaks a long line in markup alone.
    """
    text = cut(text)
    is_long = max(map(len, text.split("\n"))) > _LONGEST_LINE
    return f"<p>{escape(text)}</p>".replace("\n", "<br>") if is_long or Qt.mightBeRichText(text) else text
