"""Rows and columns of widgets, written as they stand on the screen: the pieces in their order, and the gaps between."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

_B = TypeVar("_B", bound=QBoxLayout)


class Placed(NamedTuple):
    """A piece with its share of the room that is left, and its alignment there. Without a widget, only the room."""

    piece: QWidget | QLayout | None = None
    share: int = 1
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag(0)


Piece = QWidget | QLayout | Placed | int
"""A number is a gap in pixels."""
Margins = tuple[int, int, int, int]
"""Left, top, right, bottom."""
_NONE: Margins = (0, 0, 0, 0)


def in_row(*pieces: Piece, spacing: int = 0, margins: Margins = _NONE, of: QWidget | None = None) -> QHBoxLayout:
    """Place the pieces from left to right, in the widget `of` if it is given. A `spacing` of -1 is the style's."""
    return _filled(QHBoxLayout(of) if of is not None else QHBoxLayout(), pieces, spacing, margins)


def in_column(*pieces: Piece, spacing: int = 0, margins: Margins = _NONE, of: QWidget | None = None) -> QVBoxLayout:
    """Place the pieces one below the other, as `in_row` does."""
    return _filled(QVBoxLayout(of) if of is not None else QVBoxLayout(), pieces, spacing, margins)


def centred(widget: QWidget) -> Placed:
    """A widget as wide as it wants to be, in the middle of its column."""
    return Placed(widget, 0, Qt.AlignmentFlag.AlignHCenter)


def _filled(layout: _B, pieces: tuple[Piece, ...], spacing: int, margins: Margins) -> _B:
    layout.setSpacing(spacing)
    layout.setContentsMargins(*margins)
    for piece in pieces:
        if isinstance(piece, int):
            layout.addSpacing(piece)
        else:
            _place(layout, piece if isinstance(piece, Placed) else Placed(piece, 0))
    return layout


def _place(layout: QBoxLayout, placed: Placed) -> None:
    if isinstance(placed.piece, QWidget):
        layout.addWidget(placed.piece, placed.share, placed.alignment)
    elif placed.piece is not None:
        layout.addLayout(placed.piece, placed.share)
    else:
        layout.addStretch(placed.share)
