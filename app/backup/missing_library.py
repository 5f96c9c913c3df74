"""Says so if Hearth was used in a home whose library is gone: an empty list would look as if all chats were lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from resources.language.text import mark, tr
from storage.library.backups import backups
from ui.intents.notice import Notice

if TYPE_CHECKING:
    from app.base.paths import Paths
    from app.base.settings import Settings

_MISSING: Final = mark(
    "Hearth finds none of its chats in {folder} any more. If you moved or renamed this folder, quit Hearth, put the "
    "old folder back in its place, and start Hearth again."
)


def missing_library(paths: Paths, settings: Settings, *, was_logged: bool) -> Notice | None:
    """Return the notice for a home in which a window was open before and which has no library now, None for any other
    home. If all of the data folder is gone, only the logs tell that (`was_logged`): they lie elsewhere by default. If
    there are copies of the library, the recovery offers them instead. Call this before the library is opened, which
    creates it.
    """
    was_used = bool(settings.started) or was_logged
    if not was_used or paths.library_file.exists() or backups(paths.backups):
        return None
    return Notice("library:missing", tr(_MISSING, folder=paths.data), lasting=True)
