"""Intents of the settings, of the update dialog and of the notices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ui.state.preferences import Preferences


@dataclass(frozen=True, slots=True)
class ShowStorage:
    """Measure what Hearth takes on this disk, for the settings."""


@dataclass(frozen=True, slots=True)
class SetQuota:
    """Limit the caches to this many bytes; 0 lets Hearth choose."""

    quota: int


@dataclass(frozen=True, slots=True)
class SetCaching:
    """Allow caches on disk, or forbid all of them."""

    enabled: bool


@dataclass(frozen=True, slots=True)
class SetUnloadAfter:
    """Unload a model that was not used for this many minutes; 0 is never."""

    minutes: int


@dataclass(frozen=True, slots=True)
class ClearCaches:
    """Delete all caches on disk."""


@dataclass(frozen=True, slots=True)
class RestoreBackup:
    """Replace the library by this copy, given by its id."""

    backup: str


@dataclass(frozen=True, slots=True)
class MakeBackup:
    """Make a copy of all chats now."""


@dataclass(frozen=True, slots=True)
class SetPreferences:
    """Replace the user's preferences."""

    preferences: Preferences


@dataclass(frozen=True, slots=True)
class Reveal:
    """Show one of Hearth's folders in the system's file manager."""

    folder: Literal["data", "logs", "backups"]


@dataclass(frozen=True, slots=True)
class CheckCaches:
    """Compare what is kept of a chat on disk with its checksums, or what is kept of all chats ("")."""

    conversation: str


@dataclass(frozen=True, slots=True)
class StopCheck:
    """End the check of what is kept on disk."""


StorageIntent = ShowStorage | SetQuota | SetCaching | ClearCaches | CheckCaches | StopCheck

PreferenceIntent = SetUnloadAfter | RestoreBackup | MakeBackup | SetPreferences | Reveal

SettingsIntent = StorageIntent | PreferenceIntent


@dataclass(frozen=True, slots=True)
class ShowUpdate:
    """Show what is known of newer versions."""


@dataclass(frozen=True, slots=True)
class AllowUpdateChecks:
    """Check for updates once a day, or never."""

    allowed: bool


@dataclass(frozen=True, slots=True)
class CheckForUpdate:
    """Look for a newer version now."""


@dataclass(frozen=True, slots=True)
class OpenUpdatePage:
    """Open the newer version's page in the browser."""


@dataclass(frozen=True, slots=True)
class SkipUpdate:
    """Do not offer this newer version again."""


UpdateIntent = ShowUpdate | AllowUpdateChecks | CheckForUpdate | OpenUpdatePage | SkipUpdate


@dataclass(frozen=True, slots=True)
class NoticeAction:
    """The user chose the first action that the notice with this key offers."""

    key: str


@dataclass(frozen=True, slots=True)
class NoticeHeld:
    """Let no time pass for this notice: the mouse or the keyboard is on it. `held` is False when it leaves."""

    key: str
    held: bool


@dataclass(frozen=True, slots=True)
class NoticeOther:
    """The user chose the second action that the notice with this key offers."""

    key: str


NoticeIntent = NoticeAction | NoticeHeld | NoticeOther
