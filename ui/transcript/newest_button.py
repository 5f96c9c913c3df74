"""The round button that scrolls the transcript to the newest message."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from resources.language.text import tr
from ui.theme.theme import Theme

_SIDE_PX = 34
_ABOVE_PX = 14


class NewestButton(QToolButton):
    """A button over the lower edge of the transcript. It is hidden while the newest message is in view."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("newest")
        self.setAccessibleName(tr("Jump to the newest message"))
        self.setToolTip(tr("Jump to the newest message"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedSize(_SIDE_PX, _SIDE_PX)
        self.setIconSize(QSize(18, 18))
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of `theme`."""
        self.setIcon(theme.icon("chevron-down", theme.text))
        self.setStyleSheet(
            f"QToolButton {{ background: {theme.raised}; border: 1px solid {theme.rim};"
            f" border-radius: {_SIDE_PX // 2}px; }} QToolButton:hover {{ background: {theme.hovered_row}; }}"
        )

    def settle(self, size: QSize) -> None:
        """Move to the middle of the lower edge of a parent of this size."""
        self.move((size.width() - _SIDE_PX) // 2, size.height() - _SIDE_PX - _ABOVE_PX)
