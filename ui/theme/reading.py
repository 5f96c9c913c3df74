"""The theme that the user prefers: its colours, and how its text is set."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ui.state.preferences import Preferences, zoomed
from ui.theme.theme import DARK, LIGHT, LINE_HEIGHT_PERCENT, Reading, Theme

_COLUMNS: Final = {"narrow": 620, "normal": 740, "wide": 940}
_COMPACT_PERCENT: Final = 128


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
    return (
        *(preferences.theme, preferences.zoom, preferences.column, preferences.density),
        preferences.reduce_motion,
    )
