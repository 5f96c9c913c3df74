"""The settings page about colours, the size of the text and motion."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from resources.language.text import tr
from ui.context import WindowContext, follow
from ui.intents.settings import SetPreferences
from ui.state.preferences import LEAST_ZOOM, MOST_ZOOM, ZOOM_STEP, Preferences
from ui.widgets.segmented import Segmented
from ui.widgets.settings_group import SettingsGroup, SettingsRow, stack_groups
from ui.widgets.stop_slider import StopSlider
from ui.widgets.switch import Switch

if TYPE_CHECKING:
    from typing import Literal


_THEMES: Final[tuple[Literal["system", "light", "dark"], ...]] = ("system", "light", "dark")
_COLUMNS: Final[tuple[Literal["narrow", "normal", "wide"], ...]] = ("narrow", "normal", "wide")
_DENSITIES: Final[tuple[Literal["comfortable", "compact"], ...]] = ("comfortable", "compact")
_ZOOMS: Final = tuple(range(LEAST_ZOOM, MOST_ZOOM + 1, ZOOM_STEP))


class AppearancePane(QWidget):
    """Shows the values that the app sends, and reports what the user wants."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._shown = Preferences()
        self.theme = Segmented((tr("System"), tr("Light"), tr("Dark")))
        self.zoom = StopSlider(tr("Text size"), [tr("{percent}%", percent=zoom) for zoom in _ZOOMS], _ZOOMS.index(100))
        self.column = Segmented((tr("Narrow"), tr("Normal"), tr("Wide")))
        self.density = Segmented((tr("Comfortable"), tr("Compact")))
        self.calm = Switch(tr("Reduce motion"))
        colours, text, motion = SettingsGroup(), SettingsGroup(), SettingsGroup()
        colours.add(SettingsRow(tr("Colours"), tr("Light, dark, or as the system is."), self.theme))
        text.add(
            SettingsRow(
                tr("Text size"),
                tr("For chats and, less so, for the panes beside them. The zoom keys change it too."),
                self.zoom,
            )
        )
        text.add(SettingsRow(tr("Text width"), tr("How wide the text of a chat may be."), self.column))
        text.add(SettingsRow(tr("Line spacing"), tr("How far apart the lines of a chat are."), self.density))
        motion.add(SettingsRow(tr("Reduce motion"), tr("Switches off the animations of the window."), self.calm))
        self.groups = (colours, text, motion)
        stack_groups(self, self.groups)
        self._connect()
        follow(self, context.store.preferences, self.show_preferences)

    def _connect(self) -> None:
        self.theme.picked.connect(lambda number: self._set(replace(self._shown, theme=_THEMES[number])))
        self.column.picked.connect(lambda number: self._set(replace(self._shown, column=_COLUMNS[number])))
        self.density.picked.connect(lambda number: self._set(replace(self._shown, density=_DENSITIES[number])))
        self.calm.clicked.connect(lambda calm: self._set(replace(self._shown, reduce_motion=calm)))
        self.zoom.slider.valueChanged.connect(lambda stop: self._set(replace(self._shown, zoom=_ZOOMS[stop])))

    def _set(self, preferences: Preferences) -> None:
        if preferences != self._shown:
            self._context.send(SetPreferences(preferences))

    def show_preferences(self, preferences: Preferences) -> None:
        """Show the values that hold."""
        self._shown = preferences
        self.theme.choose(_THEMES.index(preferences.theme))
        self.column.choose(_COLUMNS.index(preferences.column))
        self.density.choose(_DENSITIES.index(preferences.density))
        self.calm.set_on(preferences.reduce_motion)
        self.zoom.slider.setValue(min(range(len(_ZOOMS)), key=lambda stop: abs(_ZOOMS[stop] - preferences.zoom)))
