"""Finds the folders that may hold a model, below a source. Only lists; `app.models.model_files` reads.

Invariants:

- A folder that cannot be listed hides no other.
- At most MOST_FOLDERS folders of a source are listed, because the user may add a whole disk.
- Hidden folders are left out: Hearth keeps its unfinished downloads in one.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from app.base.model_names import repository_of
from app.models.sources import ModelSource
from storage.untrusted import MissingFileError, read_file

_log = logging.getLogger(__name__)

MOST_FOLDERS: Final = 10_000
_CACHED: Final = "models--"
"""The Hugging Face cache's folders of models begin with this."""
_DEEPEST: Final = 2
"""Models lie in a source itself, in its folders, or in those of their publishers."""
_HEAD: Final = "mtp"
"""The draft head of a model, in a folder of the model's."""
_LARGEST_REF: Final = 1024


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder that looks like a model. `names` are its entries. `pending`: files of it are still being downloaded by
    another program, or that was broken off.
    """

    path: Path
    repository: str
    source: ModelSource
    names: frozenset[str]
    pending: bool = False


def model_folders(source: ModelSource) -> Iterator[ModelFolder]:
    """Yield the folders of a source that look like models."""
    waiting = deque([(source.folder, 0)])
    for _ in range(MOST_FOLDERS):
        if not waiting:
            return
        folder, depth = waiting.popleft()
        if folder.name.startswith(_CACHED):
            yield from _cached(source, folder)
            continue
        names = _names(folder)
        if _looks_like_model(names):
            # Hearth and LM Studio keep models in folders of their publishers.
            repository = f"{folder.parent.name}/{folder.name}" if depth == _DEEPEST else folder.name
            yield ModelFolder(folder, repository, source, frozenset(names))
            names = [name for name in names if name != _HEAD]
        if depth < _DEEPEST:
            below = (folder / name for name in names if not name.startswith("."))
            waiting.extend((path, depth + 1) for path in below if os.path.isdir(path))  # noqa: PTH112 - the method raises for some folders
    _log.warning("%s has too many folders to look into all", ascii(str(source.folder)))


def _names(folder: Path) -> list[str]:
    """Return the sorted entries of a folder; an empty list if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in islice(entries, MOST_FOLDERS))
    except (OSError, ValueError) as error:
        _log.debug("%s is not searched: %s", ascii(str(folder)), error)
        return []


def _looks_like_model(names: list[str]) -> bool:
    return any(name in {"config.json", "adapter_config.json"} or name.endswith(".gguf") for name in names)


def _cached(source: ModelSource, home: Path) -> Iterator[ModelFolder]:
    """Yield the model of a folder of the Hugging Face cache, if it looks like one: the snapshot that `main` points to,
    else the newest.
    """
    pending = any(name.endswith(".incomplete") for name in _names(home / "blobs"))
    snapshots = home / "snapshots"
    found = {name: snapshots / name for name in _names(snapshots) if _looks_like_model(_names(snapshots / name))}
    snapshot = found.get(_main(home)) or max(found.values(), key=_age, default=None)
    if snapshot is not None:
        yield ModelFolder(snapshot, repository_of(home), source, frozenset(_names(snapshot)), pending)
    elif pending:
        yield ModelFolder(home, repository_of(home), source, frozenset(), pending=True)


def _main(home: Path) -> str:
    """Return the commit in the reference `main`; empty if the file cannot be read or holds none."""
    try:
        return read_file(home / "refs" / "main", _LARGEST_REF).decode("ascii").strip()
    except MissingFileError:
        return ""
    except ValueError as error:
        _log.info("%s: refs/main cannot be read (%s), so the newest snapshot counts", ascii(str(home)), error)
        return ""


def _age(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0
