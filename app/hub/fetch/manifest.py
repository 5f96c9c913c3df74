"""The record of a download: which files of which commit a model's folder holds, with their digests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from app.models.download_record import NAME
from storage.folders import fresh_file
from storage.untrusted import MEBIBYTE, UntrustedDataError, decode_json, read_file

if TYPE_CHECKING:
    from pathlib import Path

_LARGEST: Final = 8 * MEBIBYTE


class ManifestFile(msgspec.Struct, frozen=True):
    """A file. `digest` is as in `app.hub.fetch.digests`."""

    path: str
    size: Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
    digest: str


class Manifest(msgspec.Struct, frozen=True):
    """A complete download. `head` is the repository of the draft head, if that was published apart."""

    repository: str
    commit: str
    endpoint: str
    files: tuple[ManifestFile, ...]
    licence: str = ""
    head: str = ""


def write(folder: Path, manifest: Manifest) -> None:
    """Write the manifest into a folder, durably. Raises OSError."""
    content = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    with fresh_file(folder / NAME) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def of(folder: Path) -> Manifest | None:
    """The manifest in a model's folder; None if no manifest can be read."""
    try:
        return decode_json(read_file(folder / NAME, _LARGEST), Manifest)
    except UntrustedDataError:
        return None


def has_record(folder: Path) -> bool:
    """Whether Hearth downloaded the model in a folder: it has a manifest, readable or damaged."""
    return os.path.lexists(folder / NAME)
