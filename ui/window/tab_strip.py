"""TabStrip: the row of tabs, one for each open conversation.

Tabs take the width of their titles, then they shrink together. If they still do not fit, only a run of them is shown,
the current one among them. If tabs are closed under the pointer, their places stay until it leaves. The user moves a
tab with the mouse, or by `move_current`.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QPoint,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QTabBar

from resources.language.text import mark, tr
from ui.state.chat import ChatStatus
from ui.theme.appearance import appearance
from ui.theme.long_texts import cut
from ui.theme.phrases import is_busy, one_line
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.elided_text import draw_line, start_of_difference, with_difference
from ui.widgets.settings_group import named
from ui.widgets.shapes import draw_disc, draw_shape, smooth_painter

_UNTITLED = mark("New chat")
_HEIGHT_PX = 32
_GAP_PX = 7
_WIDEST_PX = 320
_NARROWEST_PX = 124
_OFF_PX = 24
"""How far below the row a tab must be dragged to leave it."""
_SLIDE_MS = 120
_PAD_PX = 12
_CLOSE_PX = 20
_DOT_PX = 7
_DOT_ROOM_PX = 15
_MASK_PX = 14
_MASK_ROOM_PX = 20
_RADIUS_PX = 7


@dataclass(slots=True)
class _Tab:
    """What a tab shows of its chat, and how it slides to its place, if it was moved."""

    title: str = ""
    is_private: bool = False
    is_live: bool = False
    slide: QVariantAnimation | None = None


@dataclass(slots=True)
class _Drag:
    """A tab that the mouse holds: it was pressed at `pressed`, `grip` from its left edge. `left` is where it is
    painted, once it `began` to move.
    """

    conversation: str
    pressed: QPoint
    grip: int
    left: int
    began: bool = False


class TabStrip(QTabBar):
    """Pill-shaped tabs, keyed by conversation. Private ones are marked. A click on a cross only requests to close.

    `dragged_off` and `dropped_off` carry a tab that the mouse holds or leaves below the row, and where that is on the
    screen. `moved` is emitted when the user has given the tabs another order, `fitted` when other tabs may be hidden
    than before, and `menu_requested` with the conversation and the place on the screen.
    """

    shown = Signal(str)
    close_requested = Signal(str)
    menu_requested = Signal(str, QPoint)
    dragged_off = Signal(str, QPoint)
    dropped_off = Signal(str, QPoint)
    moved = Signal()
    fitted = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "tabs", _bold_font(), tr("Open chats"))
        self._tabs: dict[str, _Tab] = {}
        self._unread: frozenset[str] = frozenset()
        self._hovered = -1
        self._first = 0
        self._is_fitting = False
        self._held: list[int] = []  # the widths of the places that stay until the pointer leaves
        self._starts: dict[str, int] = {}  # where a title begins to differ from those that would look like it
        self._level = 0  # wider tabs shrink to this width, the others keep theirs
        self.spare_px = 0
        """Room that the row has for more tabs if none is hidden: that of the button which lists them."""
        self._drag: _Drag | None = None
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self.currentChanged.connect(self._follow)

    def _follow(self) -> None:
        if self._drag is not None and self._drag.began:  # the held tab may have no room beside the new one in front
            self._put_down(self._drag)
        self._lay_out()
        self._fit()
        self.shown.emit(self.current())

    def add(self, conversation: str, title: str, *, private: bool = False) -> None:
        """Append a tab without showing it."""
        self._tabs[conversation] = _Tab(is_private=private)
        with QSignalBlocker(self):  # Qt makes the first tab current before its data is set
            self.setTabData(self.addTab(""), conversation)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_title(conversation, title)

    def remove(self, conversation: str) -> None:
        """Remove the tab of `conversation`. `shown` is not emitted."""
        self._drag = None
        index = self.index_of(conversation)
        if self.underMouse() and not self._held:
            self._held = [self.tabRect(place).width() for place in range(self.count())]
        with QSignalBlocker(self):
            if index == self.currentIndex():  # Qt would pass over a neighbour that has no room
                self.setCurrentIndex(index + 1 if index + 1 < self.count() else index - 1)
            self.removeTab(index)
        self._tabs.pop(conversation)
        if not self.count():
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # there is nothing to see of the focus
        self._fit()

    def show_tab(self, conversation: str) -> None:
        """Make the tab of `conversation` current."""
        self.setCurrentIndex(self.index_of(conversation))

    def move_current(self, by: int) -> None:
        """Move the current tab `by` places to the right. Beyond the ends of the row nothing happens."""
        place = self.currentIndex() + by
        if 0 <= place < self.count():
            self._move(self.currentIndex(), place)
            self._fit()
            self.moved.emit()

    def order(self) -> tuple[str, ...]:
        """The conversations of all tabs, from left to right."""
        return tuple(self.conversation_at(index) for index in range(self.count()))

    def sort(self, order: tuple[str, ...]) -> None:
        """Put the open tabs into this order, which names them all."""
        for place, conversation in enumerate(one for one in order if self.index_of(one) >= 0):
            self.moveTab(self.index_of(conversation), place)

    def set_title(self, conversation: str, title: str) -> None:
        """Name a tab. Ampersands are shown as they are, not taken as shortcuts."""
        index, tab = self.index_of(conversation), self._tabs[conversation]
        tab.title = one_line(title, tr(_UNTITLED))
        if tab.title == tr(_UNTITLED) and tab.is_private:
            tab.title = tr("Private chat")
        shown = cut(tab.title)
        self.setTabToolTip(index, shown)  # first: the text gives the tabs their widths, by the tool tips
        self.setTabText(index, shown.replace("&", "&&"))
        self._say(index)
        self._fit()

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Show or hide the dot of a busy tab."""
        tab = self._tabs.get(conversation)
        if tab is not None and tab.is_live is not is_busy(status):
            tab.is_live = not tab.is_live
            self._mark(self.index_of(conversation))

    def set_unread(self, unread: frozenset[str]) -> None:
        """Mark the tabs of these conversations: they have an answer that the user has not seen."""
        changed, self._unread = self._unread ^ unread, unread
        for conversation in changed & self._tabs.keys():
            self._mark(self.index_of(conversation))

    def _mark(self, index: int) -> None:
        self._say(index)
        self._lay_out()
        self._fit()
        self.update()

    def _lay_out(self) -> None:
        """Give the tabs their widths. Qt does that only when a text is set."""
        self.setTabText(self.currentIndex(), self.tabText(self.currentIndex()))

    def _say(self, index: int) -> None:
        conversation = self.conversation_at(index)
        tab, words = self._tabs[conversation], [self.tabToolTip(index)]
        words += [tr("private")] * tab.is_private + [tr("answering")] * tab.is_live
        words += [tr("new answer")] * (conversation in self._unread and not tab.is_live)
        self.setAccessibleTabName(index, ", ".join(words))

    def current(self) -> str:
        """The conversation of the current tab, "" without tabs."""
        return self.conversation_at(self.currentIndex())

    def title_of(self, conversation: str) -> str:
        """The full title of a tab, "" if it does not exist."""
        return self._tabs[conversation].title if conversation in self._tabs else ""

    def is_private(self, conversation: str) -> bool:
        """Whether a conversation has a private tab."""
        return conversation in self._tabs and self._tabs[conversation].is_private

    def conversation_at(self, index: int) -> str:
        """The conversation of the tab at `index`, "" if it does not exist."""
        return str(self.tabData(index) or "") if 0 <= index < self.count() else ""

    def index_of(self, conversation: str) -> int:
        """The index of the tab of `conversation`, -1 if it does not exist."""
        return next((i for i in range(self.count()) if self.tabData(i) == conversation), -1)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for all tabs, also for those that are not shown now. One that keeps its places keeps its width."""
        widths = (self.tabSizeHint(index).width() for index in range(self.count()))
        return QSize(self.width() if self._held else sum(widths), _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for the current tab alone."""
        return QSize(min(_NARROWEST_PX, self.sizeHint().width()), _HEIGHT_PX)

    def tabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        """As wide as the title, up to a limit."""
        held = self._held[index] if index < len(self._held) else 0
        return QSize(held or min(_WIDEST_PX, self._wanted_px(index)) + _GAP_PX, _HEIGHT_PX)

    def minimumTabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        """The widest tabs shrink first. Qt alone would take the same from all of them: half of a short title."""
        return QSize(self._shrunk_px(index, self._level), _HEIGHT_PX)

    def _shrunk_px(self, index: int, level: int) -> int:
        """The width of a tab if all shrink to a level. The current one keeps room for its cross beside as much text."""
        most = level + _CLOSE_PX * (index == self.currentIndex())
        return max(self._least_px(index), min(self.tabSizeHint(index).width(), most))

    def _least_px(self, index: int) -> int:
        """Tabs shrink to this width before some of them are hidden. A mark that comes and goes hides none."""
        return min(_NARROWEST_PX, self._wanted_px(index) - self._mark_room(index) + _GAP_PX)

    def _wanted_px(self, index: int) -> int:
        """As wide as the marks, the title and the cross. A dot that comes and goes moves no cross."""
        title = QFontMetrics(_bold_font()).horizontalAdvance(self.tabToolTip(index))
        return 2 * _PAD_PX + self._mark_room(index) + title + _CLOSE_PX

    def _mark_room(self, index: int) -> int:
        """The part of the width that the mask takes and the dot may take."""
        return _DOT_ROOM_PX + _MASK_ROOM_PX * self.is_private(self.conversation_at(index))

    def _fit(self) -> None:
        """Show the tabs that fit at their least width, and hide the others. That may change the row's own width."""
        if self._is_fitting:
            return
        self._is_fitting, before = True, -1
        while self.width() != before:
            before = self.width()
            self._fit_into(before)
        first = next((self.tabRect(index) for index in range(self.count()) if self.isTabVisible(index)), QRect())
        if first.isValid() and first.left() < 0:
            self._lay_out()  # Qt scrolled while a new tab did not fit, and scrolls back only then
        self._is_fitting = False
        rooms, font = {self.tabToolTip(index): self._room(index) for index in range(self.count())}, _bold_font()
        titles = sorted(rooms)
        self._starts = {title: start_of_difference(title, titles, font, room) for title, room in rooms.items()}
        self.fitted.emit()

    def _room(self, index: int) -> int:
        """The part of a tab's width that is left for its title while the mouse is elsewhere."""
        cross = _CLOSE_PX * (index == self.currentIndex())
        return self.tabRect(index).width() - _GAP_PX - 2 * _PAD_PX - self._mark_room(index) - cross + 1

    def shown_text(self, index: int, width: int = 0) -> str:
        """The title as a tab shows it, in `width` pixels if that is given."""
        words = self.tabToolTip(index)
        return with_difference(words, self._starts.get(words, 0), _bold_font(), width or self._room(index))

    def hidden(self) -> int:
        """The number of tabs that have no room."""
        return sum(not self.isTabVisible(index) for index in range(self.count()))

    def _fit_into(self, room: int) -> None:
        kept = sum(self.tabSizeHint(index).width() for index in range(self.count()) if self.isTabVisible(index))
        if self._held and kept <= room and self.isTabVisible(self.currentIndex()):
            return
        self._held = []
        widths = [self._least_px(index) for index in range(self.count())]
        needed = sum(widths)
        if room < needed <= room + self.spare_px:
            room = needed
        shown = fitting(widths, room, self.currentIndex(), self._first)
        self._first = shown.start
        levels, before = range(_WIDEST_PX + _GAP_PX + 1), self._level
        self._level = bisect(levels, room, key=lambda level: sum(self._shrunk_px(at, level) for at in shown)) - 1
        turned = [index for index in range(self.count()) if self.isTabVisible(index) != (index in shown)]
        for index in turned:  # Qt forgets to lay out after a call without effect
            self.setTabVisible(index, index in shown)
        if self._level != before and not turned:
            self._lay_out()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint every visible tab, and the one that the mouse holds above the others."""
        painter = smooth_painter(self)
        held = self.index_of(self._drag.conversation) if self._drag is not None and self._drag.began else -1
        for index in range(self.count()):
            if self.isTabVisible(index) and index != held:
                slide = self._tabs[self.conversation_at(index)].slide
                offset = 0 if slide is None else round(slide.currentValue())
                self._paint_tab(painter, index, self._pill(index).translated(offset, 0))
        if held >= 0 and self._drag is not None:
            pill = self._pill(held)
            pill.moveLeft(self._drag.left)
            painter.fillRect(pill, QColor(appearance.theme.page))
            self._paint_tab(painter, held, pill, is_held=True)

    def _paint_tab(self, painter: QPainter, index: int, pill: QRect, *, is_held: bool = False) -> None:
        theme, conversation, is_current = appearance.theme, self.conversation_at(index), index == self.currentIndex()
        tab, is_unread = self._tabs[conversation], conversation in self._unread
        self._paint_surface(painter, index, pill, is_held=is_held)
        line, middle = pill.adjusted(_PAD_PX, 0, -_PAD_PX, 0), pill.center().y()
        if tab.is_live or is_unread:
            dot = QRectF(line.left(), middle - _DOT_PX / 2 + 1, _DOT_PX, _DOT_PX)
            draw_disc(painter, dot, theme.accent if tab.is_live else theme.success)
            line.setLeft(line.left() + _DOT_ROOM_PX)
        if tab.is_private:
            colour = theme.text if is_current else theme.muted
            draw_icon(painter, "eye-off", colour, _MASK_PX, QPoint(line.left(), middle - _MASK_PX // 2 + 1))
            line.setLeft(line.left() + _MASK_ROOM_PX)
        if (is_current or index == self._hovered) and not is_held:
            close = self.close_rect(index)
            if close.contains(self.mapFromGlobal(self.cursor().pos())):
                draw_shape(painter, close, 5, theme.hairline)
            draw_icon(painter, "x", theme.muted, 14, close.topLeft() + QPoint(3, 3))
            line.setRight(close.left() - 6)
        font, ink = (_bold_font(), theme.text) if is_current or is_unread else (ui_font(13), theme.muted)
        draw_line(painter, QRectF(line), self.shown_text(index, line.width()), font, ink)

    def _paint_surface(self, painter: QPainter, index: int, pill: QRect, *, is_held: bool) -> None:
        theme, is_current = appearance.theme, index == self.currentIndex()
        inside, has_keyboard = QRectF(pill).adjusted(0.5, 0.5, -0.5, -0.5), self.hasFocus() and is_current
        if is_current or is_held or index == self._hovered:
            draw_shape(painter, pill, _RADIUS_PX, theme.selected_tab if is_current or is_held else theme.hovered_row)
        if has_keyboard:
            draw_shape(painter, inside, _RADIUS_PX, edge=theme.accent)
        elif self.is_private(self.conversation_at(index)):
            painter.setPen(QPen(QColor(theme.button_off), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(inside, _RADIUS_PX, _RADIUS_PX)

    def _pill(self, index: int) -> QRect:
        return self.tabRect(index).adjusted(0, 0, -_GAP_PX, 0)

    def close_rect(self, index: int) -> QRect:
        """Where the cross of a tab is painted."""
        pill = self._pill(index)
        return QRect(pill.right() - _CLOSE_PX - 5, pill.center().y() - 9, _CLOSE_PX, _CLOSE_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show as many tabs as have room now."""
        super().resizeEvent(event)
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Switch to the tab, unless its cross is pressed. The press may begin to move it.

        Qt is not told: it would keep the index of the pressed tab when tabs before it are removed, and `moveTab` would
        then read beyond the last one.
        """
        point = event.position().toPoint()
        if event.button() != Qt.MouseButton.LeftButton or self._on_cross(event) >= 0 or self.tabAt(point) < 0:
            return
        self.setCurrentIndex(self.tabAt(point))
        left = self.tabRect(self.currentIndex()).left()
        self._drag = _Drag(self.current(), point, point.x() - left, left)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Put a moved tab down, or request to close a tab, by its cross or the middle button."""
        if self._drag is not None and self._drag.began:
            self._put_down(self._drag)
            self.dropped_off.emit(self._off(event), event.globalPosition().toPoint())
            return
        self._drag = None
        index = self._on_cross(event)
        if event.button() == Qt.MouseButton.MiddleButton:
            index = self.tabAt(event.position().toPoint())
        if index >= 0:
            self.close_requested.emit(self.conversation_at(index))

    def _off(self, event: QMouseEvent) -> str:
        """The conversation of the tab that the mouse holds; "" if it is still in the row."""
        return self.current() if event.position().y() > self.height() + _OFF_PX else ""

    def _put_down(self, drag: _Drag) -> None:
        self._drag = None
        self._slide(drag.conversation, drag.left - self.tabRect(self.index_of(drag.conversation)).left())
        self.update()
        self.moved.emit()

    def _on_cross(self, event: QMouseEvent) -> int:
        point = event.position().toPoint()
        index = self.tabAt(point)
        return index if index >= 0 and self.close_rect(index).contains(point) else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Show the cross of the tab under the mouse, and move the tab that it holds."""
        self._hovered = self.tabAt(event.position().toPoint())
        if self._drag is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._drag_to(self._drag, event.position().toPoint())
            self.dragged_off.emit(self._off(event), event.globalPosition().toPoint())
        self.update()
        super().mouseMoveEvent(event)

    def _drag_to(self, drag: _Drag, point: QPoint) -> None:
        """Exchange the tab with each neighbour whose middle its edge has passed."""
        shown = [index for index in range(self.count()) if self.isTabVisible(index)]
        index = self.index_of(drag.conversation)
        width = self.tabRect(index).width()
        least, most = self.tabRect(shown[0]).left(), self.tabRect(shown[-1]).right() + 1 - width
        drag.left = max(least, min(point.x() - drag.grip, most))
        drag.began = drag.began or (point - drag.pressed).manhattanLength() >= QApplication.startDragDistance()
        while drag.began:
            place = shown.index(index)
            if index != shown[0] and drag.left < self.tabRect(shown[place - 1]).center().x():
                side = -1
            elif index != shown[-1] and drag.left + width > self.tabRect(shown[place + 1]).center().x():
                side = 1
            else:
                break
            neighbour = shown[place + side]
            self._slide(self.conversation_at(neighbour), width * side)
            self._move(index, neighbour)
            index = neighbour

    def _slide(self, conversation: str, distance: int) -> None:
        """Let a tab slide to its place from `distance` pixels to the right of it, unless the user wants calm."""
        if appearance.theme.reading.calm:
            return
        if (slide := self._tabs[conversation].slide) is None:
            slide = self._tabs[conversation].slide = QVariantAnimation(self, duration=_SLIDE_MS, endValue=0.0)
            slide.setEasingCurve(QEasingCurve.Type.OutCubic)
            slide.valueChanged.connect(lambda _value: self.update())
        slide.stop()
        slide.setStartValue(float(distance))
        slide.start()

    def _move(self, index: int, place: int) -> None:
        """Move a tab. The current one stays current."""
        current = self.current()
        with QSignalBlocker(self):
            self.moveTab(index, place)
            self.setCurrentIndex(self.index_of(current))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Request the menu of the tab under the mouse, or of the current one by the keyboard."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.tabAt(event.pos())
        if index >= 0:
            place = self.tabRect(index).bottomLeft() if by_key else event.pos()
            self.menu_requested.emit(self.conversation_at(index), self.mapToGlobal(place))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Hide the cross, and share the room that closed tabs have left."""
        self._hovered, self._held = -1, []
        self._lay_out()
        self._fit()
        self.update()
        super().leaveEvent(event)


def fitting(widths: Sequence[int], room: int, current: int, first: int) -> range:
    """The longest run of tabs that fits into `room` pixels and contains the tab `current`. It begins at `first` if it
    can. `widths` are the least widths of all tabs.
    """
    if not widths:
        return range(0)
    current = min(max(current, 0), len(widths) - 1)
    start = min(first, current)
    while start < current and sum(widths[start : current + 1]) > room:
        start += 1
    end = current + 1
    while end < len(widths) and sum(widths[start : end + 1]) <= room:
        end += 1
    while start > 0 and sum(widths[start - 1 : end]) <= room:
        start -= 1
    return range(start, end)


def _bold_font() -> QFont:
    """The font of the current tab, and of one with a new answer."""
    return ui_font(13, QFont.Weight.Medium)
