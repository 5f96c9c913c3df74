"""Names in tooltips."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument

from ui.theme.tooltips import plain_tip


@pytest.mark.parametrize("text", ["a <b>x</b>.txt", "<img src='file:///etc/passwd'>\nsecond & last"])
def test_a_tooltip_shows_every_letter_of_a_name(text: str) -> None:
    """Qt reads markup in a tooltip that looks like it, so such a text is escaped."""
    shown = QTextDocument()
    shown.setHtml(plain_tip(text))
    assert shown.toPlainText() == text
    assert plain_tip("a & b\n1 < 2") == "a & b\n1 < 2"
