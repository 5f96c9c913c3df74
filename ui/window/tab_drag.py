"""TabDrag: a tab that the mouse has lifted, and the neighbours that make room for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEasingCurve, QObject, QPoint, QVariantAnimation
from PySide6.QtWidgets import QApplication

_SLIDE_MS = 120


@dataclass(slots=True)
class TabDrag:
    """The tab of `conversation`, pressed at `pressed`. `grip` is how far from its left edge. `left` is where it is
    painted, once it `began` to move.
    """

    conversation: str
    pressed: QPoint
    grip: int
    left: int
    began: bool = False

    def move_to(self, point: QPoint, least: int, most: int) -> None:
        """Follow the mouse, between these two left edges."""
        self.began = self.began or (point - self.pressed).manhattanLength() >= QApplication.startDragDistance()
        self.left = max(least, min(point.x() - self.grip, most))


class Slides(QObject):
    """How far each tab is from its place while it slides there. `moved` is called for each frame."""

    def __init__(self, parent: QObject, moved: Callable[[], object]) -> None:
        super().__init__(parent)
        self._moved = moved
        self._running: dict[str, QVariantAnimation] = {}

    def start(self, conversation: str, distance: int) -> None:
        """Let a tab slide to its place from `distance` pixels to the right of it."""
        slide = QVariantAnimation(self, duration=_SLIDE_MS)
        slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        slide.setStartValue(float(distance))
        slide.setEndValue(0.0)
        slide.valueChanged.connect(lambda _value: self._moved())
        slide.finished.connect(lambda: self._end(conversation, slide))
        self._running[conversation] = slide
        slide.start()

    def offset(self, conversation: str) -> int:
        """How far a tab is to the right of its place now."""
        slide = self._running.get(conversation)
        return 0 if slide is None else round(slide.currentValue())

    def _end(self, conversation: str, slide: QVariantAnimation) -> None:
        if self._running.get(conversation) is slide:
            del self._running[conversation]
        slide.deleteLater()
        self._moved()
