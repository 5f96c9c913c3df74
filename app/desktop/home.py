"""Home: the folders of a window, which belong to this process while it holds their locks."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from app.base import locks, logs, paths
from app.base.errors import AlreadyRunning
from app.base.paths import Paths
from resources.language.text import tr

LOCK_SECONDS = 3.0
"""Within this time, a window or a command that is just ending releases its lock."""


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of a window. `alone`: no other process answers on this library or uses `segments`. `is_new`: there
    are no settings and no library yet. `was_logged`: an earlier window has left its log.
    """

    paths: Paths
    segments: Path
    alone: bool
    is_new: bool = False
    was_logged: bool = False


def settle(places: Paths, stack: ExitStack) -> Home:
    """Make the folders, take the locks and open the logs; `stack` releases all of them. Raises AlreadyRunning,
    FolderRefused.
    """
    paths.prepare(places)
    window = locks.take_window(places, LOCK_SECONDS)
    if window is None:
        raise AlreadyRunning(tr("Hearth was closed and is still saving. Start it again in a minute."))
    stack.callback(window.close)
    was_logged = (places.logs / "hearth.log").exists()
    stack.enter_context(logs.written(places.logs, "hearth"))
    engine = locks.take_engine(places, LOCK_SECONDS)
    if engine is None:
        spare = stack.enter_context(paths.temporary())
        return Home(places, spare, alone=False)
    stack.callback(engine.close)
    is_new = not (places.settings.exists() or places.library_file.exists())
    return Home(places, places.segments, alone=True, is_new=is_new, was_logged=was_logged)
