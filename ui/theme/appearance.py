"""The theme of the application, and the signal that it has changed. It lives on the GUI thread.

`appearance` is the one application-wide object of `ui/theme`: a widget that paints reads `appearance.theme` while it
paints. Qt repaints every widget when the window gets the style sheet of another theme. Only a widget that keeps
something made from the theme (a pixmap, a font, a width) follows `appearance.changed`.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from ui.theme.theme import LIGHT, Theme


class Appearance(QObject):
    """Holds the current theme. `changed` is emitted after each change."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT

    @property
    def theme(self) -> Theme:
        """The current theme."""
        return self._theme

    def turn_to(self, theme: Theme) -> None:
        """Make `theme` the current one."""
        self._theme = theme
        self.changed.emit()

    def follow(self, draw: Callable[[], object]) -> None:
        """Call `draw`, a method of a widget, now and after each change while the widget lives."""
        draw()
        self.changed.connect(draw)


appearance = Appearance()
