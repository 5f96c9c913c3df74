"""Reads the record of a download, which names a model's repository, its commit and its licence.

Hearth writes the record into the folder of each model that it has downloaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from storage.untrusted import MEBIBYTE, UntrustedDataError, decode_json, read_file

if TYPE_CHECKING:
    from pathlib import Path

NAME: Final = ".hearth-download.json"
_LARGEST: Final = 8 * MEBIBYTE


class DownloadRecord(msgspec.Struct, frozen=True):
    """The origin of a model that Hearth has downloaded."""

    repository: str
    commit: str
    licence: str = ""


def record_of(folder: Path) -> DownloadRecord | None:
    """Return the record in a model's folder; None if no record can be read."""
    try:
        return decode_json(read_file(folder / NAME, _LARGEST), DownloadRecord)
    except UntrustedDataError:
        return None
