"""PinButton: pins or unpins a chat. Its icon shows whether the chat is pinned."""

from __future__ import annotations

from PySide6.QtCore import Signal

from resources.language.text import tr
from ui.theme.tooltips import plain_tip
from ui.widgets.icon_button import IconButton


class PinButton(IconButton):
    """A click asks for the other state; the app answers with `show_pinned`. `asked` carries whether to pin the chat."""

    asked = Signal(bool)

    def __init__(self, title: str, *, is_pinned: bool) -> None:
        self._title = title
        self._is_pinned = is_pinned
        super().__init__("pin", "")
        self.clicked.connect(lambda: self.asked.emit(not self._is_pinned))
        self.show_pinned(is_pinned=is_pinned)

    def show_pinned(self, *, is_pinned: bool) -> None:
        """Say whether the chat is pinned."""
        self._is_pinned = is_pinned
        label = tr("Unpin {title}", title=self._title) if is_pinned else tr("Pin {title}", title=self._title)
        self.setAccessibleName(label)
        self.setToolTip(plain_tip(f"{label}\n{tr('What is kept of a pinned chat is never cleared to make room.')}"))
        self.show_icon("pin", "accent" if is_pinned else "muted")
