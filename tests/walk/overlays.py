"""What lies over the window: menus and dialogs. They are used, or taken away."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLineEdit

from tests.walk import hands
from tests.walk.user import User

_USES = 0.35
"""How often a dialog is used, and how often it is closed. One that blocks the window is used instead."""


def is_free(user: User) -> bool:
    """Whether nothing lies over the window. If something does, use it or take it away."""
    if (menu := hands.popup()) is not None:
        _use_menu(user, menu)
        return False
    if user.window.palette_box.isVisible():
        user.window.palette_box.close_palette()
    found = hands.dialogs()
    use = user.chance.random() if found else 1.0
    if use < _USES or (use < 2 * _USES and hands.modal() is not None):
        _use_dialog(user, found[-1])
        return False
    if use < 2 * _USES:
        user.tell(f"closes {found[-1].objectName()}")
        found[-1].close()
    if hands.modal() is not None:
        _dismiss(user)
    return True


def _use_menu(user: User, menu: Any) -> None:
    found = hands.entries(menu)
    if not found or user.chance.randint(0, 3) == 0:
        user.tell("closes the menu")
        hands.close_popups()
        return
    action = found[user.pick(len(found))]
    if action.objectName() == "action_quit":
        hands.close_popups()
        return
    user.tell(f"menu: {action.text()!r}")
    user.edits = True
    submenu = hands.below(action)
    if submenu is None:
        hands.close_popups()
        action.trigger()
    else:
        _use_menu(user, submenu)


def _use_dialog(user: User, dialog: Any) -> None:
    if isinstance(dialog, QFileDialog):
        folder = dialog.findChild(QAbstractButton, "attachThisFolder")
        if isinstance(folder, QAbstractButton) and user.chance.random() < 0.3:
            user.tell(f"clicks {hands.name_of(folder)}")
            hands.click(folder)
            return
        path = user.chance.choice(user.scene.paths())
        user.tell(f"file {path}")
        hands.accept_file(dialog, path)
        return
    buttons, fields = hands.buttons(dialog), hands.fields(dialog)
    if fields and user.chance.random() < 0.5:
        field = fields[user.pick(len(fields))]
        user.tell(f"dialog {dialog.objectName()}: into {hands.name_of(field)}")
        hands.click(field)
        if isinstance(field, QLineEdit) and not field.isReadOnly():
            field.setText(user.chance.choice(("7", "Blue", "", "ä, b", "0.5")))
            QTest.keyClick(field, Qt.Key.Key_Return)
    elif buttons:
        button = buttons[user.pick(len(buttons))]
        user.tell(f"dialog {dialog.objectName()}: clicks {hands.name_of(button)}")
        hands.click(button)


def _dismiss(user: User) -> None:
    for _ in range(5):
        if (blocking := hands.modal()) is None:
            return
        user.tell(f"dismisses {type(blocking).__name__} {blocking.objectName()}")
        blocking.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def clear(user: User) -> None:
    """Take away all that lies over the window, as one must before it can be closed."""
    hands.close_popups()
    _dismiss(user)


def leave_nested_loop(user: User) -> None:
    """Some of Qt's own dialogs open others, as the one for a printer does, and wait for them inside a click."""
    if user.house.is_waiting:
        return
    hands.close_popups()
    if (blocking := hands.modal()) is not None:
        user.tell(f"leaves {type(blocking).__name__} {blocking.objectName()}")
        blocking.close()
