"""AltKey: notices that the user tapped Alt, which opens the menu as in other apps."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

_OTHER_USES = frozenset(
    {QEvent.Type.KeyPress, QEvent.Type.Shortcut, QEvent.Type.MouseButtonPress, QEvent.Type.WindowDeactivate}
)


class AltKey(QObject):
    """`tapped` is emitted if Alt was pressed and released with nothing between.

    It looks at the application's events only while Alt is down.
    """

    tapped = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._is_down = False

    def pressed(self) -> None:
        """Alt went down in the window."""
        if not self._is_down:
            self._is_down = True
            _application().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Wait for the release of Alt, and for anything before it."""
        is_alt = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt
        if event.type() == QEvent.Type.KeyRelease and is_alt:
            self._end()
            self.tapped.emit()
        elif event.type() in _OTHER_USES and not is_alt:
            self._end()
        return super().eventFilter(watched, event)

    def _end(self) -> None:
        self._is_down = False
        _application().removeEventFilter(self)


def _application() -> QCoreApplication:
    application = QCoreApplication.instance()
    assert application is not None, "a window needs an application"
    return application
