"""Return presses the button that has the focus, whatever its kind and whatever else the window offers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QDialog, QVBoxLayout
from pytestqt.qtbot import QtBot

from ui.dialogs.settings_dialog import PaneButton
from ui.widgets.face_button import ActionButton, ButtonFace, Pill
from ui.widgets.icon_button import IconButton
from ui.widgets.push_button import PushButton
from ui.widgets.select_button import SelectButton

KINDS = {
    "push": lambda: PushButton("Restore"),
    "action": lambda: ActionButton(ButtonFace("Restore")),
    "icon": lambda: IconButton("pin", "Restore"),
    "pane": lambda: PaneButton("settings", "Restore"),
    "pill": lambda: Pill(""),
    "select": lambda: SelectButton("Restore"),
}


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
@pytest.mark.parametrize("kind", KINDS)
def test_return_presses_the_button_with_the_focus(qtbot: QtBot, kind: str, key: Qt.Key) -> None:
    """The default button of the dialog is not pressed instead."""
    make: Callable[[], QAbstractButton] = KINDS[kind]
    dialog, button, default = QDialog(), make(), PushButton("Done")
    qtbot.addWidget(dialog)
    layout = QVBoxLayout(dialog)
    for one in (button, default):
        layout.addWidget(one)
    default.setDefault(True)
    pressed = list[str]()
    button.clicked.connect(lambda: pressed.append("focused"))
    default.clicked.connect(lambda: pressed.append("default"))
    dialog.show()
    button.setFocus()
    QTest.keyClick(button, key)
    assert pressed == ["focused"]


def test_return_elsewhere_presses_the_default_button(qtbot: QtBot) -> None:
    """No other button of the dialog takes it."""
    dialog, other, default = QDialog(), PushButton("Restore"), PushButton("Done")
    qtbot.addWidget(dialog)
    layout = QVBoxLayout(dialog)
    for one in (other, default):
        layout.addWidget(one)
    default.setDefault(True)
    other.clicked.connect(lambda: pytest.fail("it has no focus"))
    dialog.show()
    with qtbot.waitSignal(default.clicked):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
