"""Files in a format of Hearth's own: each names its format and the version of it. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from resources.language.text import tr
from storage.untrusted import UntrustedDataError, decode_json, read_file

if TYPE_CHECKING:
    from pathlib import Path

    from app.base.errors import AppError


class OwnFile(msgspec.Struct):
    """What each of these files begins with."""

    format: str
    version: int


T = TypeVar("T", bound=OwnFile)


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
