"""Fills a layout with its parts, from the first to the last."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import Qt

Part: TypeAlias = (
    "QWidget | QLayout | int | tuple[QWidget | QLayout, int] | tuple[QWidget | QLayout, int, Qt.AlignmentFlag] | None"
)
Box = TypeVar("Box", bound=QBoxLayout)

STRETCH = None
"""The part that takes the room that the others leave."""


def arrange(layout: Box, *parts: Part, gap: int | None = None, margins: tuple[int, int, int, int] | None = None) -> Box:
    """Add widgets and layouts, each alone or with its stretch and its alignment. A number is room of so many pixels.
    `gap` is the room between parts, `margins` is that around them: left, top, right, bottom.
    """
    if margins is not None:
        layout.setContentsMargins(*margins)
    if gap is not None:
        layout.setSpacing(gap)
    for part in parts:
        if part is STRETCH:
            layout.addStretch(1)
        elif isinstance(part, int):
            layout.addSpacing(part)
        else:
            added, stretch, *alignment = part if isinstance(part, tuple) else (part, 0)
            if isinstance(added, QWidget):
                layout.addWidget(added, stretch, *alignment)
            else:
                layout.addLayout(added, stretch)
    return layout
