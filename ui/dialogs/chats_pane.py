"""The settings page about new chats and their titles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from resources.language.text import tr
from ui.context import WindowContext, follow
from ui.intents.settings import SetPreferences
from ui.state.preferences import Preferences
from ui.theme.theme import ui_font
from ui.widgets.choice_pill import ChoicePill
from ui.widgets.settings_group import SettingsGroup, SettingsRow, stack_groups
from ui.widgets.switch import Switch
from ui.widgets.text_field import TextField

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent


_HEIGHT_PX: Final = 110


class ChatsPane(QWidget):
    """Shows the values that the app sends, and reports what the user wants."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._shown = Preferences()
        self._store = context.store
        self.preset = ChoicePill("", tr("Preset of new chats"))
        self.system = _Instructions(placeholder=tr("None"))
        self.system.setObjectName("notes")
        self.system.setAccessibleName(tr("Instructions of new chats"))
        self.system.setFont(ui_font(13))
        self.system.setTabChangesFocus(True)
        self.system.setFixedHeight(_HEIGHT_PX)
        self.titles = Switch(tr("Let the model name chats"))
        new, names = SettingsGroup(), SettingsGroup()
        new.add(SettingsRow(tr("Preset of new chats"), tr("Each chat can have another one."), self.preset))
        row = SettingsRow(
            tr("Instructions of new chats"), tr("What the model shall always know. Older chats keep theirs.")
        )
        row.column.addWidget(self.system)
        new.add(row)
        names.add(
            SettingsRow(
                tr("Let the model name chats"),
                tr(
                    "After the first answer, while nothing else is being answered. Chats that you named keep their "
                    "names, and private chats are never named. If the model finds none, the first words of "
                    "the chat stay its name. The built-in model finds none."
                ),
                self.titles,
            )
        )
        self.groups = (new, names)
        stack_groups(self, self.groups)
        self.preset.picked.connect(lambda preset: self._set(replace(self._shown, preset=preset)))
        self.titles.clicked.connect(lambda titles: self._set(replace(self._shown, titles=titles)))
        self.system.left.connect(self.flush)
        follow(self, context.store.presets, lambda _presets: self._fill())
        follow(self, context.store.preferences, self.show_preferences)

    def _set(self, preferences: Preferences) -> None:
        if preferences != self._shown:
            self._context.send(SetPreferences(preferences))

    def flush(self) -> None:
        """Report the instructions, if they are new."""
        self._set(replace(self._shown, system=self.system.toPlainText().strip()))

    def show_preferences(self, preferences: Preferences) -> None:
        """Show the values that hold. Instructions that are being typed stay."""
        self._shown = preferences
        self._fill()
        if not self.system.hasFocus():
            self.system.setPlainText(preferences.system)
        self.titles.set_on(preferences.titles)

    def _fill(self) -> None:
        self.preset.set_choices(
            tuple((one.id, one.name, one.about) for one in self._store.presets.now), self._shown.preset
        )


class _Instructions(TextField):
    left = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self.left.emit()
