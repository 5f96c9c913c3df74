"""Gestures of the mouse on what scrolls sideways in a transcript: code, tables, formulas."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest

from ui.transcript.transcript import Transcript

NONE = Qt.KeyboardModifier.NoModifier


def turn_wheel(transcript: Transcript, x: int, y: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """Turn the wheel over the first wide card."""
    place = transcript.sideways.cards()[0].room.center()
    where = QPointF(transcript.viewport().mapToGlobal(place.toPoint()))
    buttons, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(place, where, QPoint(), QPoint(x, y), buttons, modifiers, phase, False)  # noqa: FBT003 - Qt's
    QGuiApplication.sendEvent(transcript.viewport(), event)


def drag_bar(transcript: Transcript) -> None:
    """Drag the bar of the first wide card to the right edge of the page."""
    view, start = transcript.viewport(), transcript.sideways.cards()[0].thumb.center().toPoint()
    end = QPoint(view.width(), start.y())
    QTest.mousePress(view, Qt.MouseButton.LeftButton, NONE, start)
    QTest.mouseMove(view, end)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, NONE, end)


def drag(transcript: Transcript, place: QPoint, kind: QEvent.Type = QEvent.Type.MouseMove) -> None:
    """Move the mouse with its left button down, also out of the viewport. Qt looks where the mouse is, too."""
    where = QPointF(transcript.viewport().mapToGlobal(place))
    QCursor.setPos(where.toPoint())
    is_move = kind == QEvent.Type.MouseMove
    button, buttons = (Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton)[:: 1 if is_move else -1]
    event = QMouseEvent(kind, QPointF(place), where, button, buttons, NONE)
    QGuiApplication.sendEvent(transcript.viewport(), event)
