from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter

from ui.theme.theme import LIGHT, ui_font
from ui.widgets.elided_text import draw_elided

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

WORDS = "Use a separable kernel and two passes, as in the Lisbon talk about shaders and kernels"


def test_the_painted_width_is_returned(qapp: QCoreApplication) -> None:
    """It never exceeds the width of the line."""
    assert qapp
    image = QImage(200, 20, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    assert 0 < draw_elided(painter, QRect(0, 0, 190, 20), "Lisbon", ui_font(12), LIGHT.text) < 60
    assert draw_elided(painter, QRect(0, 0, 50, 20), WORDS, ui_font(12), LIGHT.text) <= 50
    painter.end()
