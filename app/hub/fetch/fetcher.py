"""Downloads a model: asks the hub for the files of a commit, fetches and verifies each, and publishes the folder.

Blocks; runs on the main thread of `hearth models fetch`. The process may be killed at any point: a later call continues
the same commit, and a model appears in one step, complete.

A file gets its final name when it is verified and durable. Its bytes before that are in a file with the ending
`.part`, which a later attempt continues, also in another process.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

from app.base.errors import told_reason
from app.hub import errors
from app.hub.fetch import digests, names, staging
from app.hub.fetch.progress import Done, Meter, Report, RetryPatience, Started, Verifying, insist
from app.hub.fetch.selection import RemoteFile, chosen, head_files
from app.hub.fetch.staging import PART, ModelPlace
from app.hub.model_page import ModelPage
from app.hub.source import NEWEST, RangeRefused, Source
from app.models import download_record
from app.models.download_record import NAME, DownloadRecord, RecordedFile
from resources.language.sentence import Sentence, sentence
from storage.folders import ForeignFileError, open_own, private_folder, refuse_foreign, settle
from storage.untrusted import UntrustedDataError
from ui.theme.phrases import size

_SHOWN: Final = 1 << 24
"""Bytes of a file whose digest takes a moment."""


class FileTransfer:
    """The files of one commit, into `folder`."""

    def __init__(self, source: Source, page: ModelPage, folder: Path, meter: Meter, patience: RetryPatience) -> None:
        self._source = source
        self._page = page
        self._folder = folder
        self._meter = meter
        self._patience = patience

    def fetch(self, file: RemoteFile) -> None:
        """Download a file, or what is missing of it. A wrong one is downloaded once more.

        Raises HubError, WrongDigest and WrongSize if the hub fails, OSError if the disk does, and ForeignFileError.
        """
        final, part = self._folder / file.path, self._folder / (file.path + PART)
        private_folder(final.parent, self._folder)
        for _attempt in range(2):
            insist(self._patience, lambda: self._receive(file, part), self._meter.tell, lambda: _size(part))
            if file.size >= _SHOWN:
                self._meter.tell(Verifying(file.path))
            if digests.matches(part, file.digest):
                settle(part, final)
                return
            self._meter.lost(_size(part))
            part.unlink()
        raise errors.WrongDigest(
            sentence("{path} is not the file that the hub names, twice in a row, so Hearth deleted it.", path=file.path)
        )

    def _receive(self, file: RemoteFile, part: Path) -> None:
        """Append what is missing."""
        with os.fdopen(open_own(part, os.O_WRONLY | os.O_APPEND), "ab") as out:
            if out.tell() > file.size:
                self._cut(out)
            try:
                if out.tell() < file.size:
                    self._append(file, out)
            except errors.HubError:
                if not out.tell():
                    part.unlink()
                raise

    def _append(self, file: RemoteFile, out: BinaryIO) -> None:
        have = out.tell()
        try:
            with self._source.file(self._page.id, self._page.revision, file.remote, have) as incoming:
                if incoming.total not in (None, file.size):
                    raise errors.WrongSize(_wrong_size(file))
                if incoming.start < have:
                    self._cut(out)
                for piece in incoming.pieces:
                    if out.tell() + len(piece) > file.size:
                        raise errors.WrongSize(_wrong_size(file))
                    out.write(piece)
                    self._meter.came(len(piece))
        except RangeRefused:
            self._cut(out)
            raise
        if out.tell() < file.size:
            raise errors.HubUnreachable(sentence("the connection broke off"))

    def _cut(self, out: BinaryIO) -> None:
        self._meter.lost(out.tell())
        out.seek(0)
        out.truncate()


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _wrong_size(file: RemoteFile) -> Sentence:
    return sentence(
        "The hub sends {path} with another size than it tells, so Hearth does not download it.", path=file.path
    )


RESERVE: Final = 1 << 30
"""Bytes of the disk that a download leaves free."""
_FIRST_ATTEMPTS: Final = 3
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Downloads into the folder `models`. `free` returns the free bytes of a folder's disk."""

    source: Source
    models: Path
    patience: RetryPatience
    tell: Callable[[Report], object]
    free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free

    def fetch(self, repository: str, revision: str = "", head: str = "") -> Done:
        """Download a repository, or what is missing or damaged of it. `revision` is a branch or a commit; "" continues
        an earlier download, repairs a complete one, or takes the newest commit. The repository `head` has the model's
        draft head, if that was published apart: it goes into the folder `mtp`.

        Raises HubError with one sentence for the user, and FolderRefused.
        """
        head = names.checked(head) if head else ""
        place = ModelPlace(self.models, names.checked(repository))
        with _disk(), place.lock():
            staging.sweep(self.models)
            found = download_record.of(place.folder)
            try:
                return self._here(place, found, revision, head) or self._download(place, found, revision, head)
            except errors.HubError:
                place.forget_empty()
                raise

    def _here(self, place: ModelPlace, found: DownloadRecord | None, revision: str, head: str) -> Done | None:
        """The model, if it was downloaded already and is undamaged, and no other commit or head is asked for."""
        if found is None or place.staged() or revision not in ("", found.commit) or head not in ("", found.head):
            return None
        for file in found.files:
            self.tell(Verifying(file.path))
            if not _is_intact(place.folder, file):
                return None
        return Done(place.repository, found.commit, str(place.folder), found.licence)

    def _download(self, place: ModelPlace, found: DownloadRecord | None, revision: str, head: str) -> Done:
        page = self._page(place, found, revision)
        head = head or (found.head if found else "")
        apart = self._asked(head, NEWEST) if head else None
        own = chosen(place.repository, page.files)
        files = (*(head_files(head, apart.files, own) if apart else ()), *own)
        _check_taken(place.folder, files)
        folder = place.staging(page.revision)
        private_folder(folder)
        refuse_foreign(folder)
        complete = frozenset(
            one for one in files if self._is_left(folder, one) or _is_adopted(place.folder, folder, one)
        )
        total = sum(file.size for file in files)
        begun = {file: file.size if file in complete else _size(folder / (file.path + PART)) for file in files}
        done = sum(min(there, file.size) for file, there in begun.items())
        self._check_room(place, total - done)
        self.tell(Started(place.repository, page.revision, total, done, len(files), page.licence))
        meter = Meter(done, total, self.tell)
        for file in files:
            if file not in complete:
                self._check_room(place, total - meter.done)  # another download may have taken it
                whose = page if apart is None or file in own else apart
                FileTransfer(self.source, whose, folder, meter, self.patience).fetch(file)
        self.tell(Verifying())
        _tidy(folder, files)
        _keep_others(place.folder, folder, found)
        kept = tuple(RecordedFile(file.path, file.size, file.digest) for file in files)
        record = DownloadRecord(page.id, page.revision, self.source.endpoint, kept, page.licence, head, page.tags)
        download_record.write(folder, record)
        place.publish(page.revision)
        return Done(place.repository, page.revision, str(place.folder), page.licence)

    def _is_left(self, folder: Path, file: RemoteFile) -> bool:
        """Whether an earlier download left a file. It is verified, since another program may have put it there, and a
        wrong one is deleted.
        """
        path = folder / file.path
        if not path.exists():
            return False
        self.tell(Verifying(file.path))
        if _is_intact(folder, file):
            return True
        path.unlink()
        return False

    def _page(self, place: ModelPlace, found: DownloadRecord | None, revision: str) -> ModelPage:
        """The files of the commit that an earlier download began or brought, or else of the revision."""
        begun = next(iter(place.staged()), "") or (found.commit if found else "")
        if not begun or revision not in ("", begun):
            return self._asked(place.repository, revision or NEWEST)
        try:
            return self._asked(place.repository, begun)
        except errors.CommitGone as error:
            if not place.staged():
                return self._asked(place.repository, NEWEST)
            place.discard()
            raise errors.CommitGone(
                sentence(
                    "The version of {repository} that Hearth was downloading is no longer on the hub. Download it "
                    "again to get the newest one.",
                    repository=place.repository,
                )
            ) from error

    def _asked(self, repository: str, revision: str) -> ModelPage:
        """The hub's answer. The attempts are few: without a network the user learns that soon."""
        few = replace(self.patience, attempts=_FIRST_ATTEMPTS)
        return insist(few, lambda: self.source.page(repository, revision), self.tell)

    def _check_room(self, place: ModelPlace, missing: int) -> None:
        free = self.free(self.models)
        if missing + RESERVE > free:
            place.forget_empty()
            raise errors.NotEnoughRoom(
                sentence(
                    "{repository} needs {missing} more and the disk has {free} free. Hearth leaves {reserve} free, "
                    "so make room first.",
                    repository=place.repository,
                    missing=size(missing),
                    free=size(free),
                    reserve=size(RESERVE),
                )
            )


@contextmanager
def _disk() -> Iterator[None]:
    """Within the context, every refusal of the disk becomes a DiskRefused."""
    try:
        yield
    except UntrustedDataError as error:
        raise errors.DiskRefused(
            sentence("A file of the download cannot be read: {error}.", error=str(error))
        ) from error
    except ForeignFileError as error:
        raise errors.DiskRefused(
            sentence(
                "Delete {path}, then continue: Hearth did not make it, so it writes nothing there.",
                path=error.filename,
            )
        ) from error
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise errors.DiskRefused(
                sentence("The disk is full. Make room, then continue: what was downloaded stays.")
            ) from error
        raise errors.DiskRefused(
            sentence(
                "The disk does not take the download: {reason}. What was downloaded stays.", reason=told_reason(error)
            )
        ) from error


def _is_intact(folder: Path, file: RecordedFile | RemoteFile) -> bool:
    path = folder / file.path
    return path.is_file() and path.stat().st_size == file.size and digests.matches(path, file.digest)


def _check_taken(model: Path, files: tuple[RemoteFile, ...]) -> None:
    """Refuse to replace a folder with a file that would be lost, unless Hearth made that folder."""
    is_link = model.is_symlink()
    if not os.path.lexists(model) or (download_record.exists(model) and not is_link):
        return
    known = {model / file.path: file for file in files}
    strange = (path for path in model.rglob("*") if path.is_symlink() or not path.is_dir())
    if is_link or not all(
        path in known and not path.is_symlink() and _is_intact(model, known[path]) for path in strange
    ):
        raise errors.FolderTaken(
            sentence(
                "{model} is there already, and Hearth did not download it. Move it elsewhere to download the model.",
                model=str(model),
            )
        )


def _is_adopted(model: Path, folder: Path, file: RemoteFile) -> bool:
    """Take over a file of the model already here that the new commit has unchanged. Returns whether it is one."""
    if (model / file.path).is_symlink() or not _is_intact(model, file):
        return False
    private_folder((folder / file.path).parent, folder)
    try:
        os.link(model / file.path, folder / file.path)
    except OSError:  # a disk without hard links: the file is downloaded
        return False
    return True


def _tidy(folder: Path, files: tuple[RemoteFile, ...]) -> None:
    """Delete what is no file of the model, such as the rest of an attempt."""
    wanted = {folder / file.path for file in files}
    for path in folder.rglob("*"):
        if path not in wanted and (path.is_symlink() or not path.is_dir()):
            path.unlink()


def _keep_others(model: Path, folder: Path, found: DownloadRecord | None) -> None:
    """Take over what the user has put into the model: files that Hearth has not downloaded, such as adapters."""
    ours = {model / file.path for file in found.files} | {model / NAME} if found else set()
    for path in model.rglob("*") if found else ():
        kept = folder / path.relative_to(model)
        if path not in ours and path.is_file() and not path.is_symlink() and not kept.exists():
            private_folder(kept.parent, folder)
            try:
                os.link(path, kept)
            except OSError:  # a disk without hard links
                shutil.copy2(path, kept)
