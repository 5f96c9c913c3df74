"""The settings page about the start, the keyboard and notifications."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from resources.language.catalogue import NAMES
from resources.language.text import mark, tr
from ui.context import WindowContext, follow
from ui.intents.settings import SetPreferences
from ui.state.preferences import Preferences
from ui.theme.theme import MAC
from ui.widgets.segmented import Segmented
from ui.widgets.settings_group import SettingsGroup, SettingsRow, stack_groups
from ui.widgets.switch import Switch

if TYPE_CHECKING:
    from typing import Literal


_STARTUP: Final[tuple[Literal["tabs", "new"], ...]] = ("tabs", "new")
_LANGUAGES: Final[tuple[Literal["system", "en", "de"], ...]] = ("system", "en", "de")
_SEND: Final[tuple[Literal["return", "command"], ...]] = ("return", "command")
_COMMAND: Final = mark("⌘ Return") if MAC else mark("Ctrl+Return")  # platform: the name of the command key


class GeneralPane(QWidget):
    """Shows the values that the app sends, and reports what the user wants."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._shown = Preferences()
        self.startup = Segmented((tr("Last tabs"), tr("New chat")))
        self.startup.setAccessibleName(tr("When Hearth starts"))
        self.language = Segmented((tr("System"), NAMES["en"], NAMES["de"]))
        self.language.setObjectName("language")
        self.language.setAccessibleName(tr("Language"))
        self.send = Segmented((tr("Return", "key"), tr(_COMMAND)))
        self.send.setAccessibleName(tr("Send a message with"))
        self.notifications = Switch(tr("Notify when an answer is ready"))
        start, keys, news = SettingsGroup(), SettingsGroup(), SettingsGroup()
        start.add(
            SettingsRow(
                tr("When Hearth starts"), tr("Open the tabs of the last time, or begin a new chat."), self.startup
            )
        )
        start.add(SettingsRow(tr("Language"), tr("“System” follows the language of this computer."), self.language))
        keys.add(
            SettingsRow(
                tr("Send a message with"),
                tr("Shift and Return always begin a new line. If another key sends, Return begins one too."),
                self.send,
            )
        )
        news.add(
            SettingsRow(
                tr("Notify when an answer is ready"),
                tr("The system says so if you look at another app. Words of private chats are never shown."),
                self.notifications,
            )
        )
        self.groups = (start, keys, news)
        stack_groups(self, self.groups)
        self.startup.picked.connect(lambda number: self._set(replace(self._shown, startup=_STARTUP[number])))
        self.language.picked.connect(lambda number: self._set(replace(self._shown, language=_LANGUAGES[number])))
        self.notifications.clicked.connect(lambda wanted: self._set(replace(self._shown, notifications=wanted)))
        self.send.picked.connect(lambda number: self._set(replace(self._shown, send=_SEND[number])))
        follow(self, context.store.preferences, self.show_preferences)

    def _set(self, preferences: Preferences) -> None:
        self._context.send(SetPreferences(preferences))

    def show_preferences(self, preferences: Preferences) -> None:
        """Show the values that hold."""
        self._shown = preferences
        self.startup.choose(_STARTUP.index(preferences.startup))
        self.language.choose(_LANGUAGES.index(preferences.language))
        self.notifications.set_on(preferences.notifications)
        self.send.choose(_SEND.index(preferences.send))
