"""Home: the page that the window shows if no chat is open."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QSpacerItem, QWidget

from resources.language.text import tr
from ui.context import WindowContext
from ui.intents.library import NewChat, NewPrivateChat
from ui.theme.theme import ui_font
from ui.widgets.layouts import Placed, centred, in_column
from ui.widgets.push_button import PushButton
from ui.widgets.theme_icons import IconLabel

_ICON_PX = 36
_BELOW = 0.4
"""The share of the window that is left below the buttons."""


class HomePage(QWidget):
    """A title and two buttons."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setObjectName("home")
        flame = IconLabel("flame", "faint", _ICON_PX)
        flame.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        title = QLabel(tr("No chat is open"), alignment=Qt.AlignmentFlag.AlignHCenter)
        title.setObjectName("homeTitle")
        title.setFont(ui_font(20, QFont.Weight.DemiBold))
        button = _button(tr("New chat"), "homeNewChat", "example")
        button.clicked.connect(lambda: self._context.send(NewChat()))
        private = _button(tr("New private chat"), "homeNewPrivate", "quiet")
        private.clicked.connect(lambda: self._context.send(NewPrivateChat()))
        self._column = in_column(Placed(), flame, 4, title, 12, centred(button), centred(private), spacing=8, of=self)
        self._column.unsetContentsMargins()
        self._below = QSpacerItem(0, 0, vData=QSizePolicy.Policy.Preferred)
        self._column.addItem(self._below)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Stand above the middle of the window. Nothing moves under the mouse while a notice takes room at the top."""
        super().resizeEvent(event)
        self._below.changeSize(0, round(_BELOW * self.window().height()), vData=QSizePolicy.Policy.Preferred)
        self._column.invalidate()


def _button(words: str, name: str, kind: str) -> PushButton:
    button = PushButton(words, name)
    button.setProperty("kind", kind)
    button.setFont(ui_font(13))
    button.setMinimumWidth(144)
    button.setFixedHeight(38)
    return button
