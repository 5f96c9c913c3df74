"""The sign over the transcript that older messages are being loaded, because the user went to one of them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QLabel, QWidget

from resources.language.text import tr
from ui.theme.theme import Theme, ui_font

AFTER_MS = 200
"""What takes less time needs no sign."""
_LONGEST_MS = 30_000
"""If the library cannot be read, a notice says so, and nothing arrives."""
_HEIGHT_PX = 30
_SIDE_PX = 14
_BELOW_PX = 14


class BusySign(QLabel):
    """A pill at the upper edge. `begin` may be called again before `end`."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(tr("Loading older messages…"), parent)
        self.setObjectName("busySign")
        self.setFont(ui_font(12))
        self.setFixedHeight(_HEIGHT_PX)
        self.setContentsMargins(_SIDE_PX, 0, _SIDE_PX, 0)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._delay = QTimer(self, singleShot=True, interval=AFTER_MS)
        self._delay.timeout.connect(self._appear)
        self._limit = QTimer(self, singleShot=True, interval=_LONGEST_MS)
        self._limit.timeout.connect(self.end)
        self.set_theme(theme)
        self.hide()

    def begin(self) -> None:
        """Appear in a moment, unless the work ends before that."""
        self._limit.start()
        if self.isHidden() and not self._delay.isActive():
            self._delay.start()

    def end(self) -> None:
        """The work has ended."""
        self._delay.stop()
        self._limit.stop()
        self.hide()

    def _appear(self) -> None:
        self.adjustSize()
        self.show()
        self.raise_()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of `theme`."""
        self.setStyleSheet(
            f"QLabel {{ background: {theme.raised}; color: {theme.text}; border: 1px solid {theme.rim};"
            f" border-radius: {_HEIGHT_PX // 2}px; }}"
        )

    def settle(self, size: QSize) -> None:
        """Move to the middle of the upper edge of a parent of this size."""
        self.adjustSize()
        self.move((size.width() - self.width()) // 2, _BELOW_PX)
