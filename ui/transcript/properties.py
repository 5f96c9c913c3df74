"""TextProperty: what the transcript notes in the formats of its document, beside Qt's own properties."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtGui import QTextFormat

_FIRST = QTextFormat.Property.UserProperty.value


class TextProperty(IntEnum):
    """Properties of blocks, tables and text. Each has a number of its own."""

    KIND = _FIRST + 1
    """Of every block: the kind of its line."""
    NEST = _FIRST + 2
    """Of every block: what its line is nested in."""
    EDITED = _FIRST + 3
    """Set on the bubble of a question that the user is editing."""
    MIRRORED = _FIRST + 4
    """Set if the line is nested at its right side, and on a table, and its cells, whose columns run from right to
    left.
    """
    ROW = _FIRST + 5
    """Of each block inside a table: the number of its row."""
    ROOM = _FIRST + 6
    """Of a table: the width of the column that it is in. A wider table is scrolled."""
    PILL = _FIRST + 7
    """Of inline code and keys. The backdrop paints a pill behind it; a key (2) has an edge."""
    BESIDE = _FIRST + 8
    """Of the room at both sides of inline code, which is no part of the text."""
    CHIP = _FIRST + 9
    """Of the text of a file chip: the number of its chip."""
    CHIP_ICON = _FIRST + 10
    """Of the same text: the name of the icon of its chip."""
    SOURCE = _FIRST + 11
    """Of text that is copied as another text: the TeX of a formula, or the source of an image."""
    FORMULA_INLINE = _FIRST + 12
    FORMULA_SCALE = _FIRST + 13
    IMAGE = _FIRST + 14
    """Of an image: its address."""
    PICTURE_WIDTH = _FIRST + 15
    PICTURE_HEIGHT = _FIRST + 16
    """Of an image or a formula: the room that Qt reserves."""
