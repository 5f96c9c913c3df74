"""PaneHeader: the title of one of two chats beside each other, and a cross that closes its side."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout

from resources.language.text import tr
from ui.theme.appearance import appearance
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.elided_text import draw_written
from ui.widgets.icon_button import IconButton

_HEIGHT_PX = 36
_SIDE_PX = 16
_CLOSE_PX = 26
_MASK_PX = 14
_MASK_ROOM_PX = 20


class PaneHeader(QFrame):
    """The title is shown strongly if its chat has the keyboard."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("paneHeader")
        self.setFixedHeight(_HEIGHT_PX)
        self._title = ""
        self._is_active = self._is_private = False
        self.close_button = IconButton("x", tr("Close this side"))
        self.close_button.setObjectName("closeSide")
        self.close_button.set_icon_pixels(16, _CLOSE_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE_PX, 0, 10, 0)
        row.addStretch(1)
        row.addWidget(self.close_button)
        self.close_button.clicked.connect(self.closed)

    def set_title(self, title: str, *, is_private: bool) -> None:
        """Name the chat. A private one has the same mark as its tab."""
        self._title, self._is_private = title, is_private
        self.setAccessibleName(", ".join((title, tr("private"))) if is_private else title)
        self.close_button.setAccessibleName(tr("Close the side with {title}", title=title))
        self.update()

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Show whether the chat has the keyboard."""
        self._is_active = active
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the mark of a private chat and the title on Qt's surface."""
        super().paintEvent(event)
        line = self.rect().adjusted(_SIDE_PX, 0, -_CLOSE_PX - 20, 0)
        font = ui_font(13, QFont.Weight.Medium if self._is_active else QFont.Weight.Normal)
        colour = appearance.theme.text if self._is_active else appearance.theme.muted
        painter = QPainter(self)
        if self._is_private:
            corner = QPoint(line.left(), line.center().y() - _MASK_PX // 2 + 1)
            draw_icon(painter, "eye-off", colour, _MASK_PX, corner)
            line.setLeft(line.left() + _MASK_ROOM_PX)
        draw_written(painter, line, self._title, font, colour)
