"""FactsTable: labels with values, one a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from ui.theme.phrases import breakable
from ui.theme.theme import ui_font

if TYPE_CHECKING:
    from collections.abc import Iterable

_LINE_PX = 27


class FactsTable(QWidget):
    """Lines that are used again if the number of facts changes little, so that an update does not flicker."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[tuple[QLabel, QLabel]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)

    def show_facts(self, facts: Iterable[tuple[str, str]]) -> None:
        """Show these facts instead of the ones before."""
        facts = tuple(facts)
        while len(self._lines) < len(facts):
            self._add_line()
        for number, line in enumerate(self._lines):
            for label, text in zip(line, facts[number] if number < len(facts) else ("", ""), strict=True):
                label.setText(breakable(text))
                label.setVisible(number < len(facts))

    def _add_line(self) -> None:
        number = len(self._lines)
        name, value = QLabel(), QLabel()
        name.setObjectName("factName")
        value.setObjectName("factValue")
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value.setWordWrap(True)
        for column, label in enumerate((name, value)):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setFont(ui_font(13))
            label.setMinimumHeight(_LINE_PX)
            self._grid.addWidget(label, number, column)
        self._lines.append((name, value))
