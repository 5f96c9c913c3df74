"""FactsTable: labels with values, one a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from ui.theme.long_texts import breakable, cut
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.elided_text import without_middle
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.settings_group import plain_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QResizeEvent

_LINE_PX = 27
_PAD_PX = 5
_GAP_PX = 12


class FactsTable(QWidget):
    """Lines that are used again for other facts, so that an update does not flicker."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines: list[FactLine] = []
        self._column = in_column(of=self)

    def show_facts(self, facts: Iterable[tuple[str, str]]) -> None:
        """Show these facts instead of the ones before."""
        facts = tuple(facts)
        while len(self.lines) < len(facts):
            self.lines.append(FactLine())
            self._column.addWidget(self.lines[-1])
        for number, line in enumerate(self.lines):
            line.setVisible(number < len(facts))
            if number < len(facts):
                line.show_fact(*facts[number])


class FactLine(QWidget):
    """A label at the left, its value at the right. A value of several words wraps, a path is shortened."""

    def __init__(self) -> None:
        super().__init__()
        self.name = plain_label("factName", 13)
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.value = _FactValue()
        name = Placed(self.name, 0, Qt.AlignmentFlag.AlignTop)
        in_row(name, Placed(self.value), spacing=_GAP_PX, margins=(0, _PAD_PX, 0, _PAD_PX), of=self)
        self.setMinimumHeight(_LINE_PX)

    def show_fact(self, name: str, value: str) -> None:
        """Show another fact."""
        self.name.setText(cut(name))
        self.value.say(value)


class _FactValue(QLabel):
    def __init__(self) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
        self.setObjectName("factValue")
        self.setFont(ui_font(13))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
        self.setAlignment(right | Qt.AlignmentFlag.AlignTop)
        self._value = ""

    def say(self, value: str) -> None:
        self._value = value
        self.setWordWrap(" " in value)
        self.setAccessibleName(value)
        self.setToolTip("" if " " in value else plain_tip(value))
        self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for a few letters: a value never makes the card wider."""
        return QSize(24, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Shorten a path to the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shortened = without_middle(self._value, self.fontMetrics(), self.width())
        self.setText(breakable(self._value) if self.wordWrap() else shortened)
