"""Counts the events that Qt sends to a widget and to those inside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class _Counter(QObject):
    def __init__(self, events: Counter[tuple[QEvent.Type, str]]) -> None:
        super().__init__()
        self._events = events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        self._events[event.type(), watched.objectName()] += 1
        return False


@contextmanager
def counted(widget: QWidget) -> Iterator[Counter[tuple[QEvent.Type, str]]]:
    """How often each (type of event, object name) comes within the block."""
    events: Counter[tuple[QEvent.Type, str]] = Counter()
    counter = _Counter(events)
    watched = [widget, *widget.findChildren(QWidget)]
    for one in watched:
        one.installEventFilter(counter)
    yield events
    for one in watched:
        one.removeEventFilter(counter)
