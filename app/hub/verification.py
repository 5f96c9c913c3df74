"""Compares the files of a model with the digests that were recorded when they were downloaded. Only reads.

Hearth's downloads have a manifest. The Hugging Face cache names each file's content after its digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from app.base.model_names import name_of
from app.hub.errors import NotDownloaded
from app.hub.fetch import digests
from app.models import download_record
from app.models.download_record import NAME
from resources.language.text import mark, tr
from storage.untrusted import MissingFileError, UntrustedDataError

MISSING: Final = mark("it is missing")
WRONG: Final = mark("its bytes are not those that were downloaded")
UNREADABLE: Final = mark("the record of the download cannot be read")
_SNAPSHOTS: Final = "snapshots"


class DamagedFiles(msgspec.Struct, frozen=True):
    """A file that is not as it was downloaded. `fault` is the rest of a sentence."""

    file: str
    fault: str


class Verdict(msgspec.Struct, frozen=True):
    """The outcome for one model. `files` counts those that were compared."""

    model: str
    folder: str
    files: int
    damaged: tuple[DamagedFiles, ...] = ()


def verify(folder: Path, name: str) -> Verdict:
    """Compare every file of a model. Raises NotDownloaded if no digests are known."""
    if _has_damaged_record(folder):
        return Verdict(name, str(folder), 1, (DamagedFiles(NAME, tr(UNREADABLE)),))
    expected = list(_expected(folder))
    if not expected:
        raise NotDownloaded(
            tr("Hearth knows no digests of {name}, because it did not download it.", name=name_of(folder))
        )
    damaged = [DamagedFiles(path, fault) for path, digest in expected if (fault := _fault(folder / path, digest))]
    return Verdict(name, str(folder), len(expected), tuple(damaged))


def is_verifiable(folder: Path) -> bool:
    """Whether digests of this model are known, or were before their record was damaged."""
    return _has_damaged_record(folder) or next(_expected(folder), None) is not None


def _has_damaged_record(folder: Path) -> bool:
    return download_record.exists(folder) and download_record.of(folder) is None


def _expected(folder: Path) -> Iterator[tuple[str, str]]:
    """The files with their digests."""
    kept = download_record.of(folder)
    if kept is not None:
        yield from ((file.path, file.digest) for file in kept.files)
    elif folder.parent.name == _SNAPSHOTS:
        for path in sorted(folder.rglob("*")):  # a snapshot links to files that are named after their digests
            if path.is_symlink() and digests.known(digest := path.readlink().name):
                yield str(path.relative_to(folder)), digest


def _fault(path: Path, digest: str) -> str:
    """The fault of a file; "" if it is intact."""
    try:
        return "" if digests.matches(path, digest) else tr(WRONG)
    except MissingFileError:
        return tr(MISSING)
    except UntrustedDataError as error:
        return str(error)
    except OSError as error:
        return tr("the system refuses to read it ({strerror})", strerror=error.strerror)
