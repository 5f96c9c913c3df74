"""The theme of the application, as the user prefers it, and the signal that it has changed. It lives on the GUI thread.

`appearance` is the one application-wide object of `ui/theme`: a widget that paints reads `appearance.theme` while it
paints. Qt repaints every widget when the window gets the style sheet of another theme. Only a widget that keeps
something made from the theme (a pixmap, a font, a width) follows `appearance.changed`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal

from ui.state.preferences import Preferences, zoomed
from ui.theme.theme import DARK, LIGHT, LINE_HEIGHT_PERCENT, Reading, Theme

_COLUMNS: Final = {"narrow": 620, "normal": 740, "wide": 940}
_COMPACT_PERCENT: Final = 128


class Appearance(QObject):
    """Holds the current theme. `changed` is emitted after each change."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.theme = LIGHT

    def turn_to(self, theme: Theme) -> None:
        """Make `theme` the current one."""
        self.theme = theme
        self.changed.emit()

    def follow(self, draw: Callable[[], object]) -> None:
        """Call `draw`, a method of a widget, now and after each change while the widget lives."""
        draw()
        self.changed.connect(draw)


def chosen_theme(preferences: Preferences, system: Theme) -> Theme:
    """`system` is the theme of the system now."""
    colours = {"light": LIGHT, "dark": DARK}.get(preferences.theme, system)
    return replace(
        colours,
        reading=Reading(
            zoomed(preferences.zoom, 0),  # the file may have been edited by hand
            _COLUMNS[preferences.column],
            _COMPACT_PERCENT if preferences.density == "compact" else LINE_HEIGHT_PERCENT,
            calm=preferences.reduce_motion,
        ),
    )


def looks(preferences: Preferences) -> tuple[object, ...]:
    """The preferences that the theme depends on: while they stay, nothing has to be painted again."""
    colours, size = preferences.theme, preferences.zoom
    return colours, size, preferences.column, preferences.density, preferences.reduce_motion


appearance = Appearance()
