"""Carries out the intents of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from ui.intents import settings
from ui.intents.settings import BackupIntent, StorageIntent

if TYPE_CHECKING:
    from app.desktop.wiring import AppParts
    from ui.intents.settings import PreferenceIntent, SettingsIntent


class SettingsDispatch:
    """One match for the caches on disk, one for the copies of the library, and one for other settings."""

    def __init__(self, parts: AppParts) -> None:
        self._parts = parts

    def handle(self, intent: SettingsIntent) -> None:
        """Do what the user asks of the settings."""
        if isinstance(intent, StorageIntent):
            self._storage(intent)
        elif isinstance(intent, BackupIntent):
            self._back_up(intent)
        else:
            self._prefer(intent)

    def _storage(self, intent: StorageIntent) -> None:
        parts = self._parts
        match intent:
            case settings.ShowStorage():
                parts.cache_monitor.show()
            case settings.SetQuota(quota):
                parts.workspace.keep_quota(quota)
                parts.cache_monitor.refresh()
            case settings.SetCaching(enabled):
                parts.workspace.keep_caching(enabled)
                parts.cache_monitor.show()
                parts.conversations.show_settings()
            case settings.ClearCaches():
                parts.conversations.clear_memory()
                parts.cache_monitor.clear()
            case settings.CheckCaches(conversation):
                parts.cache_monitor.store_check.begin(conversation)
            case settings.StopCheck():
                parts.cache_monitor.store_check.stop()
            case settings.RemoveArrived():
                parts.cache_monitor.remove_arrived()
            case _:
                assert_never(intent)

    def _back_up(self, intent: BackupIntent) -> None:
        parts = self._parts
        match intent:
            case settings.RestoreBackup(backup):
                parts.recovery_flow.restore(backup)
            case settings.UndoRestore():
                parts.recovery_flow.undo()
            case settings.RecoverLibrary():
                parts.recovery_flow.act()
            case settings.RecoverOtherwise():
                parts.recovery_flow.act_otherwise()
            case settings.ReplaceCopies():
                parts.stale_copies.replace()
            case settings.MakeBackup():
                parts.daily_backup.make()
            case _:
                assert_never(intent)

    def _prefer(self, intent: PreferenceIntent) -> None:
        parts = self._parts
        match intent:
            case settings.SetUnloadAfter(minutes):
                parts.workspace.keep_unload_after(minutes)
            case settings.SetPreferences(preferences):
                parts.workspace.keep_preferences(preferences)
            case settings.Reveal(folder):
                parts.folders.reveal(folder)
            case _:
                assert_never(intent)
