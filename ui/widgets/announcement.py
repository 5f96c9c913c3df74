"""Announcements for users of a screen reader."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QLabel, QWidget

from resources.language.text import mark
from ui.state.chat import MessageState

ENDINGS = {
    MessageState.DONE: mark("Answer finished"),
    MessageState.STOPPED: mark("Answer stopped"),
    MessageState.INTERRUPTED: mark("Answer interrupted"),
    MessageState.FAILED: mark("Answer failed"),
}


def show_aloud(label: QLabel, words: str) -> None:
    """Show a label with these words, and let the screen reader say them."""
    label.setText(words)
    label.show()
    announce(label, words)


def announce(widget: QWidget, text: str) -> None:
    """Ask the screen reader to say `text` after its current sentence."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
