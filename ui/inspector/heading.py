"""The parts of a section of the inspector: its name, with something at its right, and the button of what it folds."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from ui.theme.theme import ui_font
from ui.widgets.layouts import Placed, in_row
from ui.widgets.push_button import PushButton
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


class FoldButton(PushButton):
    """Unfolds `part` and folds it again. It says `more` while the part is folded, else `fewer`."""

    def __init__(self, name: str, more: str, fewer: str, part: QWidget) -> None:
        super().__init__(more, name, kind="fold")
        self.setFont(ui_font(12))
        self.setCheckable(True)
        part.hide()
        self.toggled.connect(part.setVisible)
        self.toggled.connect(lambda is_open: self.setText(fewer if is_open else more))
