"""Intents of the settings, and about copies of the library."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ui.state.preferences import Preferences


class ShowStorage(Struct, frozen=True):
    """Measure what Hearth takes on this disk, for the settings."""


class SetQuota(Struct, frozen=True):
    """Limit the caches to this many bytes; 0 lets Hearth choose."""

    quota: int


class SetCaching(Struct, frozen=True):
    """Allow caches on disk, or forbid all of them."""

    enabled: bool


class SetUnloadAfter(Struct, frozen=True):
    """Unload a model that was not used for this many minutes; 0 is never."""

    minutes: int


class ClearCaches(Struct, frozen=True):
    """Delete all caches on disk, unless that is undone within seconds."""


class UndoClearCaches(Struct, frozen=True):
    """Keep the caches on disk after all."""


class RemoveArrived(Struct, frozen=True):
    """Remove unfinished copies of models from other Macs."""


class RestoreBackup(Struct, frozen=True):
    """Replace the library by this copy, given by its id."""

    backup: str


class UndoRestore(Struct, frozen=True):
    """Bring back the library that the last copy has replaced."""


class RecoverLibrary(Struct, frozen=True):
    """Bring back a damaged library in one of the ways that are offered: 0 is the first one, which keeps most, -1 the
    last.
    """

    way: int = 0


class ReplaceCopies(Struct, frozen=True):
    """Replace all copies of the library by a new one."""


class MakeBackup(Struct, frozen=True):
    """Make a copy of all chats now."""


class SetPreferences(Struct, frozen=True):
    """Replace the user's preferences."""

    preferences: Preferences


class Reveal(Struct, frozen=True):
    """Show one of Hearth's folders in the system's file manager."""

    folder: Literal["data", "logs", "backups", "replaced"]


class CheckCaches(Struct, frozen=True):
    """Compare what is kept on disk with its checksums."""


class StopCheck(Struct, frozen=True):
    """End the check of what is kept on disk."""


StorageIntent = (
    ShowStorage | SetQuota | SetCaching | ClearCaches | UndoClearCaches | CheckCaches | StopCheck | RemoveArrived
)

ExchangeIntent = RestoreBackup | UndoRestore | RecoverLibrary
"""These replace the library by another one."""

SettingsIntent = StorageIntent | ExchangeIntent | ReplaceCopies | MakeBackup | SetUnloadAfter | SetPreferences | Reveal
