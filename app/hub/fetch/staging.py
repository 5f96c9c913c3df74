"""The folders of downloads that are not complete, and the step that makes a model of one.

- `<models>/.partial/<publisher>--<name>@<commit>/` holds the files of one commit. Its name pins the commit.
- A file that is not verified yet has the ending `.part`.
- `publish` renames the folder to `<models>/<publisher>/<name>`. Before that it is no model.
- What is to be deleted is renamed into `.partial` first, so that a crash leaves no half of a model.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.base import locks
from app.hub.errors import DownloadInUse
from app.hub.fetch.names import is_commit, is_repository
from resources.language.sentence import sentence
from storage.folders import own_folder, private_folder, sync

PARTIAL: Final = ".partial"
PART: Final = ".part"
_DROPPED: Final = "dropped-"
_LOCK_S: Final = 1.0
"""A worker that was just ended releases its lock within this time."""


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """The places of a repository's files below the folder of the models."""

    models: Path
    repository: str

    @property
    def folder(self) -> Path:
        """The complete model."""
        return self.models / self.repository

    def staging(self, commit: str) -> Path:
        """The download of a commit."""
        return self.models / PARTIAL / f"{self._stem}@{commit}"

    @property
    def _stem(self) -> str:
        return self.repository.replace("/", "--")

    def staged(self) -> dict[str, Path]:
        """The downloads that are not complete, by commit, the newest first."""
        found = sorted(_in_partial(self.models, f"{self._stem}@*"), key=lambda folder: -folder.stat().st_mtime)
        return {commit: path for path in found if is_commit(commit := path.name.partition("@")[2])}

    @contextmanager
    def lock(self, patience_s: float = _LOCK_S) -> Iterator[None]:
        """Lock the repository in this block. Raises DownloadInUse, FolderRefused and OSError."""
        own_folder(self.models / PARTIAL, self.models.parent)
        lock = locks.take_download(self.models / PARTIAL, f"{self._stem}.lock", patience_s)
        if lock is None:
            raise DownloadInUse(
                sentence("Another Hearth process is downloading {repository}.", repository=self.repository)
            )
        with lock:
            try:
                yield
            finally:
                with suppress(OSError):
                    (self.models / PARTIAL / f"{self._stem}.lock").unlink()

    def publish(self, commit: str) -> None:
        """Make the complete download the model, in place of an earlier one. Raises OSError."""
        staging = self.staging(commit)
        private_folder(self.folder.parent, self.models)
        for folder in sorted({path.parent for path in staging.rglob("*")} | {staging}):
            sync(folder)
        former = self._set_aside(self.folder)
        os.rename(staging, self.folder)  # noqa: PTH104 - the rename that tests let fail
        sync(self.folder.parent)
        if former is not None:  # only now: to delete a large model takes seconds, in which the process may end
            shutil.rmtree(former)
        self.discard()

    def discard(self) -> None:
        """Delete every download of the repository that is not complete. Raises OSError."""
        for staging in self.staged().values():
            self._drop(staging)

    def forget_empty(self) -> None:
        """Delete the folders of downloads that have no file yet."""
        for folder in self.staged().values():
            with suppress(OSError):
                folder.rmdir()

    def remove(self) -> None:
        """Delete the model, and its publisher's folder if that is then empty. Raises OSError."""
        self._drop(self.folder)
        with suppress(OSError):
            self.folder.parent.rmdir()

    def _drop(self, folder: Path) -> None:
        if (dropped := self._set_aside(folder)) is not None:
            shutil.rmtree(dropped)

    def _set_aside(self, folder: Path) -> Path | None:
        """Rename a folder to one that is to be deleted. None if there is none."""
        if not folder.exists():
            return None
        dropped = self.models / PARTIAL / f"{_DROPPED}{uuid.uuid4().hex}"
        os.rename(folder, dropped)  # noqa: PTH104 - as above
        return dropped


def _in_partial(models: Path, pattern: str) -> Iterator[Path]:
    """What lies in the folder of downloads; nothing if that is a link."""
    folder = models / PARTIAL
    return iter(()) if folder.is_symlink() else folder.glob(pattern)


def begun(models: Path) -> dict[str, int]:
    """The repositories with a download that is not complete, and the bytes that are here."""
    found: dict[str, int] = {}
    for folder in _in_partial(models, "*--*@*"):
        repository = folder.name.partition("@")[0].replace("--", "/", 1)
        if is_repository(repository):
            sizes = (path.stat().st_size for path in folder.rglob("*") if path.is_file())
            found[repository] = found.get(repository, 0) + sum(sizes)
    return found


def sweep(models: Path) -> None:
    """Delete what earlier processes had begun to delete. What cannot be deleted stays for the next time."""
    for dropped in _in_partial(models, f"{_DROPPED}*"):
        shutil.rmtree(dropped, ignore_errors=True)
