"""A card of the settings that holds rows, with a hairline between them."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QWidget

from ui.theme.long_texts import LONGEST, breakable, cut
from ui.theme.theme import ui_font
from ui.widgets.layouts import Placed, discard, in_column, in_row

_W = TypeVar("_W", bound=QWidget)


class SettingsGroup(QWidget):
    """A rounded card with rows from top to bottom. The style sheet paints it, and a line above each row: that of the
    first one that is shown lies in the rim.
    """

    def __init__(self, *rows: QWidget) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._rows: list[QWidget] = []
        self._column = in_column(of=self)
        self.add(*rows)

    def add(self, *rows: QWidget) -> None:
        """Append rows."""
        for row in rows:
            row.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            self._rows.append(row)
            self._column.addWidget(row)

    def remove(self, *rows: QWidget) -> None:
        """Remove some of the rows."""
        self._rows = [row for row in self._rows if row not in rows]
        discard(rows)

    def clear(self) -> None:
        """Remove all rows."""
        self.remove(*self._rows)


class SettingsRow(QWidget):
    """A name, a line about it below in a quieter colour, and a control at the right."""

    def __init__(self, name: str, about: str = "", control: QWidget | None = None) -> None:
        super().__init__()
        self.name = text_label(name, "rowName", 13)
        self.about = text_label(about, "rowAbout", 12)
        text = in_column(self.name, self.about, spacing=2)
        self._line = in_row(Placed(text, 1), spacing=16)
        self.column = in_column(self._line, spacing=8, margins=(14, 10, 14, 10), of=self)
        self.about.setVisible(bool(about))  # not before it has a parent: it would be a window
        if control is not None:
            self.add_control(control)

    def add_control(self, control: QWidget) -> None:
        """Show a control at the right."""
        self._line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)

    def set_about(self, about: str) -> None:
        """Change the line about it."""
        show_words(self.about, breakable(about))


class _Label(QLabel):
    """A label whose text begins at the left, in any script. It shows the beginning of a very long text."""

    def __init__(self, text: str, longest: int) -> None:
        super().__init__(cut(text, longest), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._longest = longest
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute  # Qt would take the side from the script
        self.setAlignment(left | Qt.AlignmentFlag.AlignVCenter)

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Show another text."""
        super().setText(cut(text, self._longest))


def named(widget: _W, name: str, font: int | QFont = 0, label: str = "") -> _W:
    """`widget`, which the style sheet knows by `name` and a screen reader by `label`. A number for the `font` is a size
    of the usual one; 0 leaves the font as it is.
    """
    widget.setObjectName(name)
    if font:
        widget.setFont(ui_font(font) if isinstance(font, int) else font)
    if label:
        widget.setAccessibleName(label)
    return widget


def show_words(label: QLabel, words: str) -> None:
    """Show a label with these words, or none at all."""
    label.setText(words)
    label.setVisible(bool(words))


def plain_label(name: str, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QLabel:
    """A label of plain text on one line. The style sheet colours it by its object name `name`."""
    return named(QLabel(textFormat=Qt.TextFormat.PlainText), name, ui_font(pixels, weight))


def text_label(text: str, name: str, font: int | QFont, longest: int = LONGEST) -> QLabel:
    """A label of plain text that wraps, and shows so many characters at most. The style sheet colours it by its object
    name `name`. A number for the `font` is a size of the usual one.
    """
    return named(_Label(text, longest), name, font)


def hidden_label(name: str, font: int) -> QLabel:
    """A `text_label` that is hidden until there are words for it."""
    label = text_label("", name, font)
    label.hide()
    return label
