"""The question before an action that cannot be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox

from ui.dialogs.confirmation import confirm

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def test_a_name_in_a_question_is_no_markup(parent: QWidget) -> None:
    """Neither in the question nor in the text below it: an alias may be "<b>x</b>"."""
    confirm(parent, "Remove <b>x</b>?", "<i>x</i> is deleted.", "Remove", parent.close)
    box = parent.findChild(QMessageBox, "question")
    assert box is not None
    labels = {label.text(): label.textFormat() for label in box.findChildren(QLabel) if label.text()}
    assert labels == dict.fromkeys(("Remove <b>x</b>?", "<i>x</i> is deleted."), Qt.TextFormat.PlainText)
    box.reject()
