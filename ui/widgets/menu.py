"""Menu: a menu in Hearth's own look, except on macOS, where menus stay native. It runs on the GUI thread.

- It has rounded corners and a shadow if the desktop blends windows, and plain square edges if it does not.
- It opens beside what it belongs to, and never reaches over the window's edge if it fits into the window.
- A destructive entry stands apart, and is red.
- An entry may have a second, quiet line about it. Native menus have none, so such a menu has our look on macOS too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import Property, QEvent, QMargins, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from ui.theme.long_texts import shortened
from ui.theme.phrases import one_line
from ui.theme.theme import MAC, draw_icon, ui_font
from ui.widgets.elided_text import draw_elided
from ui.widgets.floating_card import blends_windows
from ui.widgets.settings_group import named
from ui.widgets.shapes import draw_shape, smooth_painter

MARGIN_PX = 14
"""The room for the shadow around the panel. The style sheet has the same number."""
_PADDING_PX = 5
_GAP_PX = 4
_EDGE_PX = 8
_RADIUS_PX = 10
_TEXT_LEFT_PX, _TEXT_RIGHT_PX, _CHECK_LEFT_PX = 30, 12, 8
_ICON_PX = 14
_SHADOW, _DARK_SHADOW = 5, 14
_LONGEST = 120
ABOUT_PX = 12
"""The size of the letters of a second line."""


class Menu(QMenu):
    """A menu of any size. `parent` gives it the theme. The entries that are `destructive` are red. With two `lines`,
    the choices have a second one.
    """

    def __init__(self, title: str = "", parent: QWidget | None = None, lines: int = 1) -> None:
        super().__init__(title, parent)
        self._is_native = MAC and lines == 1
        self.setProperty("lines", str(lines))
        self.destructive: list[QAction] = []
        self._left = _TEXT_LEFT_PX
        self.aboutToShow.connect(self._leave_room)
        self._set_colours(" ".join(["#ffffff"] * 2 + ["#000000"] * 4))
        self._floats = not self._is_native and blends_windows()
        self._margin = MARGIN_PX if self._floats else 0
        if self._floats:
            self.setProperty("floating", "true")
            self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
            self.setWindowFlag(Qt.WindowType.FramelessWindowHint)
            self.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)

    def addAction(self, *what: Any) -> QAction:  # type: ignore[override] # noqa: N802 - Qt's name
        """Add an entry. A very long name in its words is shown without its middle."""
        words, *rest = what
        shown = shortened(one_line(words), _LONGEST) if isinstance(words, str) else words
        action: QAction = super().addAction(shown, *rest)
        return action

    def add_destructive(self, words: str, slot: Callable[[], object]) -> QAction:
        """Add an entry that deletes something, apart from the others."""
        if not self.isEmpty():
            self.addSeparator()
        action = self.addAction(words, slot)
        self.destructive.append(action)
        return action

    def open_below(self, widget: QWidget, at_least: int = 0) -> None:
        """Open below the widget, aligned to its nearer side of the window, or above it if there is no room. The panel
        is at least so wide.
        """
        self.setMinimumWidth(at_least + 2 * self._margin)
        self.open_beside(_place_of(widget))

    def open_above(self, widget: QWidget) -> None:
        """Open above the widget, aligned to its nearer side of the window, or below it if there is no room."""
        self.open_beside(_place_of(widget), below=False)

    def open_at(self, point: QPoint) -> None:
        """Open with its corner at this place of the screen: a context menu."""
        self._open(QRect(point, self._panel().size()))

    def open_beside(self, place: QRect, *, below: bool = True) -> None:
        """Open below or above this part of the screen, aligned to its nearer side of the window."""
        panel = self._panel()
        room = self._room()
        is_right = place.center().x() > room.center().x()
        left = place.right() + 1 - panel.width() if is_right else place.left()
        under, over = place.bottom() + 1 + _GAP_PX, place.top() - _GAP_PX - panel.height()
        is_under = under + panel.height() <= room.bottom() if below else over < room.top()
        top = under if is_under else over
        self._open(QRect(QPoint(left, top), panel.size()))

    def activate_first(self) -> None:
        """Activate the first entry, so that the arrow keys start there.

        Qt's setActiveAction would also open the entry's submenu. A click into that submenu then only closes both menus.
        """
        QApplication.sendEvent(self, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier))

    def _open(self, panel: QRect) -> None:
        """Show the panel at this place, moved into the room that it has. A menu that is open already moves there."""
        room = self._room()
        left = max(room.left(), min(panel.left(), room.right() + 1 - panel.width()))
        top = max(room.top(), min(panel.top(), room.bottom() + 1 - panel.height()))
        corner = QPoint(left - self._margin, top - self._margin)
        if self.isVisible():
            self.setGeometry(QRect(corner, self.sizeHint().expandedTo(self.minimumSize())))
        else:
            self.popup(corner)

    def _leave_room(self) -> None:
        """Have a column for check marks if an entry can be checked."""
        has_marks = any(action.isCheckable() for action in self.actions())
        self._left = _TEXT_LEFT_PX if has_marks else _TEXT_RIGHT_PX
        self.setProperty("marks", str(has_marks))
        self.style().polish(self)

    def _panel(self) -> QRect:
        self._leave_room()
        if self.property("lines") != "1":  # Qt would put both lines of an entry into one
            lines = (line for action in self.actions() for line in self._lines(action))
            widest = max((QFontMetrics(font).horizontalAdvance(words) for words, font in lines), default=0)
            beside = self._left + 2 * _TEXT_RIGHT_PX + 2 * (self._margin + _PADDING_PX)
            self.setMinimumWidth(widest + beside)
        size = self.sizeHint().expandedTo(self.minimumSize())
        return QRect(QPoint(0, 0), size).adjusted(0, 0, -2 * self._margin, -2 * self._margin)

    def _room(self) -> QRect:
        """The inside of the window, or of the screen if the window is too small for the menu."""
        parent, panel = self.parentWidget(), self._panel()
        screen = self.screen().availableGeometry()
        if parent is None:
            return screen
        edge = QMargins(_EDGE_PX, _EDGE_PX, _EDGE_PX, _EDGE_PX)
        inside = _place_of(parent.window()).marginsRemoved(edge)
        fits = inside.width() >= panel.width() and inside.height() >= panel.height()
        return inside & screen if fits else screen

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Move a submenu to its entry: Qt leaves the room of both shadows between them, and knows the edges of the
        screen only.
        """
        super().showEvent(event)
        above = self.menuAction().associatedObjects()
        parent = next((menu for menu in above if isinstance(menu, Menu) and menu.isVisible()), None)
        if not self._is_native and parent is not None and parent.activeAction() is self.menuAction():
            self._stand_beside(parent)

    def _stand_beside(self, parent: Menu) -> None:
        """At the side of the menu where Qt put it, or at the other one if the window ends before."""
        margin = self._margin
        overlap = 2 * margin - _GAP_PX // 2
        sides = [parent.x() + parent.width() - overlap, parent.x() - self.width() + overlap]
        if self.x() < parent.x():
            sides.reverse()
        room = self._room().adjusted(-margin, -margin, margin, margin)
        fitting = (x for x in sides if room.left() <= x and x + self.width() <= room.right() + 1)
        self.move(next(fitting, sides[0]), max(room.top(), min(self.y(), room.bottom() + 1 - self.height())))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the shadow, Qt's panel, and our entries in the place of Qt's."""
        if self._floats:
            self._paint_shadow()
        super().paintEvent(event)
        if not self._is_native:
            self._paint_entries()

    def _paint_shadow(self) -> None:
        """Each ring is darker than the ring around it."""
        painter = smooth_painter(self)
        panel = QRectF(self.rect()).adjusted(MARGIN_PX, MARGIN_PX, -MARGIN_PX, -MARGIN_PX)
        for ring in range(MARGIN_PX, 0, -1):
            nearness = 1 - ring / MARGIN_PX
            shade = QColor(0, 0, 0, round(self._shadow * (0.15 + nearness)))
            fallen = panel.adjusted(-ring, -ring + 3, ring, min(ring + 2, MARGIN_PX))
            draw_shape(painter, fallen, _RADIUS_PX + ring, shade)

    def _paint_entries(self) -> None:
        margin = self._margin + _PADDING_PX
        inside = self.rect().adjusted(margin, margin, -margin, -margin)
        painter = smooth_painter(self)
        painter.setClipRect(inside)
        for action in self.actions():
            place = self.actionGeometry(action)
            if not action.isSeparator() and action.isVisible() and inside.contains(place):
                self._paint_entry(painter, action, place)

    def _paint_entry(self, painter: QPainter, action: QAction, place: QRect) -> None:
        painter.fillRect(place, self._surface)
        if action is self.activeAction() and action.isEnabled():
            draw_shape(painter, place, 6, self._active)
        lines = self._lines(action)
        heights = [QFontMetrics(font).height() for _, font in lines]
        top = place.center().y() - sum(heights) // 2
        is_off, icon_top = not action.isEnabled(), top + (heights[0] - _ICON_PX) // 2 + 1
        ink = self._off if is_off else self._danger if action in self.destructive else self._ink
        if action.isChecked():
            draw_icon(painter, "check", ink.name(), _ICON_PX, QPoint(place.left() + _CHECK_LEFT_PX, icon_top))
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        room = place.adjusted(self._left, 0, -_TEXT_RIGHT_PX, 0)
        pens = ink, self._off if is_off else self._quiet
        for (words, font), height, pen in zip(lines, heights, pens, strict=False):
            painter.setFont(font)
            painter.setPen(pen)
            line = QRect(room.left(), top, room.width(), height)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextHideMnemonic, words)
            top += height
        if action.menu() is not None:
            corner = QPoint(place.right() - _TEXT_RIGHT_PX - 2, icon_top)
            draw_icon(painter, "chevron-right", ink.name(), _ICON_PX, corner)
        elif keys:
            width = self.fontMetrics().horizontalAdvance(keys)
            end = QRect(room.right() - width + 1, room.top(), width + 1, room.height())
            draw_elided(painter, end, keys, self.font(), (self._off if is_off else self._quiet).name())

    def _lines(self, action: QAction) -> list[tuple[str, QFont]]:
        return list(zip(action.text().split("\n"), (self.font(), ui_font(ABOUT_PX)), strict=False))

    def _set_colours(self, names: str) -> None:
        """Take the colours of the theme from the style sheet, which knows when the theme changes."""
        colours = [QColor(name) for name in names.split()]
        self._surface, self._active, self._ink, self._quiet, self._off, self._danger = colours
        self._shadow = _SHADOW if self._surface.lightness() > self._ink.lightness() else _DARK_SHADOW
        self.update()

    colours = Property(str, lambda _menu: "", _set_colours)  # Qt sets only what can be read


class ChoiceMenu(Menu):
    """A menu of choices, one of which is checked. `picked` carries the key of the one that the user made."""

    picked = Signal(str)

    def __init__(self, parent: QWidget, lines: int = 1) -> None:
        super().__init__(parent=parent, lines=lines)
        self.setToolTipsVisible(True)
        self.group = QActionGroup(self)
        """The entries of the choices, without what else the menu has."""

    def offer(self, choices: Iterable[tuple[str, str]], current: str) -> None:
        """Offer choices as (key, words)."""
        self.clear()
        for key, words in choices:
            action = self.addAction(words.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(key == current)
            action.setData(key)
            self.group.addAction(action)
            action.triggered.connect(lambda _on=False, key=key: self.picked.emit(key))


def two_lines(name: str, about: str) -> str:
    """The words of an entry: its name, and what is said about it, if anything."""
    return "\n".join(filter(None, (name, about)))


def context_menu(name: str, parent: QWidget, lines: int = 1) -> Menu:
    """A menu that deletes itself when it closes."""
    menu = named(Menu(parent=parent, lines=lines), name)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def _place_of(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
