"""Dialogs: opens the window's dialogs, at most one of each kind, and passes on their intents."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from resources.language.text import tr
from ui.context import WindowContext, follow
from ui.dialogs.confirmation import confirm
from ui.dialogs.key_conflict import ShortcutSpec
from ui.dialogs.prompts_dialog import PromptsDialog
from ui.dialogs.recently_deleted import RecentlyDeletedDialog
from ui.intents.library import ShowDeleted
from ui.intents.models import ConfirmSwitch, KeepAnswering
from ui.intents.notice import Notice
from ui.intents.settings import ShowStorage
from ui.state.models import SwitchQuestion

if TYPE_CHECKING:
    from ui.dialogs.settings_dialog import SettingsDialog


class Dialogs(QObject):
    """A dialog is created when the user opens it, and requests its contents from the app. `models_requested` is emitted
    if the settings lead to the models page. `settings` are the open settings, and `page` is the number of
    the page at which they are, or open next.
    """

    models_requested = Signal()

    def __init__(self, window: QWidget, context: WindowContext) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._deleted: RecentlyDeletedDialog | None = None
        self.settings: SettingsDialog | None = None
        self.page = 0
        self._question: QMessageBox | None = None
        self._prompt_sheet: PromptsDialog | None = None
        self._shortcuts: tuple[ShortcutSpec, ...] = ()
        follow(self, context.store.switch_question, self._ask_switch)

    def open_deleted(self) -> None:
        """Open Recently Deleted."""
        if self._deleted is None:
            self._deleted = RecentlyDeletedDialog(self._context, self._window)
            self._deleted.finished.connect(self._forget_deleted)
            self._deleted.open()
        self._context.send(ShowDeleted())

    def _forget_deleted(self) -> None:
        self._deleted = None

    def open_settings(self) -> None:
        """Open the settings at the page where they were left. They are not modal, so that the user sees the effect of
        a setting in the window.
        """
        if self.settings is None:
            from ui.dialogs.settings_dialog import SettingsDialog  # twelve modules, which no start needs

            self.settings = SettingsDialog(self._context, self._window)
            self.settings.pane_buttons[self.page].click()
            self.settings.panes.currentChanged.connect(self._note_page)
            self.settings.models.models_requested.connect(self._leave_for_models)
            self.settings.chats.prompts_requested.connect(self.open_prompts)
            self.settings.shortcuts.set_actions(self._shortcuts)
            self.settings.finished.connect(self._forget_settings)
        self.settings.resize(self.settings.size().boundedTo(self._window.screen().availableSize()))
        self.settings.show()
        self.settings.raise_()
        self.settings.activateWindow()
        self._context.send(ShowStorage())

    def open_settings_at(self, pane: str, row: str = "") -> None:
        """Open the settings at one of their pages, and at the row of this name there."""
        self.open_settings()
        if self.settings is not None:
            self.settings.open_page(pane, row)

    def _note_page(self, page: int) -> None:
        self.page = page

    def _leave_for_models(self) -> None:
        """Close the settings, which lie above the models page, and ask for that page."""
        assert self.settings is not None, "its button was clicked"
        self.settings.accept()
        self.models_requested.emit()

    def _forget_settings(self) -> None:
        self.settings = None

    def list_shortcuts(self, shortcuts: tuple[ShortcutSpec, ...]) -> None:
        """Show the keys of every action, now and in settings that are opened later."""
        self._shortcuts = shortcuts
        if self.settings is not None:
            self.settings.shortcuts.set_actions(shortcuts)

    def open_prompts(self) -> None:
        """Open the saved prompts."""
        if self._prompt_sheet is None:
            self._prompt_sheet = PromptsDialog(self._context, self._window)
            self._prompt_sheet.finished.connect(self._forget_prompts)
            self._prompt_sheet.open()

    def _forget_prompts(self) -> None:
        self._prompt_sheet = None

    def flush(self) -> None:
        """The window closes: report the prompt and the instructions that are being typed."""
        if self._prompt_sheet is not None:
            self._prompt_sheet.save()
        if self.settings is not None:
            self.settings.chats.flush()

    def tell(self, notice: Notice) -> bool:
        """Show a notice in the dialog that it is about. Returns whether that dialog is open."""
        if notice.about == "prompts" and self._prompt_sheet is not None:
            self._prompt_sheet.tell(notice)
            return True
        if notice.about == "backups" and self.settings is not None:
            self.settings.backups.tell(notice.text)
            return True
        return notice.about == "folders" and self.settings is not None and self.settings.warn_of_folder(notice.text)

    def clear(self, key: str) -> None:
        """Take a notice out of the dialog that shows it: its cause is over."""
        if self._prompt_sheet is not None:
            self._prompt_sheet.clear(key)

    def _ask_switch(self, question: SwitchQuestion | None) -> None:
        """Show the question of the app in place of an open one. One that the app takes back needs no answer."""
        box, self._question = self._question, None
        if box is not None:
            box.reject()
        if question is not None:
            texts, agree = (question.text, question.about, question.action), partial(self._answer, ConfirmSwitch())
            self._question = confirm(self._window, *texts, agree, tr("Keep answering"))
            self._question.rejected.connect(partial(self._answer, KeepAnswering()))

    def _answer(self, intent: ConfirmSwitch | KeepAnswering) -> None:
        if self._question is not None:
            self._question = None
            self._context.send(intent)
