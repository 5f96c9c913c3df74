"""RowSlide: moves the lines of the sidebar's list to their new places, so that the eye can follow them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QVariantAnimation
from PySide6.QtWidgets import QListView

from ui.sidebar.conversations_model import ConversationRole
from ui.theme.appearance import appearance

_SLIDE_MS = 160


class RowSlide(QVariantAnimation):
    """Knows how far from its place each line of `view` is painted. A line is known by its conversation, or by the words
    of its heading.
    """

    def __init__(self, view: QListView) -> None:
        super().__init__(view, duration=_SLIDE_MS, startValue=1.0, endValue=0.0)
        self._view = view
        self._distances: dict[object, int] = {}
        self.valueChanged.connect(view.viewport().update)

    def tops(self) -> dict[object, int]:
        """Where the lines in view are painted."""
        found, line = {}, self._view.indexAt(QPoint(0, 0))
        while line.isValid() and (top := self._view.visualRect(line).top()) < self._view.height():
            found[line.data(ConversationRole.ID) or line.data()] = top + self.shift(line)
            line = line.siblingAtRow(line.row() + 1)
        return found

    def start_from(self, before: dict[object, int]) -> None:
        """Let the lines slide to their places from where they were painted, unless the user wants calm."""
        self.stop()
        self._distances.clear()
        if not appearance.theme.reading.calm:
            self._distances = {key: before.get(key, top) - top for key, top in self.tops().items()}
            self.start()

    def shift(self, line: QModelIndex | QPersistentModelIndex) -> int:
        """How far below its place a line is painted."""
        distance = self._distances.get(line.data(ConversationRole.ID) or line.data(), 0)
        return round(distance * self.currentValue() ** 3) if distance else 0
