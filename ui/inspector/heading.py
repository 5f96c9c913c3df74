"""The name of a section of the inspector, with something at its right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from ui.theme.theme import ui_font
from ui.widgets.layouts import Placed, in_row
from ui.widgets.settings_group import text_label

_HEIGHT_PX = 26


class SectionHeading(QWidget):
    """As high with something at its right as without."""

    def __init__(self, text: str, beside: QWidget | None = None) -> None:
        super().__init__()
        self.setMinimumHeight(_HEIGHT_PX)
        self.label = text_label(text, "rowName", ui_font(13, QFont.Weight.DemiBold))
        line = in_row(Placed(self.label, 1), spacing=8, of=self)
        if beside is not None:
            line.addWidget(beside, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
