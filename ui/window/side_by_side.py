"""SideBySide: shows one page, or two beside each other. It runs on the GUI thread.

- One of two pages is active: the next page that is shown takes its place.
- A page is active once something in it has the keyboard.
- If there is no room for two pages, only the active one is seen. The other one keeps its side.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from resources.language.text import tr
from ui.theme.appearance import appearance
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.elided_text import draw_written
from ui.widgets.icon_button import IconButton

EQUAL_SHARE = 50
_NARROWEST_PX = 240
_HEADER_PX = 36
_EDGE_PX = 16
_CLOSE_PX = 26
_MASK_PX = 14
_MASK_ROOM_PX = 20


class SideBySide(QWidget):
    """Pages in two panes, of which the right one is hidden unless the view is split.

    `activated` carries the page that took the keyboard in the other pane, `left` the page whose pane the user closed.
    `sight_changed` is emitted when the room for the second page came or went.
    """

    activated = Signal(object)
    left = Signal(object)
    sight_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._active = 0
        self._is_split = self._is_tight = False
        self._share = EQUAL_SHARE
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setObjectName("sides")
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        self.panes = (_Pane(), _Pane())
        for pane in self.panes:
            self._splitter.addWidget(pane)
            pane.header.closed.connect(lambda pane=pane: self.left.emit(pane.page()))
        self.panes[1].hide()
        self._offer = QFrame(self)
        self._offer.setObjectName("sideOffer")
        self._offer.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._splitter)
        self._splitter.splitterMoved.connect(self._note_share)
        QApplication.instance().focusChanged.connect(self._follow_focus)  # type: ignore[union-attr] # there is one

    @property
    def is_split(self) -> bool:
        """Whether two pages share the width, or would if there were room."""
        return self._is_split

    @property
    def least_width(self) -> int:
        """The width that both panes need."""
        return sum(pane.minimumWidth() for pane in self.panes) + self._splitter.handleWidth()

    def set_tight(self, *, is_tight: bool) -> None:
        """Show the active page alone as long as there is no room for two."""
        if is_tight is not self._is_tight:
            self._is_tight = is_tight
            self._mark()
            self._divide()
            self.sight_changed.emit()

    def add_page(self, page: QWidget) -> None:
        """Take a page without showing it."""
        self.panes[0].stack.addWidget(page)

    def remove_page(self, page: QWidget) -> None:
        """Give a page away that is not shown, or alone."""
        for pane in self.panes:
            pane.stack.removeWidget(page)

    def pages_in_sight(self) -> tuple[QWidget, ...]:
        """The pages that the user sees, from left to right."""
        return (self.currentWidget(),) if self._is_tight else self.pages_shown()

    def pages_shown(self) -> tuple[QWidget, ...]:
        """The pages of both sides, from left to right."""
        return tuple(pane.page() for pane in self.panes[: 2 if self.is_split else 1])

    def currentWidget(self) -> QWidget:  # noqa: N802 - as a stack of widgets calls it
        """The active page."""
        return self.panes[self._active].page()

    def show_page(self, page: QWidget) -> None:
        """Make a page active: where it is shown already, or in the place of the active one."""
        shown = self.pages_shown()
        if page in shown:
            self._active = shown.index(page)
        else:
            self.panes[self._active].show_page(page)
        self._mark()

    def show_beside(self, page: QWidget) -> None:
        """Show a page beside the active one, and make it active."""
        if page not in self.pages_shown():
            self.panes[1 - self._active].show_page(page)
            self._is_split = True
        self.show_page(page)
        self._divide()

    def offer_side(self, place: QPoint | None) -> None:
        """Show the half over which a dragged tab is held, which would get its page. None shows none."""
        rect = None if place is None else self._half_at(place)
        self._offer.setVisible(rect is not None)
        if rect is not None:
            self._offer.setGeometry(rect.adjusted(6, 6, -6, -6))
            self._offer.raise_()

    def is_left(self, place: QPoint) -> bool:
        """Whether a place on the screen is over the left half."""
        return self.mapFromGlobal(place).x() < self.width() // 2

    def holds(self, place: QPoint) -> bool:
        """Whether a place on the screen is over the pages."""
        return self.rect().contains(self.mapFromGlobal(place))

    def swap(self) -> None:
        """Exchange the sides of two pages."""
        left, right = (pane.page() for pane in self.panes)
        self.panes[0].show_page(right)
        self.panes[1].show_page(left)
        self._active = 1 - self._active
        self._mark()

    def _half_at(self, place: QPoint) -> QRect | None:
        if not self.holds(place):
            return None
        half = self.width() // 2
        return QRect(0 if self.is_left(place) else half, 0, half, self.height())

    def join(self, page: QWidget) -> None:
        """Show this page alone."""
        left, right = self.panes
        while right.stack.count():
            left.stack.addWidget(right.page())
        self._is_split = False
        self._active = 0
        self.show_page(page)

    def share(self) -> int:
        """The left page's share of the width, in percent."""
        return self._share

    def set_share(self, share: int) -> None:
        """Divide the width so, now or at the next split."""
        self._share = min(max(share, 20), 80)
        self._divide()

    def _divide(self) -> None:
        if self._is_split and not self._is_tight:
            width = max(self.width(), 2 * _NARROWEST_PX)
            self._splitter.setSizes([width * self._share // 100, width * (100 - self._share) // 100])

    def _note_share(self) -> None:
        left, right = self._splitter.sizes()
        self._share = round(100 * left / max(left + right, 1))

    def _mark(self) -> None:
        for number, pane in enumerate(self.panes):
            pane.header.setVisible(self._is_split)
            pane.header.set_active(number == self._active)
        for number in (self._active, 1 - self._active):
            both_fit = self._is_split and not self._is_tight
            self.panes[number].setVisible(number == self._active or both_fit)

    def _follow_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        other = self.panes[1 - self._active]
        if now is not None and self.is_split and other.isAncestorOf(now):
            self.activated.emit(other.page())


class _Pane(QWidget):
    """A stack of pages below a header."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumWidth(_NARROWEST_PX)
        self.header = PaneHeader()
        self.header.hide()
        self.stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.stack, 1)

    def page(self) -> QWidget:
        return self.stack.currentWidget() or self

    def show_page(self, page: QWidget) -> None:
        self.stack.addWidget(page)
        self.stack.setCurrentWidget(page)


class PaneHeader(QFrame):
    """The title of one of two chats, shown strongly if it has the keyboard, and a cross that closes its side."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("paneHeader")
        self.setFixedHeight(_HEADER_PX)
        self._title = ""
        self._is_active = self._is_private = False
        self.close_button = IconButton("x", tr("Close this side"))
        self.close_button.setObjectName("closeSide")
        self.close_button.set_icon_pixels(16, _CLOSE_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(_EDGE_PX, 0, 10, 0)
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
        line = self.rect().adjusted(_EDGE_PX, 0, -_CLOSE_PX - 20, 0)
        font = ui_font(13, QFont.Weight.Medium if self._is_active else QFont.Weight.Normal)
        colour = appearance.theme.text if self._is_active else appearance.theme.muted
        painter = QPainter(self)
        if self._is_private:
            corner = QPoint(line.left(), line.center().y() - _MASK_PX // 2 + 1)
            draw_icon(painter, "eye-off", colour, _MASK_PX, corner)
            line.setLeft(line.left() + _MASK_ROOM_PX)
        draw_written(painter, line, self._title, font, colour)
