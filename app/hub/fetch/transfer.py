"""Downloads one file of a commit into the staging folder, and verifies it. Blocks.

A file gets its final name when it is verified and durable. Its bytes before that are in a file with the ending
`.part`, which a later attempt continues, also in another process.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from app.hub.errors import HubError, HubUnreachable, WrongDigest, WrongSize
from app.hub.fetch import digests
from app.hub.fetch.progress import Meter, Verifying
from app.hub.fetch.retry import RetryPatience, insist
from app.hub.fetch.selection import RemoteFile
from app.hub.fetch.staging import PART
from app.hub.model_page import ModelPage
from app.hub.source import Incoming, RangeRefused, Source
from resources.language.sentence import Sentence, sentence
from storage.folders import open_own, private_folder, settle

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
        raise WrongDigest(
            sentence("{path} is not the file that the hub names, twice in a row, so Hearth deleted it.", path=file.path)
        )

    def _receive(self, file: RemoteFile, part: Path) -> None:
        """Append what is missing."""
        handle = open_own(part, os.O_WRONLY | os.O_APPEND)
        try:
            have = os.fstat(handle).st_size
            if have > file.size:
                self._cut(handle, have)
                have = 0
            if have < file.size:
                self._append(file, handle, have)
        except HubError:
            if not os.fstat(handle).st_size:
                part.unlink()
            raise
        finally:
            os.close(handle)

    def _append(self, file: RemoteFile, handle: int, have: int) -> None:
        try:
            with self._source.file(self._page.id, self._page.revision, file.remote, have) as incoming:
                if incoming.total not in (None, file.size):
                    raise WrongSize(_wrong_size(file))
                if incoming.start < have:
                    self._cut(handle, have)
                self._write(file, handle, incoming)
        except RangeRefused:
            self._cut(handle, have)
            raise

    def _write(self, file: RemoteFile, handle: int, incoming: Incoming) -> None:
        have = incoming.start
        for piece in incoming.pieces:
            have += len(piece)
            if have > file.size:
                raise WrongSize(_wrong_size(file))
            left = memoryview(piece)
            while left:
                left = left[os.write(handle, left) :]
            self._meter.came(len(piece))
        if have < file.size:
            raise HubUnreachable(sentence("the connection broke off"))

    def _cut(self, handle: int, have: int) -> None:
        os.ftruncate(handle, 0)
        self._meter.lost(have)


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _wrong_size(file: RemoteFile) -> Sentence:
    return sentence(
        "The hub sends {path} with another size than it tells, so Hearth does not download it.", path=file.path
    )
