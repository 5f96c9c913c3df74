"""SidebarFoot: owns the line under the list: the engine's trouble or what is in memory, and the way to the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from ui.icon_button import IconButton
from ui.phrases import engine_line, memory_line
from ui.state import EngineState
from ui.theme import ui_font

if TYPE_CHECKING:
    from ui.state import EngineView, MemoryView
    from ui.theme import Theme

_HEIGHT_PX = 50
_ICON_PX = 16
_GAP_PX = 13


class SidebarFoot(QWidget):
    """One line, cut to the width there is; the tool tip has it all."""

    settings_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(_HEIGHT_PX)
        self._engine_text = ""
        self._memory_text = ""
        self._icon = QLabel()
        self._label = QLabel()
        self._label.setObjectName("foot")
        self._label.setFont(ui_font(12))
        self._label.setMinimumWidth(1)  # the words follow the width, not the other way round
        self.settings_button = IconButton("settings", "Settings", theme)
        self.settings_button.setObjectName("openSettings")
        self.settings_button.clicked.connect(self.settings_requested)
        row = QHBoxLayout(self)
        row.setSpacing(_GAP_PX)
        row.setContentsMargins(20, 0, 12, 0)
        row.addWidget(self._icon)
        row.addWidget(self._label, 1)
        row.addWidget(self.settings_button)
        self.set_theme(theme)

    def set_engine(self, view: EngineView) -> None:
        """Say how the engine is, unless it is simply ready."""
        self._engine_text = "" if view.state is EngineState.READY else engine_line(view)
        self._show()

    def set_memory(self, view: MemoryView) -> None:
        """Say what is in memory."""
        self._memory_text = memory_line(view)
        self._show()

    def text(self) -> str:
        """The words as they are shown."""
        return self._label.text()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Cut the words anew."""
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        text = self._engine_text or self._memory_text
        room = self.settings_button.x() - self._label.x() - _GAP_PX
        self.setToolTip(text)
        self._label.setText(self._label.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room))

    def set_theme(self, theme: Theme) -> None:
        """Tint the icons."""
        icon = theme.icon("memory-stick", theme.muted, _ICON_PX)
        self._icon.setPixmap(icon.pixmap(QSize(_ICON_PX, _ICON_PX), QIcon.Mode.Normal))
        self.settings_button.set_theme(theme)
