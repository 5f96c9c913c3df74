"""The text files of a folder of code as one text: a list of them, then each under its path.

Files that .gitignore names, hidden ones, links and files that are not text are left out.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from app.documents.ignored import Ignored
from app.documents.limits import MOST_TEXT_BYTES, DocumentRefused
from app.documents.plain_text import decoded
from resources.language.text import mark
from storage.untrusted import UntrustedDataError, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_FILES: Final = 500
_MOST_SEEN: Final = 50_000
_MOST_FILE_BYTES: Final = 256 * 1024
_IGNORED_BYTES: Final = 64 * 1024
_ALWAYS: Final = frozenset({"node_modules", "__pycache__"})


class Source(NamedTuple):
    """A file of the folder: its path in it, and its text."""

    path: str
    text: str


def read(root: Path) -> str:
    """The text of the folder `root`. Raises DocumentRefused."""
    sources: list[Source] = []
    total = 0
    for source in _sources(root):
        sources.append(source)
        total += len(source.text.encode())
        if len(sources) > MOST_FILES or total > MOST_TEXT_BYTES:
            raise DocumentRefused(
                mark("“{name}” has more text than any model can read at once. Attach a folder in it.")
            )
    if not sources:
        raise DocumentRefused(mark("“{name}” has no text files."))
    listed = "\n".join(source.path for source in sources)
    return f"Files of {root.name}:\n{listed}\n\n" + "\n".join(
        f"=== {one.path}\n{one.text.rstrip()}\n" for one in sources
    )


def _sources(root: Path) -> Iterator[Source]:
    """The text files, by path. A folder's own files come before those of the folders in it."""
    seen = 0
    waiting = [("", Ignored())]
    while waiting:
        base, above = waiting.pop()
        folder = root / base
        rules = Ignored(base, (_text(folder / ".gitignore", _IGNORED_BYTES) or "").splitlines(), above)
        inner = []
        for entry in _entries(folder):
            seen += 1
            if seen > _MOST_SEEN:
                raise DocumentRefused(mark("“{name}” has too many files. Attach a folder in it."))
            path = f"{base}/{entry.name}" if base else entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.name.startswith(".") or entry.name in _ALWAYS or rules.has(path, is_folder=is_folder):
                continue
            if is_folder:
                inner.append((path, rules))
            elif entry.is_file(follow_symlinks=False) and (text := _text(folder / entry.name, _MOST_FILE_BYTES)):
                yield Source(path, text)
        waiting += reversed(inner)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _text(path: Path, most: int) -> str | None:
    """The text of a file, None if it is none, is too long or cannot be read."""
    try:
        return decoded(read_file(path, most))
    except (UntrustedDataError, OSError):
        return None
