"""Paints the rows of a list of models.

`RowLayout` says where the parts of a row are. The delegate paints there, and the list finds clicks there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionButton, QStyleOptionViewItem

from resources.language.text import tr
from ui.models.row_words import (
    ICONS,
    RowAction,
    badge,
    buttons,
    open_download,
    progress_lines,
    second_line,
    share,
    use_line,
)
from ui.models.rows_model import ROW_ROLE
from ui.state.models import DownloadState, DownloadView, ModelRow, ModelState
from ui.theme.appearance import appearance
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.elided_text import draw_elided, on_two_lines
from ui.widgets.face_button import HEIGHT_PX, ActionButton, ButtonFace
from ui.widgets.tone_pill import PILL_PX, paint_pill, pill_width

ROW_PX = 68
_SIDE_PX = 17
_INDENT_PX = 24
_TILE_PX = 34
_GAP_PX = 14
_BUTTON_GAP_PX = 8
_NARROW_PX = 430
"""Below this width buttons show their icon only."""


class RowLayout(NamedTuple):
    """The rectangles of a row's parts. `text` is the room for both lines. `pill` is empty if the row has none."""

    tile: QRect
    text: QRect
    pill: QRect
    buttons: tuple[tuple[RowAction, QRect], ...]

    def action_at(self, x: int, y: int) -> RowAction | None:
        """The action of the button at this point."""
        return next((action for action, rect in self.buttons if rect.contains(x, y)), None)


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
    for action in reversed(buttons(row)):
        width = face(action, rect.width()).width()
        placed.insert(0, (action, QRect(right - width, rect.center().y() - HEIGHT_PX // 2, width, HEIGHT_PX)))
        right -= width + _BUTTON_GAP_PX
    right -= _GAP_PX - _BUTTON_GAP_PX if placed else 0
    pill = badge(row)
    pill_rect = QRect()
    if pill is not None:
        width = pill_width(pill)
        pill_rect = QRect(right - width, rect.center().y() - PILL_PX // 2 + 1, width, PILL_PX)
        right -= width + _GAP_PX
    text_left = tile.right() + 1 + _GAP_PX
    return RowLayout(
        tile, QRect(text_left, rect.top(), max(0, right - text_left), rect.height()), pill_rect, tuple(placed)
    )


_ICON_PX = 18
_TILE_RADIUS_PX = 9
_CARD_RADIUS_PX = 13
"""Inside of the card's rim."""
_BAR_PX = 8
_TEXT_GAP_PX = 12
_LINE_PX = 17
_LIFT_PX = 8
"""How much higher the text of a row with a third line begins."""
_Index = QModelIndex | QPersistentModelIndex


class RowDelegate(QStyledItemDelegate):
    """Paints a model as icon, name above its second line, badge and buttons; a download as its progress.

    `hovered` and `pressed` are the row and the button under the mouse.
    """

    def __init__(self, parent: QAbstractItemView) -> None:
        super().__init__(parent)
        self._list = parent
        self._button = ActionButton(ButtonFace(), parent)  # never shown: the rows have pictures of it
        self._button.hide()
        self.hovered: tuple[str, RowAction | None] = ("", None)
        self.pressed: tuple[str, RowAction | None] = ("", None)
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
        download = open_download(row)
        if download is None:
            self._paint_lines(painter, parts.text, row)
        else:
            self._paint_download(painter, parts.text, row, download)
        if (pill := badge(row)) is not None:
            paint_pill(painter, QRectF(parts.pill), pill, appearance.theme)
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
        loading = open_download(row) is not None
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(appearance.theme.bubble))
        painter.drawRoundedRect(QRectF(tile), _TILE_RADIUS_PX, _TILE_RADIUS_PX)
        name = "download" if loading else "layers" if row.adapter else "box"
        colour = appearance.theme.accent if loading else appearance.theme.muted
        draw_icon(painter, name, colour, _ICON_PX, tile.topLeft() + QPoint(8, 8))

    def _paint_lines(self, painter: QPainter, text: QRect, row: ModelRow) -> None:
        name = appearance.theme.text if row.state is not ModelState.UNUSABLE else appearance.theme.muted
        lines = self.about(row, text.width())
        draw_elided(painter, _name_line(text).translated(0, -_lift(lines)), row.name, self._name_font, name)
        self._paint_below(painter, text, lines, appearance.theme.muted)

    def _paint_below(self, painter: QPainter, text: QRect, lines: Sequence[str], colour: str) -> None:
        for number, line in enumerate(lines):
            place = _second_line(text).translated(0, number * _LINE_PX - _lift(lines))
            draw_elided(painter, place, line, self._detail_font, colour)

    def about(self, row: ModelRow, room: int) -> tuple[str, ...]:
        """The lines below the name. A note, which says at its end what to do, may have two. If the room is short, the
        detail is shortened, not how the model is used.
        """
        if row.note:
            return on_two_lines(row.note, self._detail_font, room)
        metrics = QFontMetrics(self._detail_font)
        use = f" · {use_line(row)}" if use_line(row) and row.detail else ""
        if not use or metrics.horizontalAdvance(second_line(row)) <= room:
            return (second_line(row),)
        left = room - metrics.horizontalAdvance(use)
        return (metrics.elidedText(row.detail, Qt.TextElideMode.ElideRight, left) + use,)

    def _paint_download(self, painter: QPainter, text: QRect, row: ModelRow, download: DownloadView) -> None:
        fault = self.fault(download, text.width())
        line = _name_line(text).translated(0, 1 - _lift(fault))
        said = self._fitting_progress(line.width(), row, download)
        width = QFontMetrics(self._detail_font).horizontalAdvance(said)
        end = QRect(line.right() - width + 1, line.top(), width + 1, line.height())
        draw_elided(painter, end, said, self._detail_font, appearance.theme.muted)
        name = line.adjusted(0, 0, -width - _TEXT_GAP_PX, 0)
        draw_elided(painter, name, row.name, self._name_font, appearance.theme.text)
        self._paint_below(painter, text, fault, appearance.theme.danger)
        if not fault:
            self._paint_bar(painter, text, download)

    def fault(self, download: DownloadView, room: int) -> tuple[str, ...]:
        """Why a download failed, on up to two lines. Empty if it did not."""
        failed = download.state is DownloadState.FAILED and download.text
        return on_two_lines(download.text, self._detail_font, room) if failed else ()

    def _fitting_progress(self, room: int, row: ModelRow, download: DownloadView) -> str:
        """The longest text about the progress that leaves room for the name, or for half of a long name."""
        name = min(QFontMetrics(self._name_font).horizontalAdvance(row.name), room // 2)
        texts, metrics = progress_lines(download), QFontMetrics(self._detail_font)
        fitting = (text for text in texts if name + _TEXT_GAP_PX + metrics.horizontalAdvance(text) <= room)
        return next(fitting, texts[-1])

    def _paint_bar(self, painter: QPainter, text: QRect, download: DownloadView) -> None:
        trough = QRectF(text.left(), text.top() + 45, text.width(), _BAR_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(appearance.theme.field))
        painter.drawRoundedRect(trough, _BAR_PX / 2, _BAR_PX / 2)
        painter.setBrush(
            QColor(appearance.theme.faint if download.state is DownloadState.PAUSED else appearance.theme.accent)
        )
        painter.save()
        painter.setClipRect(QRectF(trough.left(), trough.top(), trough.width() * share(download), _BAR_PX))
        painter.drawRoundedRect(trough, _BAR_PX / 2, _BAR_PX / 2)
        painter.restore()

    def _paint_buttons(self, painter: QPainter, parts: RowLayout, row: ModelRow, width: int) -> None:
        self._button.ensurePolished()
        for action, rect in parts.buttons:
            self._button.set_face(face(action, width))
            option = QStyleOptionButton()
            self._button.initStyleOption(option)
            option.rect = rect
            option.state |= QStyle.StateFlag.State_Enabled
            for names, flag in (
                (self.hovered, QStyle.StateFlag.State_MouseOver),
                (self.pressed, QStyle.StateFlag.State_Sunken),
            ):
                if names == (row.id, action):
                    option.state |= flag
            self._button.draw(painter, option)


def _path(rect: QRect) -> QPainterPath:
    path = QPainterPath()
    path.addRect(QRectF(rect))
    return path


def _lift(lines: Sequence[str]) -> int:
    return _LIFT_PX * max(0, len(lines) - 1)


def _name_line(text: QRect) -> QRect:
    return QRect(text.left(), text.top() + 13, text.width(), 22)


def _second_line(text: QRect) -> QRect:
    return QRect(text.left(), text.top() + 35, text.width(), 20)
