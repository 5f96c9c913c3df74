"""Rows and columns of widgets, written as they stand on the screen: the pieces in their order, and the gaps between."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

_B = TypeVar("_B", bound=QBoxLayout)
_W = TypeVar("_W", bound=QWidget)


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


def held(layout: QLayout) -> QWidget:
    """A widget with nothing but this layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def steady(widget: _W) -> _W:
    """Hide `widget`. It keeps its room, so that nothing moves when it is shown."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)
    widget.hide()
    return widget


def discard(widgets: Iterable[QWidget]) -> None:
    """Delete widgets. They are out of sight at once, and take no room in a layout."""
    for widget in widgets:
        widget.hide()
        widget.deleteLater()


def _filled(layout: _B, pieces: tuple[Piece, ...], spacing: int, margins: Margins) -> _B:
    layout.setSpacing(spacing)
    layout.setContentsMargins(*margins)
    for piece in pieces:
        match piece if isinstance(piece, Placed | int) else Placed(piece, 0):
            case int(pixels):
                layout.addSpacing(pixels)
            case Placed(None, share):
                layout.addStretch(share)
            case Placed(QWidget() as widget, share, alignment):
                layout.addWidget(widget, share, alignment)
            case Placed(QLayout() as inner, share):
                layout.addLayout(inner, share)
    return layout
