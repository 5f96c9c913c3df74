"""Lets Return press the button that has the focus, as the space bar does. Qt passes Return on to the dialog, which
presses its default button instead, or to the window, which ignores it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QAbstractButton

_RETURN: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def pressed_by_return(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Click `button` if the key is Return. A key that is held down clicks once. Returns whether it is Return."""
    is_return = event.key() in _RETURN and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if is_return and not event.isAutoRepeat():
        button.click()
    return is_return
