"""The command palette: a field and a list over the window, used by keyboard alone. It runs on the GUI thread.

- It covers the window with a scrim. A click on the scrim, Escape, and the use of an entry close it.
- The focus returns to the widget that had it, before the chosen entry runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from shiboken6 import isValid

from resources.language.text import tr
from ui.context import WindowContext
from ui.intents.library import LookUp
from ui.palette.entries import Entries, PaletteEntry, Row, used
from ui.search.fuzzy import Marks
from ui.theme.appearance import appearance
from ui.theme.direction import is_right_to_left
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.announcement import announce
from ui.widgets.elided_text import draw_elided, draw_written
from ui.widgets.floating_card import FloatingCard
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.settings_group import named
from ui.widgets.shapes import draw_shape
from ui.widgets.text_field import LineField
from ui.widgets.theme_icons import IconLabel

_WIDTH_PX = 660
_TOP_SHARE = 0.13
_HEIGHT_SHARE = 0.62
_FIELD_PX = 56
_SHADOW_PX = 28
_RADIUS_PX = 16
_FOOT_PX = 8
_ESCAPE_PX = 22
_SEARCH_MS = 120
_LONGEST = 200
"""Characters of a query. A page that was pasted would take seconds, and fits nothing."""
_ROW_PX = 38
_HEADING_PX = 32
_ROLE = Qt.ItemDataRole.UserRole
_INSET_PX = 7
_PAD_PX = 14
_ICON_PX = 17
_TEXT_LEFT_PX = 44
_GAP_PX = 10
_KEY_PX = 20
_PAGE = 7
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _PAGE, Qt.Key.Key_PageUp: -_PAGE}
_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_Index = QModelIndex | QPersistentModelIndex


class CommandPalette(QWidget):
    """While words are typed, their hits in messages are looked up, which `show_found` adds."""

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("palette")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._entries = Entries(())
        self._found: tuple[str, tuple[PaletteEntry, ...]] = ("", ())
        self._recent: list[str] = []
        self._focus_before: QWidget | None = None
        self._card = FloatingCard(self, radius=_RADIUS_PX, shadow=_SHADOW_PX)
        self.field = named(LineField(maxLength=_LONGEST), "paletteField", 16)
        self.field.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
        self.field.setFixedHeight(_FIELD_PX)
        icon, escape = IconLabel("search", "text", 19), named(QLabel(tr("esc")), "paletteKey", 12)
        escape.setFixedHeight(_ESCAPE_PX)
        self.model = _PaletteModel(self)
        self.list = named(QListView(), "paletteList", label=tr("Commands"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(_PaletteDelegate(self))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        nothing = QLabel(tr("No results"), alignment=Qt.AlignmentFlag.AlignCenter)
        self.nothing = named(nothing, "nothingFound", 13)
        rule = named(QFrame(), "paletteRule")
        rule.setFixedHeight(1)
        head = in_row(icon, Placed(self.field), escape, spacing=12, margins=(21, 0, 20, 0))
        lines = (Placed(self.nothing), Placed(self.list), _FOOT_PX)
        in_column(head, rule, *lines, margins=(_SHADOW_PX, _SHADOW_PX, _SHADOW_PX, _SHADOW_PX), of=self._card)
        self._pause = QTimer(self, singleShot=True, interval=_SEARCH_MS)
        self._pause.timeout.connect(lambda: context.send(LookUp(self.field.text().strip())))
        self.field.textChanged.connect(self._type)
        self.field.installEventFilter(self)
        self.list.clicked.connect(self._use)
        window.installEventFilter(self)
        self.hide()

    def open(self, entries: Iterable[PaletteEntry], hint: str = "") -> None:
        """Show the palette with these entries. `hint` says what they are, if they are not everything."""
        words = hint or tr("Search commands, chats, models and settings")
        self.field.setPlaceholderText(words)
        self.field.setAccessibleName(words)
        self._entries = Entries(entries, self._recent)
        self._focus_before = QApplication.focusWidget()
        self._found = ("", ())
        self.field.clear()
        self._fill()
        self.show()
        self.raise_()
        self._settle()
        self.field.setFocus()

    def close_palette(self) -> None:
        """Hide the palette. The focus returns to where it was, if that is still there: a notice goes by itself."""
        self._pause.stop()
        self.hide()
        before, self._focus_before = self._focus_before, None
        if before is not None and isValid(before):
            before.setFocus()

    def show_found(self, words: str, entries: Iterable[PaletteEntry]) -> None:
        """Offer hits in messages below what is there. The chosen entry stays. Those of other words are late and are
        dropped.
        """
        if self.isVisible() and words == self.field.text().strip():
            self._found, chosen = (words, tuple(entries)), self.list.currentIndex().row()
            self._fill()
            if chosen > self.model.first():
                self._go_to(chosen)

    def _type(self) -> None:
        self._fill()
        if self.field.text().strip():
            self._pause.start()

    def _fill(self) -> None:
        words = self.field.text().strip()
        rows = self._entries.rows(words, self._found[1] if self._found[0] == words else ())
        self.model.show_rows(rows)
        self.list.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        self._go_to(self.model.first())
        self.list.scrollToTop()
        self._settle()

    def _go_to(self, number: int) -> None:
        index = self.model.index(number, 0)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if index.isValid():
            self.list.scrollTo(index)
            announce(self.field, index.data(Qt.ItemDataRole.AccessibleTextRole))

    def _use(self, index: QModelIndex) -> None:
        row: Row | None = index.data(_ROLE)
        if row is None or row.entry is None:
            return
        self._recent = used(row.entry.key, self._recent)
        self.close_palette()
        row.entry.run()

    def _settle(self) -> None:
        """Cover the window, with the card in its middle and as high as its lines."""
        self.setGeometry(self.window().rect())
        width, room = min(_WIDTH_PX, self.width() - 40), 2 * _SHADOW_PX
        lines = max(self.model.height(), _ROW_PX + _HEADING_PX)
        height = min(_FIELD_PX + 1 + lines + _FOOT_PX, round(self.height() * _HEIGHT_SHARE))
        top, left = round(self.height() * _TOP_SHARE), (self.width() - width) // 2
        self._card.setGeometry(left - _SHADOW_PX, top - _SHADOW_PX, width + room, height + room)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the window's size, and use the keys of the field."""
        if watched is self.field and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
                event.accept()  # else the menu's shortcut would stop the answer
            elif event.type() == QEvent.Type.KeyPress:
                return self._press(Qt.Key(event.key()))
        elif event.type() == QEvent.Type.Resize and self.isVisible():
            self._settle()
        return super().eventFilter(watched, event)

    def _press(self, key: Qt.Key) -> bool:
        if key in _STEPS:
            self._go_to(self.model.next(self.list.currentIndex().row(), _STEPS[key]))
        elif key in _RETURN:
            self._use(self.list.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self.close_palette()
        else:
            return key in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}  # there is nothing else to reach
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Close on a click beside the card."""
        inside = self._card.geometry().adjusted(_SHADOW_PX, _SHADOW_PX, -_SHADOW_PX, -_SHADOW_PX)
        if not inside.contains(event.position().toPoint()):
            self.close_palette()


class _PaletteModel(QAbstractListModel):
    """The lines. Headings cannot be chosen."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: Sequence[Row] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def height(self) -> int:
        return sum(_ROW_PX if row.entry else _HEADING_PX for row in self._rows)

    def first(self) -> int:
        return next((number for number, row in enumerate(self._rows) if row.entry), -1)

    def next(self, number: int, by: int) -> int:
        """The entry `by` entries further, around the ends if that is one step."""
        places = [place for place, row in enumerate(self._rows) if row.entry]
        if not places:
            return -1
        place = places.index(number) + by if number in places else 0
        return places[place % len(places) if abs(by) == 1 else min(max(place, 0), len(places) - 1)]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._row_at(index)
        if row is None:
            return None
        if role == _ROLE:
            return row
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return row.heading if row.entry is None else ", ".join(filter(None, (row.entry.title, row.entry.about())))
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        usable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        row = self._row_at(index)
        return usable if row is not None and row.entry else Qt.ItemFlag.NoItemFlags

    def _row_at(self, index: _Index) -> Row | None:
        """None if the index is invalid, or of a line from before a reset, for which Qt may ask."""
        return self._rows[index.row()] if 0 <= index.row() < len(self._rows) else None


class _PaletteDelegate(QStyledItemDelegate):
    """All lines of a kind have one height."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._plain, self._bold = ui_font(14), ui_font(14, QFont.Weight.DemiBold)
        self._detail, self._heading = ui_font(13), ui_font(12, QFont.Weight.DemiBold)
        self._key = ui_font(12)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's name
        """A heading is lower than an entry."""
        row: Row = index.data(_ROLE)
        return QSize(option.rect.width(), _ROW_PX if row.entry else _HEADING_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one line."""
        row: Row = index.data(_ROLE)
        rect = QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.entry is None:
            line = rect.adjusted(_INSET_PX + _PAD_PX, 8, 0, 0)
            draw_elided(painter, line, row.heading, self._heading, appearance.theme.muted)
        else:
            if option.state & QStyle.StateFlag.State_Selected:
                draw_shape(painter, rect.adjusted(_INSET_PX, 0, -_INSET_PX, 0), 9, appearance.theme.selected_row)
            self._paint_entry(painter, rect, row.entry, row.marks)
        painter.restore()

    def _paint_entry(self, painter: QPainter, rect: QRect, entry: PaletteEntry, marks: Marks) -> None:
        corner = QPoint(rect.left() + _INSET_PX + _PAD_PX, rect.center().y() - _ICON_PX // 2 + 1)
        if entry.icon:
            draw_icon(painter, entry.icon, appearance.theme.muted, _ICON_PX, corner)
        line = rect.adjusted(_INSET_PX + _TEXT_LEFT_PX, 0, -_INSET_PX - _PAD_PX, 0)
        if entry.keys:
            line.setRight(self._paint_key(painter, line, entry.keys) - _GAP_PX)
        about = entry.about()
        needed = QFontMetrics(self._detail).horizontalAdvance(about) + _GAP_PX if about else 0
        room = line.adjusted(0, 0, -min(needed, line.width() // 3), 0)  # a long title leaves a third to a long detail
        line.setLeft(self._paint_title(painter, room, entry.title, marks) + _GAP_PX)
        draw_elided(painter, line, about, self._detail, appearance.theme.muted)

    def _paint_key(self, painter: QPainter, line: QRect, keys: str) -> int:
        """Paint a shortcut as a key at the end of the line. Returns where it begins."""
        width = QFontMetrics(self._key).horizontalAdvance(keys) + 14
        cap = QRectF(line.right() - width + 0.5, line.center().y() - _KEY_PX / 2 + 0.5, width, _KEY_PX)
        draw_shape(painter, cap, 5, appearance.theme.raised, appearance.theme.hairline)
        painter.setFont(self._key)
        painter.setPen(QColor(appearance.theme.muted))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, keys)
        return int(cap.left())

    def _paint_title(self, painter: QPainter, line: QRect, title: str, marks: Marks) -> int:
        """Paint the title with its marked parts in bold. Returns where it ends."""
        pieces = [(text, self._bold if is_bold else self._plain) for text, is_bold in _pieces(title, marks)]
        width = sum(QFontMetrics(font).horizontalAdvance(text) for text, font in pieces)
        whole = QRect(line.left(), line.top(), min(width + 2, line.width()), line.height())
        room, from_right = QRect(whole), is_right_to_left(title)
        for text, font in pieces:  # in the order in which the script is read
            if room.width() <= 0:
                break
            draw_written(painter, room, text, font, appearance.theme.text)
            width = QFontMetrics(font).horizontalAdvance(text)
            room = room.adjusted(0, 0, -width, 0) if from_right else room.adjusted(width, 0, 0, 0)
        return line.left() + whole.width()


def _pieces(text: str, marks: Marks) -> list[tuple[str, bool]]:
    """The parts of a text in order, and whether each is marked."""
    pieces, at = list[tuple[str, bool]](), 0
    for start, end in marks:
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    return [piece for piece in (*pieces, (text[at:], False)) if piece[0]]
