"""EditBanner: the line above the text field that says that an earlier message is being edited."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from resources.language.text import tr
from ui.theme.theme import ui_font
from ui.widgets.push_button import PushButton
from ui.widgets.theme_icons import IconLabel

_ICON_PX = 14


class EditBanner(QWidget):
    """Hidden while nothing is edited. Its button cancels the edit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("editBanner")
        self._icon = IconLabel("pencil", "accent", _ICON_PX)
        self._words = QLabel(tr("Editing an earlier message"))
        self._words.setObjectName("editWords")
        self._words.setFont(ui_font(12))
        self.cancel_button = PushButton(tr("Cancel"), "editCancel")
        self.cancel_button.setFont(ui_font(12))
        self.cancel_button.setFixedHeight(24)
        self.cancel_button.setToolTip(tr("Keep the message as it is (Esc)"))
        self.cancel_button.setCursor(Qt.CursorShape.PointingHandCursor)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 0, 0)
        row.setSpacing(7)
        row.addWidget(self._icon)
        row.addWidget(self._words)
        row.addStretch(1)
        row.addWidget(self.cancel_button)
        self.hide()
