"""The folders that Hearth uses on this machine, and their permissions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from app.base.errors import BadArguments, FolderRefused, reason
from resources.language.text import tr
from storage.folders import OWNER_FOLDER, private_folder, try_to_write

_LONGEST: Final = 440
"""Bytes in the path of the library. SQLite opens no file whose path has more than 504."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Each place that Hearth writes to. `models` has the models that it downloads."""

    data: Path
    library: Path
    segments: Path
    logs: Path
    models: Path
    settings: Path

    @property
    def library_file(self) -> Path:
        """The database of the conversations."""
        return self.library / "library.sqlite"

    @property
    def backups(self) -> Path:
        """The folder of the library's copies."""
        return self.library / "backups"


def find() -> Paths:
    """Return the folders under `HEARTH_HOME` if it is set, else the platform's usual ones. Makes nothing."""
    home = os.environ.get("HEARTH_HOME")
    if home:
        return under(absolute(home))
    return under(
        Path(platformdirs.user_data_dir("Hearth", appauthor=False)),
        Path(platformdirs.user_log_dir("Hearth", appauthor=False)),
    )


def absolute(path: str | Path) -> Path:
    """Return what the user means by a path. Raises BadArguments if it is relative and the working folder is gone."""
    try:
        return Path(os.path.expanduser(path)).absolute()  # noqa: PTH111 - the method raises for a user who does not exist
    except FileNotFoundError as error:
        raise BadArguments(
            tr("The folder that this terminal is in was deleted. Change to another one first.")
        ) from error


def under(home: Path, logs: Path | None = None) -> Paths:
    """Return the folders, all of them below `home`, unless the logs have another place."""
    return Paths(
        home, home / "library", home / "segments", logs or home / "logs", home / "models", home / "settings.json"
    )


def prepare(paths: Paths) -> None:
    """Make the folders, for the owner alone. Raises FolderRefused if the folder of the data or the library cannot be
    made. If those of the caches, logs or models fail, their users report it.
    """
    if len(os.fsencode(paths.library)) > _LONGEST:
        too_long = tr("its path is too long")
        raise FolderRefused(tr("Hearth cannot use the folder {folder}: {reason}.", folder=paths.data, reason=too_long))
    for folder in (paths.data, paths.library):
        _make(folder)
    for folder in (paths.logs, paths.models):
        with suppress(FolderRefused):
            _make(folder)
    with suppress(FolderRefused):
        is_new = _make(paths.segments)
        tool = shutil.which("tmutil") if sys.platform == "darwin" else None  # macOS: Time Machine's own list
        if is_new and tool:
            subprocess.run([tool, "addexclusion", str(paths.segments)], check=False, capture_output=True)  # noqa: S603 - fixed tool, our own folder


def _make(folder: Path) -> bool:
    """Return whether the folder is new."""
    try:
        fresh = not folder.exists()
        private_folder(folder, Path(folder.anchor))
        if not folder.is_symlink():  # the folder to which a link leads may be for others, too
            folder.chmod(OWNER_FOLDER)
    except OSError as error:
        raise FolderRefused(
            tr("Hearth cannot use the folder {folder}: {reason}.", folder=folder, reason=reason(error))
        ) from error
    return fresh


@contextmanager
def temporary(use: str = "") -> Iterator[Path]:
    """A temporary folder, which is deleted after the block. `use` is a part of its name. Raises FolderRefused."""
    try:
        made = tempfile.TemporaryDirectory(prefix=f"hearth-{use}")
    except OSError as error:
        place = Path(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108 - the system's own
        raise not_writable(place, reason(error)) from error  # Python tries several folders, and does not say why
    with made as folder:
        yield Path(folder)


def not_writable(folder: Path, otherwise: str) -> FolderRefused:
    """Return the error that nothing can be written to `folder`, for the system's reason, or the one that is given."""
    hindrance = otherwise
    try:
        try_to_write(folder)
    except OSError as refused:
        hindrance = reason(refused)
    return FolderRefused(
        tr("Hearth cannot write to the folder {folder}: {hindrance}.", folder=folder, hindrance=hindrance)
    )
