"""The question before an action that cannot be undone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

from ui.dialogs.confirmation import confirm
from ui.theme.theme import LIGHT, MAC


def test_a_name_in_a_question_is_no_markup(parent: QWidget) -> None:
    """Neither in the question nor in the text below it: an alias may be "<b>x</b>"."""
    confirm(parent, "Remove <b>x</b>?", "<i>x</i> is deleted.", "Remove", parent.close)
    box = parent.findChild(QMessageBox, "question")
    assert box is not None
    labels = {label.text(): label.textFormat() for label in box.findChildren(QLabel) if label.text()}
    assert labels == dict.fromkeys(("Remove <b>x</b>?", "<i>x</i> is deleted."), Qt.TextFormat.PlainText)
    box.reject()


def test_what_cannot_be_undone_is_red(parent: QWidget) -> None:
    """The button that does it looks unlike any other one."""
    parent.setStyleSheet(LIGHT.qss())
    box = confirm(parent, "Delete?", "", "Delete", lambda: None)
    (button,) = (button for button in box.buttons() if button.text() == "Delete")
    image = button.grab().toImage()
    found = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert LIGHT.danger in found


@pytest.mark.skipif(MAC, reason="macOS shows its own box")
def test_no_button_touches_the_edge(parent: QWidget) -> None:
    """Two long buttons are as far from the left edge as from the right one."""
    parent.setStyleSheet(LIGHT.qss())
    box = confirm(parent, "Quit?", "They are gone then.", "Beenden und löschen", parent.close, "Hearth geöffnet lassen")
    sides = [button.mapTo(box, QPoint()).x() for button in box.buttons()]
    assert min(sides) >= 20
    assert max(sides) > min(sides)
    box.reject()
