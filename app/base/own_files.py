"""Files that the user exports, and those in a format of Hearth's own: each names its format and its version. And files
in which Hearth remembers what it can find out again. No Qt.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from app.base.errors import AppError, reason
from resources.language.text import tr
from storage.folders import export_file
from storage.untrusted import MissingFileError, UntrustedDataError, decode_json, read_file

_log = logging.getLogger(__name__)


class OwnFile(msgspec.Struct):
    """What each of these files begins with."""

    format: str
    version: int


T = TypeVar("T", bound=OwnFile)
Remembered = TypeVar("Remembered")


class OwnFormat(NamedTuple):
    """A format: its name, the newest `version` that can be read, the `largest` file in bytes, and what it is in words.
    `refused` is the error of a file that is not read.
    """

    name: str
    version: int
    largest: int
    words: str
    refused: type[AppError]


def read_own(path: Path, kind: type[T], of: OwnFormat) -> T:
    """Read a file. Raises the format's error, in words for the user."""
    try:
        found = decode_json(read_file(path, of.largest), kind)
    except UntrustedDataError as error:
        raise of.refused(tr("{name} is no {words}, or it is damaged.", name=path.name, words=tr(of.words))) from error
    if found.format != of.name:
        raise of.refused(tr("{name} is no {words}.", name=path.name, words=tr(of.words)))
    if found.version > of.version:
        raise of.refused(tr("A newer Hearth wrote {name}, so this one cannot read it.", name=path.name))
    return found


def remembered(path: Path, largest: int, kind: type[Remembered], nothing: Remembered) -> Remembered:
    """Return what is remembered in a file; `nothing` if there is no file, or it is damaged."""
    try:
        return decode_json(read_file(path, largest), kind)
    except MissingFileError:
        return nothing
    except UntrustedDataError as error:
        _log.info("%s is not used: %s", path.name, error)  # a command has no log: a warning would be on its terminal
        return nothing


def write_export(path: Path, data: bytes, refused: type[AppError]) -> None:
    """Write a file that the user exports. It gets its name only once it is complete. Raises `refused`."""
    try:
        export_file(path, data)
    except OSError as error:
        raise refused(tr("{name} cannot be written: {reason}.", name=path.name, reason=reason(error))) from error
