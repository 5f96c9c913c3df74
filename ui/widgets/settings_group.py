"""A card of the settings that holds rows, with a hairline between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ui.theme.appearance import appearance
from ui.theme.long_texts import LONGEST, breakable, cut
from ui.theme.theme import ui_font

if TYPE_CHECKING:
    from collections.abc import Sequence


_RADIUS_PX = 10
_SIDE_PX = 14
_ROW_PX = 10
_APART_PX = 14


class SettingsGroup(QWidget):
    """A rounded card with rows from top to bottom."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def add(self, row: QWidget) -> None:
        """Append a row."""
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

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the card and the lines between visible rows."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(appearance.theme.hairline))
        painter.setBrush(QColor(appearance.theme.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, _RADIUS_PX)
        shown = [row for row in self._rows if not row.isHidden()]
        for row in shown[1:]:
            line = QRectF(_SIDE_PX, row.y(), self.width() - 2 * _SIDE_PX, 1)
            painter.fillRect(line, QColor(appearance.theme.hairline))


def stack_groups(page: QWidget, groups: Sequence[QWidget]) -> None:
    """Lay out a page of the settings: its cards, and what it says between them, from top to bottom."""
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(_APART_PX)
    for group in groups:
        column.addWidget(group)
    column.addStretch(1)


class SettingsRow(QWidget):
    """A name, a line about it below in a quieter colour, and a control at the right."""

    def __init__(self, name: str, about: str = "", control: QWidget | None = None) -> None:
        super().__init__()
        self.name = text_label(name, "rowName", 13)
        self.about = text_label(about, "rowAbout", 12)
        text = QVBoxLayout()
        text.setSpacing(2)
        text.addWidget(self.name)
        text.addWidget(self.about)
        line = QHBoxLayout()
        line.setSpacing(16)
        line.addLayout(text, 1)
        if control is not None:
            line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(_SIDE_PX, _ROW_PX, _SIDE_PX, _ROW_PX)
        self.column.setSpacing(8)
        self.column.addLayout(line)
        self.about.setVisible(bool(about))  # not before it has a parent: it would be a window

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


def text_label(text: str, name: str, pixels: int, longest: int = LONGEST) -> QLabel:
    """A label of plain text that wraps, and shows so many characters at most. The style sheet colours it by its object
    name `name`.
    """
    label = _Label(text, longest)
    label.setObjectName(name)
    label.setFont(ui_font(pixels))
    return label
