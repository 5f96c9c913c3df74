"""ChipRow: the line of buttons below the text of a message. It runs on the GUI thread.

- If the line is too narrow, pills lose their words and keep their icons: first those that come and go, then the others.
- No button is moved to another line, so that the message box keeps its height.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QWidget

from ui.widgets.face_button import Pill
from ui.widgets.layouts import Placed, in_row

_SPACING_PX = 7
_NAME_PX = 140
"""Room for the name of a model. A longer one is elided before a pill loses its words."""


class ChipRow(QWidget):
    """`passing` are pills that come and go, `lasting` those that stay, and `name` the pill with the model's name."""

    def __init__(
        self,
        start: Sequence[QWidget],
        end: Sequence[QWidget],
        passing: Sequence[Pill],
        lasting: Sequence[Pill],
        name: Pill,
    ) -> None:
        super().__init__()
        self._groups = (passing, lasting)
        self._name = name
        self._parts = (*start, *end)
        row = in_row(*start, Placed(), *end, spacing=_SPACING_PX, of=self)
        row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)

    def event(self, event: QEvent) -> bool:
        """Fit the words again if a button comes, goes or gets another text."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the words to the new width."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for the icons. The words come if there is more."""
        least = sum(_least_width(part) + _SPACING_PX for part in self._shown())
        return QSize(least, self.sizeHint().height())

    def _shown(self) -> list[QWidget]:
        return [part for part in self._parts if not part.isHidden()]

    def _fit(self) -> None:
        shown = self._shown()
        needed = sum(self._whole_width(part) + _SPACING_PX for part in shown)
        for group in self._groups:
            is_short = needed > self.width()
            for pill in group:
                pill.set_short(is_short)
            if is_short:
                needed -= sum(pill.whole_width() - pill.short_width() for pill in group if pill in shown)

    def _whole_width(self, part: QWidget) -> int:
        if part is self._name:
            return min(_NAME_PX, part.sizeHint().width())
        return part.whole_width() if isinstance(part, Pill) else part.sizeHint().width()


def _least_width(part: QWidget) -> int:
    return part.short_width() if isinstance(part, Pill) and part.has_icon else part.minimumSizeHint().width()
