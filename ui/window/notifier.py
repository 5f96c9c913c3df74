"""Notifier: the system's notifications about answers, and the count of unread ones on the Dock or the task bar."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from ui.context import WindowContext
from ui.intents.chat import InChat, Open

_SHOWN_MS = 8_000


class Notifier(QObject):
    """A click on a notification brings the window to the front, and opens the conversation there.

    Qt shows a notification through an icon in the tray or the menu bar. The icon is there only while the user has not
    come back to the window. A desktop without a tray shows no notification.
    """

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        self._newest = ""

    def notify(self, conversation: str, title: str, text: str) -> None:
        """Show a notification. The click on an earlier one opens this conversation."""
        if self._tray is None and QSystemTrayIcon.isSystemTrayAvailable():
            self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
            self._tray.setToolTip("Hearth")
            for clicked in (self._tray.messageClicked, self._tray.activated):
                clicked.connect(lambda *_: self._open())
        self._newest = conversation
        if self._tray is not None:
            self._tray.show()
            self._tray.showMessage(title, text, self._window.windowIcon(), _SHOWN_MS)

    def _open(self) -> None:
        self._window.showNormal() if self._window.isMinimized() else self._window.show()
        self._window.raise_()
        self._window.activateWindow()
        self._context.send(InChat(self._newest, Open()))

    def set_count(self, count: int) -> None:
        """Show the number of unread answers; 0 shows none."""
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication), "a window needs an application with windows"
        application.setBadgeNumber(count)

    def put_away(self) -> None:
        """Hide the icon: the user is back."""
        if self._tray is not None:
            self._tray.hide()
