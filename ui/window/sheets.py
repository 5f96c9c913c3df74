"""Sheets: owns which of the window's sheets is open, and passes on what they say; what each shows is its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ui.dialogs.file_dialogs import ask_export, ask_export_all, ask_import
from ui.dialogs.recently_deleted import RecentlyDeletedDialog
from ui.dialogs.settings_dialog import SettingsDialog
from ui.dialogs.update_dialog import UpdateDialog

if TYPE_CHECKING:
    from ui.state import DeletedRow, StorageView, UpdateView
    from ui.theme.theme import Theme
    from ui.window.window_signals import WindowSignals


class Sheets(QObject):
    """One of each at most. A sheet is made when it is asked for, and asks the app for what it shows."""

    def __init__(self, window: WindowSignals, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._deleted: RecentlyDeletedDialog | None = None
        self._settings: SettingsDialog | None = None
        self._update: UpdateDialog | None = None

    def open_deleted(self) -> None:
        """Show what can still be brought back."""
        if self._deleted is None:
            sheet = RecentlyDeletedDialog(self._theme, self._window)
            sheet.undelete_requested.connect(self._window.undelete_requested)
            sheet.erase_requested.connect(self._window.erase_requested)
            sheet.erase_all_requested.connect(self._window.erase_all_requested)
            sheet.finished.connect(self._forget_deleted)
            self._deleted = sheet
            sheet.open()
        self._window.deleted_requested.emit()

    def _forget_deleted(self) -> None:
        self._deleted = None

    def show_deleted(self, rows: tuple[DeletedRow, ...]) -> None:
        """Let the sheet follow, if it is open."""
        if self._deleted is not None:
            self._deleted.show_deleted(rows)

    def open_settings(self) -> None:
        """Show the settings, beside the window: one tries a setting and looks."""
        if self._settings is None:
            self._settings = self._made_settings()
        self._settings.show()
        self._settings.raise_()
        self._settings.activateWindow()
        self._window.settings_requested.emit()

    def _made_settings(self) -> SettingsDialog:
        settings, window = SettingsDialog(self._theme, self._window), self._window
        for signal, out in (
            (settings.quota_changed, window.quota_changed),
            (settings.caching_changed, window.caching_changed),
            (settings.caches_clear_requested, window.caches_clear_requested),
            (settings.backup_restore_requested, window.backup_restore_requested),
            (settings.reveal_requested, window.reveal_requested),
        ):
            signal.connect(out.emit)
        settings.finished.connect(self._forget_settings)
        return settings

    def _forget_settings(self) -> None:
        assert self._settings is not None, "what is not open does not close"
        self._settings.deleteLater()
        self._settings = None

    def show_storage(self, view: StorageView) -> None:
        """Let the settings follow, if they are open."""
        if self._settings is not None:
            self._settings.show_storage(view)

    def open_update(self) -> None:
        """Show what is known of newer versions."""
        if self._update is None:
            self._update = self._made_update()
        self._window.updates_requested.emit()
        self._update.show()
        self._update.raise_()
        self._update.activateWindow()

    def _made_update(self) -> UpdateDialog:
        update, window = UpdateDialog(self._theme, self._window), self._window
        update.allowed_changed.connect(window.updates_allowed_changed)
        update.check_requested.connect(window.update_check_requested)
        update.page_requested.connect(window.update_page_requested)
        update.skip_requested.connect(window.update_skip_requested)
        update.finished.connect(self._forget_update)
        return update

    def _forget_update(self) -> None:
        assert self._update is not None, "what is not open does not close"
        self._update.deleteLater()
        self._update = None

    def show_update(self, view: UpdateView) -> None:
        """Let the sheet about newer versions follow, if it is open."""
        if self._update is not None:
            self._update.show_update(view)

    def ask_import(self) -> None:
        """Ask which file to take chats from."""
        ask_import(self._window, self._window.import_requested.emit)

    def ask_export(self, conversation: str, title: str) -> None:
        """Ask where to write one chat."""
        ask_export(self._window, title, partial(self._window.export_requested.emit, conversation))

    def ask_export_all(self) -> None:
        """Ask where to write all chats."""
        ask_export_all(self._window, partial(self._window.export_requested.emit, ""))

    def set_theme(self, theme: Theme) -> None:
        """Let what is open follow."""
        self._theme = theme
        if self._deleted is not None:
            self._deleted.set_theme(theme)
        if self._settings is not None:
            self._settings.set_theme(theme)
        if self._update is not None:
            self._update.set_theme(theme)
