"""ContextMap: the turns of a chat as blocks, as wide as they are long, in the colours of what happens to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtWidgets import QSizePolicy

from resources.language.text import plural
from ui.widgets.blocks import Block, Blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ui.state.chat_memory import ChatMemoryView, TurnBlock

_HEIGHT_PX: Final = 32
_BLOCK_PX: Final = 24
_GAP_PX: Final = 2
_LEAST_PX: Final = 3
_RADIUS_PX: Final = 4
_DOT_PX: Final = 3
_COLOURS: Final = {"kept": "chats_share", "again": "button_off", "writing": "accent"}


def widths(turns: tuple[TurnBlock, ...], room: float) -> list[float]:
    """The width of each block: its share of the room, and at least a few pixels."""
    total = sum(turn.tokens for turn in turns) or 1
    free = max(0.0, room - _GAP_PX * (len(turns) - 1) - _LEAST_PX * len(turns))
    return [_LEAST_PX + free * turn.tokens / total for turn in turns]


class ContextMap(Blocks):
    """Dots below the blocks are the points at which reading could begin from disk."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("contextMap")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._turns: tuple[TurnBlock, ...] = ()
        self._places: tuple[float, ...] = ()

    def show_memory(self, view: ChatMemoryView) -> None:
        """Show the turns of a conversation."""
        self._turns, self._places = view.turns, view.places
        kept = sum(turn.state == "kept" for turn in self._turns)
        self.setAccessibleName(
            plural("{kept} of {count} turn kept", "{kept} of {count} turns kept", len(self._turns), kept=kept)
        )
        self.setVisible(bool(self._turns))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as there is room."""
        return QSize(120, _HEIGHT_PX)

    def blocks(self) -> Iterable[Block]:
        """The blocks of the turns, and the dots."""
        left = 0.0
        for turn, width in zip(self._turns, widths(self._turns, self.width()), strict=True):
            yield Block(QRectF(left, 0, width, _BLOCK_PX), _COLOURS[turn.state], min(_RADIUS_PX, width / 2))
            left += width + _GAP_PX
        for place in self._places:
            x = min(place * self.width(), self.width() - _DOT_PX)
            yield Block(QRectF(x, _HEIGHT_PX - _DOT_PX - 1, _DOT_PX, _DOT_PX), "muted", _DOT_PX / 2)
