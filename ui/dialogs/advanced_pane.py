"""The settings page with Hearth's folder, and the way back to the defaults."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from resources.language.text import tr
from ui.context import WindowContext, follow
from ui.dialogs.confirmation import confirm
from ui.intents.settings import Reveal, SetPreferences
from ui.state.preferences import Preferences
from ui.widgets.announcement import announce
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, SettingsRow, stack_groups, text_label

if TYPE_CHECKING:
    from ui.state.settings import StorageView


class AdvancedPane(QWidget):
    """Shows where everything lies."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self.data_button = PushButton(tr("Show data"), "showData")
        self.logs_button = PushButton(tr("Show logs"), "showLogs")
        self.reset_button = PushButton(tr("Reset…"), "resetPreferences")
        buttons = QWidget()
        line = QHBoxLayout(buttons)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.logs_button)
        line.addWidget(self.data_button)
        self.folder = SettingsRow(tr("Folder"), "", buttons)
        place, back = SettingsGroup(), SettingsGroup()
        place.add(self.folder)
        back.add(
            SettingsRow(
                tr("Reset the settings"),
                tr(
                    "The pages General, Appearance, Chats and Shortcuts become as they were at first. What you wrote, "
                    "models, presets and limits stay."
                ),
                self.reset_button,
            )
        )
        self.groups = (place, back)
        self.trouble = text_label("", "trouble", 13)
        self.trouble.hide()
        stack_groups(self, (place, self.trouble, back))
        self.data_button.clicked.connect(lambda: self._context.send(Reveal("data")))
        self.logs_button.clicked.connect(lambda: self._context.send(Reveal("logs")))
        self.reset_button.clicked.connect(self._ask)
        follow(self, context.store.storage, self._show_folder)

    def _ask(self) -> None:
        reset = partial(self._context.send, SetPreferences(Preferences()))
        confirm(
            self.window(), tr("Reset the settings?"), tr("Chats, models, presets and limits stay."), tr("Reset"), reset
        )

    def warn(self, words: str) -> None:
        """Show a sentence below the folder."""
        self.trouble.setText(words)
        self.trouble.show()
        announce(self.trouble, words)

    def _show_folder(self, view: StorageView) -> None:
        self.folder.set_about(view.folder)
