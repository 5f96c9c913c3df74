"""Helpers to look at a transcript's page: where something is, and whether it is written."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from ui.transcript.transcript import Transcript


def settle(qtbot: QtBot, transcript: Transcript, timeout: int = 10_000) -> None:
    """Wait until the transcript has nothing left to write. Fails after `timeout` milliseconds."""
    if not transcript.is_settled:
        with qtbot.waitSignal(transcript.settled, timeout=timeout):
            pass


def span_point(page: Transcript, text: str) -> QPoint:
    """The middle of the first character of the last place that has this text, in the viewport."""
    cursor = QTextCursor(page.document())
    cursor.setPosition(page.toPlainText().rindex(text))
    left = page.cursorRect(cursor)
    cursor.movePosition(QTextCursor.MoveOperation.Right)
    return (left.center() + page.cursorRect(cursor).center()) / 2


def anchor_point(page: Transcript, href: str) -> QPoint:
    """The middle of the first character that leads to `href`, in the viewport. Raises StopIteration without one."""
    block = page.document().begin()
    positions: list[int] = []
    while block.isValid() and not positions:
        iterator = block.begin()
        while not iterator.atEnd():
            if iterator.fragment().charFormat().anchorHref() == href:
                positions.append(iterator.fragment().position())
            iterator += 1
        block = block.next()
    cursor = QTextCursor(page.document())
    cursor.setPosition(next(iter(positions)))
    left = page.cursorRect(cursor)
    cursor.setPosition(next(iter(positions)) + 1)
    return (left.center() + page.cursorRect(cursor).center()) / 2
