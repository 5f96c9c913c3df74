"""ModelList: the card that lists models, with its Qt item model and the delegate that paints its rows. A row has
buttons. `RowLayout` says where they and the other parts of a row are: the delegate paints there, and the list finds
clicks there. It runs on the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

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
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPainterPath
from PySide6.QtWidgets import (
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
)

from resources.language.text import tr
from ui.models import row_words
from ui.models.row_words import ICONS, RowAction
from ui.state.models import DownloadState, DownloadView, ModelRow, ModelState
from ui.theme.appearance import appearance
from ui.theme.theme import draw_icon, ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.elided_text import draw_elided, on_two_lines
from ui.widgets.face_button import HEIGHT_PX, ActionButton, ButtonFace
from ui.widgets.menu import Menu, context_menu
from ui.widgets.settings_group import named
from ui.widgets.shapes import draw_shape
from ui.widgets.tone_pill import PILL_PX, paint_pill, pill_width

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


ROW_ROLE: Final[int] = Qt.ItemDataRole.UserRole + 1
"""The row that the delegate paints."""


def _searched(row: ModelRow) -> str:
    return f"{row.name} {row_words.second_line(row)}".casefold()


class ModelRowsModel(QAbstractListModel):
    """The rows that match the filter, in the app's order. A change of some rows is reported for those rows only, so
    that the list keeps its selection and scroll position.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._all: tuple[ModelRow, ...] = ()
        self._words: tuple[str, ...] = ()
        self._shown: tuple[ModelRow, ...] = ()

    def show_rows(self, rows: tuple[ModelRow, ...]) -> None:
        """Replace all rows."""
        self._all = rows
        self._update()

    def set_filter(self, text: str) -> None:
        """Show only the rows that contain every word of `text`."""
        self._words = tuple(text.casefold().split())
        self._update()

    def _update(self) -> None:
        rows = tuple(row for row in self._all if all(word in _searched(row) for word in self._words))
        if [row.id for row in rows] != [row.id for row in self._shown]:
            self.beginResetModel()
            self._shown = rows
            self.endResetModel()
            return
        before, self._shown = self._shown, rows
        for number, (old, new) in enumerate(zip(before, rows, strict=True)):
            if old != new:
                self.dataChanged.emit(self.index(number, 0), self.index(number, 0))

    def row_at(self, index: _Index) -> ModelRow | None:
        """The row at `index`. None if the index is invalid, or of a line from before a reset, for which Qt may ask."""
        return self._shown[index.row()] if 0 <= index.row() < len(self._shown) else None

    def best(self) -> ModelRow | None:
        """The row to look at first: the loaded model, or the first one that can be used, or the first."""
        usable = [row for row in self._shown if row.state is ModelState.READY]
        loaded = [row for row in usable if row.loaded]
        return next(iter((*loaded, *usable, *self._shown)), None)

    def successor(self, gone: ModelRow) -> str:
        """The id of the row that stands for a model whose id has changed, because its download is done. Else the id of
        the model itself.
        """
        return next((row.id for row in self._shown if gone.repository and row.repository == gone.repository), gone.id)

    def index_of(self, model: str) -> QModelIndex:
        """The index of a model, invalid if it is not shown."""
        return next((self.index(at, 0) for at, row in enumerate(self._shown) if row.id == model), QModelIndex())

    def rowCount(self, parent: _Index = _ROOT) -> int:  # noqa: N802 - Qt's name
        """The number of rows that match the filter."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One field of one row, or None."""
        row = self.row_at(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return row_words.spoken(row)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip("\n".join(filter(None, (row.name, row_words.second_line(row), row.fit.text))))
            case _ if role == ROW_ROLE:
                return row
            case _:
                return None


ROW_PX = 80
_EDGE_PX = 6
_SIDE_PX = 17
_INDENT_PX = 24
_TILE_PX = 34
_GAP_PX = 14
_BUTTON_GAP_PX = 8
_NARROW_PX = 430
"""Below this width buttons show their icon only."""
_FIGURES_PX = 185
"""Kind, size and context have so much room beside the pill. Else a lower one stands below them."""
_LOW_PILL_PX, _PILL_TOP_PX = 18, 53


class RowLayout(NamedTuple):
    """The rectangles of a row's parts. `text` is the room for all lines. `pill` is empty if the row has none."""

    tile: QRect
    text: QRect
    pill: QRect
    buttons: tuple[tuple[RowAction, QRect], ...]


def face(action: RowAction, width: int) -> ButtonFace:
    """A row's button. Cancel and the button for the menu have no text, as their row already has another button."""
    text = "" if action in {RowAction.CANCEL, RowAction.MORE} or width < _NARROW_PX else tr(action)
    return ButtonFace(text, ICONS[action])


def lay_out(row: ModelRow, rect: QRect) -> RowLayout:
    """Place the parts of a row in `rect`."""
    left = rect.left() + _SIDE_PX + (_INDENT_PX if row.adapter else 0)
    tile = QRect(left, rect.top() + (rect.height() - _TILE_PX) // 2, _TILE_PX, _TILE_PX)
    right = rect.left() + rect.width() - _SIDE_PX
    placed: list[tuple[RowAction, QRect]] = []
    for action in reversed(row_words.buttons(row)):
        width = face(action, rect.width()).width()
        placed.insert(0, (action, QRect(right - width, rect.center().y() - HEIGHT_PX // 2, width, HEIGHT_PX)))
        right -= width + _BUTTON_GAP_PX
    right -= _GAP_PX - _BUTTON_GAP_PX if placed else 0
    text_left = tile.right() + 1 + _GAP_PX
    pill, pill_rect = row_words.badge(row), QRect()
    width = pill_width(pill) if pill is not None else 0
    if pill is not None and right - width - _GAP_PX - text_left < _FIGURES_PX and not row.note:
        pill_rect = QRect(text_left, rect.top() + _PILL_TOP_PX, width, _LOW_PILL_PX)
    elif pill is not None:
        pill_rect = QRect(right - width, rect.center().y() - PILL_PX // 2 + 1, width, PILL_PX)
        right -= width + _GAP_PX
    text = QRect(text_left, rect.top() + _EDGE_PX, max(0, right - text_left), rect.height() - 2 * _EDGE_PX)
    return RowLayout(tile, text, pill_rect, tuple(placed))


_ICON_PX = 18
_TILE_RADIUS_PX = 9
_CARD_RADIUS_PX = 13
"""Inside of the card's rim."""
_BAR_PX = 8
_TEXT_GAP_PX = 12
_LINE_PX = 19
_LIFT_PX = 9
"""How much higher the text of a row with a third line begins."""


class RowDelegate(QStyledItemDelegate):
    """Paints a model as icon, name above its second line, badge and buttons; a download as its progress.

    `hovered` and `pressed` are the row and the button under the mouse. An arrow says that a click `opens` the row.
    """

    def __init__(self, parent: QListView) -> None:
        super().__init__(parent)
        self._list = parent
        self._button = ActionButton(ButtonFace(), parent=parent)  # never shown: the rows have pictures of it
        self._button.hide()
        self.hovered: tuple[str, RowAction | None] = ("", None)
        self.pressed: tuple[str, RowAction | None] = ("", None)
        self.opens = False
        self._name_font = ui_font(15, QFont.Weight.DemiBold)
        self._detail_font = ui_font(13)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:  # noqa: N802 - Qt's name
        """All rows have one height, so that an update never moves a row. The list makes each as wide as itself."""
        return QSize(0, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        row: ModelRow = index.data(ROW_ROLE)
        rect = QRect(option.rect)
        parts = lay_out(row, rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_surface(painter, rect, option.state)
        if index.row() > 0:
            painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), QColor(appearance.theme.hairline))
        self._paint_tile(painter, parts.tile, row)
        if (download := row_words.open_download(row)) is not None:
            self._paint_download(painter, parts, row, download)
        else:
            name = appearance.theme.text if row.state is not ModelState.UNUSABLE else appearance.theme.muted
            lines = self.about(row, parts)
            draw_elided(painter, _name_line(parts.text, lines), self._title(row), self._name_font, name)
            self._paint_below(painter, parts, lines, appearance.theme.muted)
        if (pill := row_words.badge(row)) is not None:
            paint_pill(painter, QRectF(parts.pill), pill)
        self._paint_buttons(painter, parts, row, rect.width())
        painter.restore()

    def _paint_surface(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        """Fill the row, but for the corners of the card that the list is."""
        card = QPainterPath()
        card.addRoundedRect(QRectF(self._list.viewport().rect()), _CARD_RADIUS_PX, _CARD_RADIUS_PX)
        if state & QStyle.StateFlag.State_Selected:
            colour = appearance.theme.field if appearance.theme.dark else appearance.theme.sidebar
            painter.fillPath(card & _path(rect), QColor(colour))
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_Active:
            edge = QRect(rect.left(), rect.top(), 3, rect.height())
            painter.fillPath(card & _path(edge), QColor(appearance.theme.accent))

    def _paint_tile(self, painter: QPainter, tile: QRect, row: ModelRow) -> None:
        loading = row_words.open_download(row) is not None
        draw_shape(painter, tile, _TILE_RADIUS_PX, appearance.theme.bubble)
        name = "download" if loading else "layers" if row.adapter else "box"
        colour = appearance.theme.accent if loading else appearance.theme.muted
        draw_icon(painter, name, colour, _ICON_PX, tile.topLeft() + QPoint(8, 8))

    def _paint_below(self, painter: QPainter, parts: RowLayout, lines: Sequence[str], colour: str) -> None:
        text = parts.text
        for number, line in enumerate(lines):
            place = QRect(text.left(), text.top() + 35 + number * _LINE_PX - _lift(lines), text.width(), 20)
            if number and parts.pill.left() == text.left():
                place.setLeft(parts.pill.right() + 1 + _BUTTON_GAP_PX)
            draw_elided(painter, place, line, self._detail_font, colour)

    def about(self, row: ModelRow, parts: RowLayout) -> tuple[str, ...]:
        """The lines below the name. A note, which says at its end what to do, may have two. If all does not fit into
        one, the first has size and context, and the second, beside a pill that has no other room, what else is known.
        """
        room = parts.text.width()
        if row.note:
            return on_two_lines(row.note, self._detail_font, room)
        metrics = QFontMetrics(self._detail_font)
        is_pill_below = parts.pill.left() == parts.text.left()
        if metrics.horizontalAdvance(row_words.second_line(row)) <= room and not is_pill_below:
            return (row_words.second_line(row),)
        return row_words.divided(row, lambda text: metrics.horizontalAdvance(text) <= room)

    def _paint_download(self, painter: QPainter, parts: RowLayout, row: ModelRow, download: DownloadView) -> None:
        text = parts.text
        lines, colour = self.fault(download, text.width()), appearance.theme.danger
        if row_words.brought_nothing(row):
            lines, colour = self.about(row, parts), appearance.theme.muted
        line = _name_line(text, lines).translated(0, 1)
        said = self._fitting_progress(line.width(), row, download)
        width = QFontMetrics(self._detail_font).horizontalAdvance(said)
        end = QRect(line.right() - width + 1, line.top(), width + 1, line.height())
        draw_elided(painter, end, said, self._detail_font, appearance.theme.muted)
        name = line.adjusted(0, 0, -width - _TEXT_GAP_PX, 0)
        draw_elided(painter, name, self._title(row), self._name_font, appearance.theme.text)
        self._paint_below(painter, parts, lines, colour)
        if not lines:
            self._paint_bar(painter, text, download)

    def _title(self, row: ModelRow) -> str:
        return f"{row.name}  \u203a" if self.opens else row.name

    def fault(self, download: DownloadView, room: int) -> tuple[str, ...]:
        """Why a download failed, on up to two lines. Empty if it did not."""
        failed = download.state is DownloadState.FAILED and download.text
        return on_two_lines(download.text, self._detail_font, room) if failed else ()

    def _fitting_progress(self, room: int, row: ModelRow, download: DownloadView) -> str:
        """The longest text about the progress that leaves room for the name, or for half of a long name."""
        name = min(QFontMetrics(self._name_font).horizontalAdvance(self._title(row)), room // 2)
        texts, metrics = row_words.progress_lines(download), QFontMetrics(self._detail_font)
        fitting = (text for text in texts if name + _TEXT_GAP_PX + metrics.horizontalAdvance(text) <= room)
        return next(fitting, texts[-1])

    def _paint_bar(self, painter: QPainter, text: QRect, download: DownloadView) -> None:
        trough = QRectF(text.left(), text.top() + 45, text.width(), _BAR_PX)
        draw_shape(painter, trough, _BAR_PX / 2, appearance.theme.field)
        is_at_rest = download.state in {DownloadState.PAUSED, DownloadState.FAILED}
        painter.save()
        painter.setClipRect(QRectF(trough.left(), trough.top(), trough.width() * row_words.share(download), _BAR_PX))
        draw_shape(painter, trough, _BAR_PX / 2, appearance.theme.faint if is_at_rest else appearance.theme.accent)
        painter.restore()

    def _paint_buttons(self, painter: QPainter, parts: RowLayout, row: ModelRow, width: int) -> None:
        self._button.ensurePolished()
        for action, rect in parts.buttons:
            self._button.set_face(face(action, width))
            option = QStyleOptionButton()
            self._button.initStyleOption(option)
            option.rect = rect
            option.state |= QStyle.StateFlag.State_Enabled
            if self.hovered == (row.id, action):
                option.state |= QStyle.StateFlag.State_MouseOver
            if self.pressed == (row.id, action):
                option.state |= QStyle.StateFlag.State_Sunken
            self._button.draw(painter, option)


def _path(rect: QRect) -> QPainterPath:
    path = QPainterPath()
    path.addRect(QRectF(rect))
    return path


def _lift(lines: Sequence[str]) -> int:
    return _LIFT_PX * max(0, len(lines) - 1)


def _name_line(text: QRect, below: Sequence[str]) -> QRect:
    return QRect(text.left(), text.top() + 13 - _lift(below), text.width(), 22)


_LEAST_ROWS = 2


class ModelList(QListView):
    """A list of models. Enter does a row's main action. The menu of a row has all its actions.

    `chosen` carries the id of the row that the user selected, `acted` a `ModelRow` and a `RowAction`, `opened` the id
    of a row that the user clicked or opened by the space bar.
    """

    chosen = Signal(str)
    opened = Signal(str)
    acted = Signal(object, object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.rows = ModelRowsModel(self)
        self._selected = ""
        self.delegate = RowDelegate(self)
        named(self, "models", label=name)
        self.setModel(self.rows)
        self.setItemDelegate(self.delegate)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.selectionModel().currentChanged.connect(self._note_choice)

    def show_rows(self, rows: tuple[ModelRow, ...]) -> None:
        """List `rows`. The selection and the scroll position stay."""
        self._keeping_place(lambda: self.rows.show_rows(rows))

    def set_filter(self, text: str) -> None:
        """List only the rows that match `text`."""
        self._keeping_place(lambda: self.rows.set_filter(text))

    def _keeping_place(self, change: Callable[[], object]) -> None:
        top = self.verticalScrollBar().value()
        before = self.rows.row_at(self.currentIndex())
        change()
        self.select(self._selected)
        if before is not None and not self.currentIndex().isValid():
            self.select(self.rows.successor(before))
        self.setMaximumHeight(max(1, self.rows.rowCount()) * ROW_PX + 2)
        self.updateGeometry()
        self.verticalScrollBar().setValue(top)

    def select(self, model: str) -> None:
        """Highlight a model without a signal. It stays highlighted if it is listed later."""
        self._selected = model
        index = self.rows.index_of(model)
        if index.isValid() and index.row() != self.currentIndex().row():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _note_choice(self, index: QModelIndex) -> None:
        row = self.rows.row_at(index)
        if row is not None and row.id != self._selected:
            self._selected = row.id
            self.chosen.emit(row.id)

    def button(self, model: str, action: RowAction) -> QRect:
        """The place of a row's button in the viewport; empty if the row has no such button."""
        index = self.rows.index_of(model)
        if (row := self.rows.row_at(index)) is None:
            return QRect()
        return dict(lay_out(row, self.visualRect(index)).buttons).get(action, QRect())

    def _hit(self, point: QPoint) -> tuple[str, RowAction | None]:
        """The row at this point, "" for none, and the action of the button there."""
        index = self.indexAt(point)
        if (row := self.rows.row_at(index)) is None:
            return "", None
        placed = lay_out(row, self.visualRect(index)).buttons
        return row.id, next((action for action, rect in placed if rect.contains(point)), None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Light the button under the mouse. The list is no target for a drag."""
        self._light(self._hit(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Light no button."""
        self._light(("", None))
        super().leaveEvent(event)

    def _light(self, hit: tuple[str, RowAction | None]) -> None:
        if hit != self.delegate.hovered:
            self.delegate.hovered = hit
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Press a button, or select a row. Ignore other mouse buttons than the left one."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self.delegate.pressed = self._hit(event.position().toPoint())
        if self.delegate.pressed[1] is None:
            super().mousePressEvent(event)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Do what a button says if it was pressed and released, or open the row that was clicked."""
        hit = model, action = self._hit(event.position().toPoint())
        pressed, self.delegate.pressed = self.delegate.pressed, ("", None)
        self.viewport().update()
        super().mouseReleaseEvent(event)
        row = self.rows.row_at(self.rows.index_of(model))
        if row is None or pressed != hit:
            return
        if action is None:
            self.opened.emit(model)
        elif action is RowAction.MORE:
            button = self.button(model, action)
            self.menu_for(row).open_beside(button.translated(self.viewport().mapToGlobal(QPoint(0, 0))))
        else:
            self.acted.emit(row, action)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter does the main action, space opens, other keys move."""
        row = self.rows.row_at(self.currentIndex())
        if row is not None and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            for action in row_words.actions(row)[:1]:
                self.acted.emit(row, action)
        elif row is not None and event.key() == Qt.Key.Key_Space:
            self.opened.emit(row.id)
        else:
            super().keyPressEvent(event)

    def _show_menu(self, point: QPoint) -> None:
        row = self.rows.row_at(self.indexAt(point))
        if row is not None and row_words.menu_actions(row):
            self.menu_for(row).open_at(self.viewport().mapToGlobal(point))

    def menu_for(self, row: ModelRow) -> Menu:
        """The menu of a row."""
        menu = context_menu("modelMenu", self)
        menu.setToolTipsVisible(True)
        for action in row_words.menu_actions(row):
            act = partial(self.acted.emit, row, action)
            if action is RowAction.REMOVE:
                remove = menu.add_destructive(tr(action), act)
                remove.setEnabled(not row_words.why_kept(row))
                remove.setToolTip(row_words.why_kept(row))
            else:
                menu.addAction(tr(action), act)
        return menu

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """All rows."""
        return QSize(400, self.rows.rowCount() * ROW_PX + 2)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Two rows, or one if there are no more."""
        return QSize(200, min(_LEAST_ROWS, max(1, self.rows.rowCount())) * ROW_PX + 2)
