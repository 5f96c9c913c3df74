"""TabStrip: the row of tabs, one for each open conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QTabBar, QWidget

from ui.theme.phrases import is_busy, one_line
from ui.theme.theme import icon_pixmap, ui_font
from ui.widgets.elided_text import draw_elided

if TYPE_CHECKING:
    from ui.state.chat import ChatStatus
    from ui.theme.theme import Theme

_UNTITLED = "New chat"
_HEIGHT_PX = 32
_GAP_PX = 7
_PAD_PX = 12
_DOT_PX = 7
_DOT_ROOM_PX = 15
_MASK_PX = 14
_MASK_ROOM_PX = 20
_CLOSE_PX = 20
_WIDEST_PX = 207
_NARROWEST_PX = 124


class TabStrip(QTabBar):
    """Pill-shaped tabs, keyed by conversation. Private ones are marked. A click on a cross only requests to close."""

    shown = Signal(str)
    close_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tabs")
        self.setAccessibleName("Open chats")
        self._theme = theme
        self._live: set[str] = set()
        self._private: set[str] = set()
        self._hovered = -1
        self._font, self._quiet_font = ui_font(13, QFont.Weight.Medium), ui_font(13)
        self.setFont(self._font)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setMouseTracking(True)
        self.currentChanged.connect(lambda _index: self.shown.emit(self.current()))

    def add(self, conversation: str, title: str) -> None:
        """Append a tab without showing it."""
        with QSignalBlocker(self):  # Qt makes the first tab current before its data is set
            self.setTabData(self.addTab(""), conversation)
        self.set_title(conversation, title)

    def add_private(self, conversation: str, title: str) -> None:
        """Append the tab of a private chat without showing it."""
        self._private.add(conversation)
        self.add(conversation, title)

    def remove(self, conversation: str) -> None:
        """Remove the tab of `conversation`. `shown` is not emitted."""
        self._live.discard(conversation)
        self._private.discard(conversation)
        with QSignalBlocker(self):
            self.removeTab(self.index_of(conversation))

    def show_tab(self, conversation: str) -> None:
        """Make the tab of `conversation` current."""
        self.setCurrentIndex(self.index_of(conversation))

    def set_title(self, conversation: str, title: str) -> None:
        """Name a tab. Ampersands are shown as they are, not taken as shortcuts."""
        index = self.index_of(conversation)
        words = one_line(title, _UNTITLED)
        if words == _UNTITLED and conversation in self._private:
            words = "Private chat"
        self.setTabText(index, words.replace("&", "&&"))
        self.setTabToolTip(index, words)
        self._say(index, "")

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Show or hide the dot of a busy tab."""
        index = self.index_of(conversation)
        if index < 0 or is_busy(status) == (conversation in self._live):
            return
        if is_busy(status):
            self._live.add(conversation)
        else:
            self._live.discard(conversation)
        self._say(index, "answering" if is_busy(status) else "")
        self.setTabText(index, self.tabText(index))  # Qt computes the tab's size only when its text is set

    def _say(self, index: int, live: str) -> None:
        is_private = self.conversation_at(index) in self._private
        parts = (self.tabToolTip(index), "private" if is_private else "", live)
        self.setAccessibleTabName(index, ", ".join(part for part in parts if part))

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        self._theme = theme
        self.update()

    def current(self) -> str:
        """The conversation of the current tab, "" without tabs."""
        return self.conversation_at(self.currentIndex())

    def title_of(self, conversation: str) -> str:
        """The full title of a tab, "" if it does not exist."""
        return self.tabToolTip(self.index_of(conversation))

    def is_private(self, conversation: str) -> bool:
        """Whether a conversation has a private tab."""
        return conversation in self._private

    def conversation_at(self, index: int) -> str:
        """The conversation of the tab at `index`, "" if it does not exist."""
        return str(self.tabData(index) or "") if 0 <= index < self.count() else ""

    def index_of(self, conversation: str) -> int:
        """The index of the tab of `conversation`, -1 if it does not exist."""
        return next((i for i in range(self.count()) if self.tabData(i) == conversation), -1)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """No width without tabs: Qt would reserve some."""
        return super().sizeHint() if self.count() else QSize(0, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """At most the preferred width: Qt would add room for its scroll arrows."""
        return super().minimumSizeHint().boundedTo(self.sizeHint())

    def tabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        """As wide as the title, up to a limit."""
        marks = self._mark_room(self.conversation_at(index))
        text = QFontMetrics(self._font).horizontalAdvance(self._title(index))
        return QSize(min(_WIDEST_PX, 2 * _PAD_PX + marks + text + _CLOSE_PX) + _GAP_PX, _HEIGHT_PX)

    def _mark_room(self, conversation: str) -> int:
        dot = _DOT_ROOM_PX if conversation in self._live else 0
        return dot + (_MASK_ROOM_PX if conversation in self._private else 0)

    def minimumTabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        """Tabs shrink to this width before the row scrolls."""
        return QSize(min(_NARROWEST_PX, self.tabSizeHint(index).width()), _HEIGHT_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint every visible tab."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in range(self.count()):
            if self.tabRect(index).intersects(self.rect()):
                self._paint_tab(painter, index)

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        pill = self._pill(index)
        current = index == self.currentIndex()
        self._paint_pill(painter, pill, index)
        if self.conversation_at(index) in self._private and not self._keyboard_is_here(index):
            self._paint_curtain(painter, pill)
        line = pill.adjusted(_PAD_PX, 0, -_PAD_PX, 0)
        if self.conversation_at(index) in self._live:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.accent))
            painter.drawEllipse(QRectF(line.left(), pill.center().y() - _DOT_PX / 2 + 1, _DOT_PX, _DOT_PX))
            line.setLeft(line.left() + _DOT_ROOM_PX)
        if self.conversation_at(index) in self._private:
            colour = self._theme.text if current else self._theme.muted
            icon = icon_pixmap("eye-off", colour, _MASK_PX, self.devicePixelRatioF())
            painter.drawPixmap(line.left(), pill.center().y() - _MASK_PX // 2 + 1, icon)
            line.setLeft(line.left() + _MASK_ROOM_PX)
        if current or index == self._hovered:
            self._paint_close(painter, index)
            line.setRight(self.close_rect(index).left() - 6)
        font, colour = (self._font, self._theme.text) if current else (self._quiet_font, self._theme.muted)
        draw_elided(painter, line, self._title(index), font, colour)

    def _paint_pill(self, painter: QPainter, pill: QRect, index: int) -> None:
        if index == self.currentIndex():
            painter.setBrush(QColor(self._theme.selected_tab))
        elif index == self._hovered:
            painter.setBrush(QColor(self._theme.hovered_row))
        else:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(pill, 7, 7)
        if self._keyboard_is_here(index):
            painter.setPen(QColor(self._theme.accent))
            painter.drawRoundedRect(QRectF(pill).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)

    def _paint_curtain(self, painter: QPainter, pill: QRect) -> None:
        painter.setPen(QPen(QColor(self._theme.button_off), 1, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(pill).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)

    def _keyboard_is_here(self, index: int) -> bool:
        return self.hasFocus() and index == self.currentIndex()

    def _paint_close(self, painter: QPainter, index: int) -> None:
        rect = self.close_rect(index)
        if rect.contains(self.mapFromGlobal(self.cursor().pos())):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.hairline))
            painter.drawRoundedRect(rect, 5, 5)
        icon = icon_pixmap("x", self._theme.muted, 14, self.devicePixelRatioF())
        painter.drawPixmap(rect.topLeft() + QPoint(3, 3), icon)

    def _title(self, index: int) -> str:
        return self.tabText(index).replace("&&", "&")

    def _pill(self, index: int) -> QRect:
        return self.tabRect(index).adjusted(0, 0, -_GAP_PX, 0)

    def close_rect(self, index: int) -> QRect:
        """Where the cross of a tab is painted."""
        pill = self._pill(index)
        return QRect(pill.right() - _CLOSE_PX - 5, pill.center().y() - 9, _CLOSE_PX, _CLOSE_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll anew from the first tab to the current one: the old offset may leave room unused."""
        super().resizeEvent(event)
        current = self.currentIndex()
        with QSignalBlocker(self):
            self.setCurrentIndex(0)
            self.setCurrentIndex(current)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A press on a cross does not switch to the tab."""
        if self._on_cross(event) < 0 and event.button() == Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Request to close a tab, by its cross or the middle button."""
        index = self._on_cross(event)
        if event.button() == Qt.MouseButton.MiddleButton:
            index = self.tabAt(event.position().toPoint())
        if index >= 0:
            self.close_requested.emit(self.conversation_at(index))
        else:
            super().mouseReleaseEvent(event)

    def _on_cross(self, event: QMouseEvent) -> int:
        point = event.position().toPoint()
        index = self.tabAt(point)
        return index if index >= 0 and self.close_rect(index).contains(point) else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Show the cross of the tab under the mouse."""
        self._hovered = self.tabAt(event.position().toPoint())
        self.update()
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Hide the cross."""
        self._hovered = -1
        self.update()
        super().leaveEvent(event)
