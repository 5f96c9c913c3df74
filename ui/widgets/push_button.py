"""A button with a text, as Qt draws it in the app's style, and one that folds a part of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget

from ui.theme.theme import ui_font

Act: TypeAlias = Callable[..., object] | SignalInstance | None
"""What a click does."""
_RETURN: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def pressed_by_return(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Click `button` if the key is Return, as the space bar does. Qt passes Return on to the dialog, which presses its
    default button instead, or to the window, which ignores it. A key that is held down clicks once. Returns whether it
    is Return.
    """
    is_return = event.key() in _RETURN and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if is_return and not event.isAutoRepeat():
        button.click()
    return is_return


class PushButton(QPushButton):
    """A click calls `act`. The style sheet finds it by its `name` and its `kind`. Turns off autoDefault. With it, Qt
    lets the return key press any button of a dialog.
    """

    def __init__(
        self, words: str = "", name: str = "", act: Act = None, *, kind: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(words, parent, autoDefault=False)
        self.setObjectName(name)
        if kind:
            self.setProperty("kind", kind)
        if act is not None:
            self.clicked.connect(act)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Let Return press the button, also if the dialog has another default button."""
        if not pressed_by_return(self, event):
            super().keyPressEvent(event)


class FoldButton(PushButton):
    """Unfolds `part` and folds it again. It says `more` while the part is folded, else `fewer`."""

    def __init__(self, name: str, more: str, fewer: str, part: QWidget) -> None:
        super().__init__(more, name, kind="fold")
        self.setFont(ui_font(12))
        self.setCheckable(True)
        part.hide()
        self.toggled.connect(part.setVisible)
        self.toggled.connect(lambda is_open: self.setText(fewer if is_open else more))
