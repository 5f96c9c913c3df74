"""The record of a download, which Hearth writes into the folder of the model: its repository, its commit, its licence,
and its files with their digests. A model that a paired Mac copied here has a record of that instead.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

import msgspec

from storage.folders import fresh_file
from storage.untrusted import MEBIBYTE, UntrustedDataError, decode_json, read_file

NAME: Final = ".hearth-download.json"
_LARGEST: Final = 8 * MEBIBYTE


class RecordedFile(msgspec.Struct, frozen=True):
    """A file. `path` stays inside of the folder, which may come from anyone. `digest` is as in
    `app.hub.fetch.digests`.
    """

    path: Annotated[str, msgspec.Meta(pattern=r"(?s)\A(?!(.*/)?\.\.?(/|\Z))[^/]")]
    size: Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
    digest: str


class DownloadRecord(msgspec.Struct, frozen=True):
    """A complete download. `head` is the repository of the draft head, if that was published apart. `tags` say what the
    model is made for. `mac` is the name of the Mac that copied the model here: then `repository` is only what that Mac
    calls it, and the rest is empty.
    """

    repository: str
    commit: str
    endpoint: str
    files: tuple[RecordedFile, ...]
    licence: str = ""
    head: str = ""
    tags: tuple[str, ...] = ()
    mac: str = ""


def write(folder: Path, record: DownloadRecord) -> None:
    """Write the record into a folder, durably. Raises OSError."""
    content = msgspec.json.format(msgspec.json.encode(record), indent=1)
    with fresh_file(folder / NAME) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def of(folder: Path) -> DownloadRecord | None:
    """The record in a model's folder; None if no record can be read."""
    try:
        return decode_json(read_file(folder / NAME, _LARGEST), DownloadRecord)
    except UntrustedDataError:
        return None


def exists(folder: Path) -> bool:
    """Whether Hearth made the folder of a model: it has a record, readable or damaged."""
    return os.path.lexists(folder / NAME)
