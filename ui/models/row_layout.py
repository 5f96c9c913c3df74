"""RowLayout: where the parts of a model's row are. The delegate paints there, and the list finds clicks there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect

from resources.language.text import tr
from ui.models.row_words import ICONS, RowAction, badge, buttons
from ui.widgets.action_button import HEIGHT_PX, ButtonFace
from ui.widgets.tone_pill import PILL_PX, pill_width

if TYPE_CHECKING:
    from ui.state.models import ModelRow

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
