"""FocusRing: the ring around a scrolled view that has the keyboard. It lies over the view and scrolls nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

KEY_REASONS = {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason}


class FocusRing(QWidget):
    """Shown from the moment when the keyboard brings the focus to `view` until the focus leaves. A click shows none."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self.setObjectName("focusRing")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        view.installEventFilter(self)

    def eventFilter(self, view: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the focus and the size of the view."""
        if not isinstance(view, QWidget):
            return False
        if event.type() is QEvent.Type.Resize:
            self.setGeometry(view.rect())
        elif isinstance(event, QFocusEvent):
            self.setVisible(view.hasFocus() and event.reason() in KEY_REASONS)  # a new dialog says so too early
            self.raise_()
        return False
