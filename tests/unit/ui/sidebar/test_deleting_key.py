"""The key that deletes a chat in the list."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from ui.sidebar import conversation_list

_NONE, _COMMAND = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.mark.parametrize(
    ("is_mac", "key", "held", "deletes"),
    [
        (False, Qt.Key.Key_Delete, _NONE, True),
        (False, Qt.Key.Key_Backspace, _COMMAND, False),
        (True, Qt.Key.Key_Delete, _NONE, True),
        (True, Qt.Key.Key_Backspace, _COMMAND, True),
        (True, Qt.Key.Key_Backspace, _NONE, False),
    ],
)
def test_each_system_has_its_own_key(
    monkeypatch: pytest.MonkeyPatch,
    is_mac: bool,  # noqa: FBT001 - as the table says
    key: Qt.Key,
    held: Qt.KeyboardModifier,
    deletes: bool,  # noqa: FBT001 - as above
) -> None:
    """A Mac's keyboard may have no Delete, so Command and Backspace do it there, as in the Finder."""
    monkeypatch.setattr(conversation_list, "MAC", is_mac)
    assert conversation_list._deletes(QKeyEvent(QEvent.Type.KeyPress, key, held)) is deletes


def test_a_key_that_is_held_down_deletes_once() -> None:
    """The next row would be the open chat."""
    again = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Delete, _NONE, "", autorep=True)
    assert not conversation_list._deletes(again)
