"""A card of the settings that holds rows, with a hairline between them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from ui.theme.long_texts import LONGEST, breakable, cut
from ui.theme.theme import ui_font
from ui.widgets.layouts import Placed, in_column, in_row

_SIDE_PX = 14
_ROW_PX = 10
_APART_PX = 14


class SettingsGroup(QWidget):
    """A rounded card with rows from top to bottom. The style sheet paints it, and a line above each row: that of the
    first one that is shown lies in the rim.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def add(self, row: QWidget) -> None:
        """Append a row."""
        row.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._rows.append(row)
        self._column.addWidget(row)

    def remove(self, row: QWidget) -> None:
        """Remove one row."""
        self._rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def clear(self) -> None:
        """Remove all rows."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = []


def stack_groups(page: QWidget, groups: Sequence[QWidget]) -> QVBoxLayout:
    """Lay out a page of the settings: its cards, and what it says between them, from top to bottom."""
    return in_column(*groups, Placed(), spacing=_APART_PX, of=page)


class SettingsRow(QWidget):
    """A name, a line about it below in a quieter colour, and a control at the right."""

    def __init__(self, name: str, about: str = "", control: QWidget | None = None) -> None:
        super().__init__()
        self.name = text_label(name, "rowName", 13)
        self.about = text_label(about, "rowAbout", 12)
        text = in_column(self.name, self.about, spacing=2)
        self._line = in_row(Placed(text, 1), spacing=16)
        self.column = in_column(self._line, spacing=8, margins=(_SIDE_PX, _ROW_PX, _SIDE_PX, _ROW_PX), of=self)
        self.about.setVisible(bool(about))  # not before it has a parent: it would be a window
        if control is not None:
            self.add_control(control)

    def add_control(self, control: QWidget) -> None:
        """Show a control at the right."""
        self._line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)

    def set_about(self, about: str) -> None:
        """Change the line about it."""
        self.about.setText(breakable(about))
        self.about.setVisible(bool(about))


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


def plain_label(name: str, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QLabel:
    """A label of plain text on one line. The style sheet colours it by its object name `name`."""
    label = QLabel(textFormat=Qt.TextFormat.PlainText)
    label.setObjectName(name)
    label.setFont(ui_font(pixels, weight))
    return label


def text_label(text: str, name: str, font: int | QFont, longest: int = LONGEST) -> QLabel:
    """A label of plain text that wraps, and shows so many characters at most. The style sheet colours it by its object
    name `name`. A number for the `font` is a size of the usual one.
    """
    label = _Label(text, longest)
    label.setObjectName(name)
    label.setFont(ui_font(font) if isinstance(font, int) else font)
    return label
