"""Announcement: owns what is said aloud to those who do not see the screen; when, is for others to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from ui.state import MessageState

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

ENDINGS = {
    MessageState.DONE: "Answer finished",
    MessageState.STOPPED: "Answer stopped",
    MessageState.INTERRUPTED: "Answer interrupted",
    MessageState.FAILED: "Answer failed",
}


def announce(widget: QWidget, text: str) -> None:
    """Let a screen reader say `text` when it has finished what it is saying."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
