"""ScrollArea: a page that scrolls up and down alone, without a frame of its own, and marks what is looked for there."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QFrame, QLineEdit, QScrollArea, QWidget

_MARKED_MS, _FOLLOW_MS, _ROOM_PX = 1600, 50, 40
_AROUND: Final = (-6, -3, 6, 3)


class ScrollArea(QScrollArea):
    """Its content is as wide as itself. The keyboard goes to what is in it. The style sheet finds it by its `name`."""

    def __init__(self, name: str) -> None:
        super().__init__(widgetResizable=True)
        self.setObjectName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def reveal(self, part: QWidget) -> None:
        """Scroll to a part of the page, mark it for a moment, and give its field or its first control the keyboard.
        Until the mark goes, it follows the part, which moves while the page is still being filled.
        """
        shown = (one for one in (part, *part.findChildren(QWidget)) if one.isVisibleTo(part))
        controls = (one for one in shown if one.focusPolicy() & Qt.FocusPolicy.TabFocus)
        for control in (*part.findChildren(QLineEdit), *controls)[:1]:
            control.setFocus()
        ring = QFrame(self.widget())
        ring.setObjectName("placeMark")
        ring.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

        def follow() -> None:
            corner = ring.mapToParent(ring.mapFromGlobal(part.mapToGlobal(QPoint())))
            place = QRect(corner, part.size()).adjusted(*_AROUND)
            if place != ring.geometry():
                ring.setGeometry(place)
                ring.show()
                self.ensureWidgetVisible(part, 0, _ROOM_PX)

        for wait in range(0, _MARKED_MS, _FOLLOW_MS):
            QTimer.singleShot(wait, ring, follow)
        QTimer.singleShot(_MARKED_MS, ring, ring.deleteLater)
