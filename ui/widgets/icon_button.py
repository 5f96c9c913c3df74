"""A square button with an icon and no text."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget

from ui.theme.appearance import appearance
from ui.theme.tooltips import plain_tip
from ui.widgets.push_button import Act, pressed_by_return
from ui.widgets.theme_icons import Tint, tinted_icon


class IconButton(QToolButton):
    """A square button. `label` is its accessible name and its tool tip, `name` that of the style sheet, and `pixels`
    the sizes of the icon and of the button. A click calls `act`.
    """

    def __init__(
        self,
        icon: str,
        label: str,
        parent: QWidget | None = None,
        *,
        name: str = "",
        pixels: tuple[int, int] = (18, 28),
        act: Act = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setToolTip(plain_tip(label))
        self.setIconSize(QSize(pixels[0], pixels[0]))
        self.setFixedSize(pixels[1], pixels[1])
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_icon(icon)
        appearance.changed.connect(self._draw)
        if act is not None:
            self.clicked.connect(act)

    def show_keys(self, keys: str) -> None:
        """Name the keys that do the same in the tool tip; "" for none."""
        self.setToolTip(plain_tip("\n".join(filter(None, (self.accessibleName(), keys)))))

    def show_icon(self, name: str, tint: Tint = "muted") -> None:
        """Show the icon `name` from now on."""
        self._name, self._tint = name, tint
        self._draw()

    def _draw(self) -> None:
        self.setIcon(tinted_icon(self._name, self._tint))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Let Return press the button, as Space does."""
        if not pressed_by_return(self, event):
            super().keyPressEvent(event)
