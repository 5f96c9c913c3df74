"""Icons in a colour of the theme, as a label and as an action in a text field. Both follow the theme."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QLabel

from ui.theme.appearance import appearance

Tint: TypeAlias = Literal["text", "muted", "faint", "accent"]

_ACTION_PX = 16


def tinted_icon(name: str, tint: Tint, pixels: int = 18) -> QIcon:
    """The Lucide icon `name` in a colour of the current theme."""
    return appearance.theme.icon(name, getattr(appearance.theme, tint), pixels)


class IconLabel(QLabel):
    """An icon of `pixels` device-independent pixels."""

    def __init__(self, name: str, tint: Tint, pixels: int) -> None:
        super().__init__()
        self._name, self._tint, self._pixels = name, tint, pixels
        appearance.follow(self._draw)

    def show_icon(self, name: str) -> None:
        """Show the icon `name` from now on."""
        self._name = name
        self._draw()

    def _draw(self) -> None:
        icon = tinted_icon(self._name, self._tint, self._pixels)
        self.setPixmap(icon.pixmap(self._pixels, self._pixels))


class IconAction(QAction):
    """An action of a text field, shown as an icon."""

    def __init__(self, name: str, tint: Tint, label: str, parent: QObject) -> None:
        super().__init__(label, parent)
        self.show_icon(name, tint)
        appearance.changed.connect(self._draw)

    def show_icon(self, name: str, tint: Tint) -> None:
        """Show the icon `name` from now on."""
        self._name, self._tint = name, tint
        self._draw()

    def _draw(self) -> None:
        self.setIcon(tinted_icon(self._name, self._tint, _ACTION_PX))
