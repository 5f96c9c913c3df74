"""SidebarPlace: where the sidebar stands. Beside the page in a wide window, over it in a narrow one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

NARROW_PX = 900
"""The width of a window below which the sidebar would leave the page too little room."""


class SidebarPlace(QObject):
    """Shows or hides the sidebar in `desk`, whose layout is `row`.

    In a narrow window the sidebar is hidden until the user opens it over the page. A click beside it closes it. The
    user's choice for a wide window is kept meanwhile. `turned` says whether the sidebar is shown now.
    """

    turned = Signal(bool)

    def __init__(self, sidebar: QWidget, desk: QWidget, row: QHBoxLayout) -> None:
        super().__init__(desk)
        self._sidebar = sidebar
        self._desk = desk
        self._row = row
        self._shade = _Shade(desk)
        self._shade.pressed.connect(self.leave)
        self._is_narrow = False
        self._is_open = False
        self.is_wanted = True
        row.insertWidget(0, sidebar)
        desk.installEventFilter(self)

    @property
    def is_over(self) -> bool:
        """Whether the sidebar stands over the page."""
        return self._is_narrow and self._is_open

    def toggle(self) -> None:
        """Show or hide the sidebar."""
        if self._is_narrow:
            self._is_open = not self._is_open
        else:
            self.is_wanted = not self.is_wanted
        self._apply()

    def leave(self) -> None:
        """Close a sidebar that stands over the page."""
        if self.is_over:
            self.toggle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the size of the window."""
        if event.type() == QEvent.Type.Resize:
            is_narrow = self._desk.width() < NARROW_PX
            if is_narrow != self._is_narrow:
                self._is_narrow, self._is_open = is_narrow, False
                self._apply()
            self._lay_over()
        return super().eventFilter(watched, event)

    def _apply(self) -> None:
        shown = self._is_open if self._is_narrow else self.is_wanted
        if self._is_narrow:
            self._row.removeWidget(self._sidebar)
        else:
            self._row.insertWidget(0, self._sidebar)
        if not shown:
            self._release_focus()
        self._sidebar.setVisible(shown)
        self._lay_over()
        self.turned.emit(shown)

    def _release_focus(self) -> None:
        """Qt would move the focus of what is hidden into a chat, which may be the other one of two."""
        focused = self._desk.window().focusWidget()
        if focused is not None and self._sidebar.isAncestorOf(focused):
            focused.clearFocus()

    def _lay_over(self) -> None:
        self._shade.setVisible(self.is_over)
        if self.is_over:
            self._shade.setGeometry(self._desk.rect())
            self._shade.raise_()
            self._sidebar.setGeometry(0, 0, self._sidebar.width(), self._desk.height())
            self._sidebar.raise_()


class _Shade(QWidget):
    """Dims the page, and reports a click on it."""

    pressed = Signal()

    def __init__(self, desk: QWidget) -> None:
        super().__init__(desk)
        self.setObjectName("shade")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.hide()

    def mousePressEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """The page below gets no click."""
        self.pressed.emit()
