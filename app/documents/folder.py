"""The text files of a folder of code as one text: a list of them, then each under its path.

Files that .gitignore names, links, and files that are empty, too large or not text are left out and counted. Hidden
files, `node_modules` and `__pycache__` are left out without a count: the user does not expect them.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from app.documents.folder_counts import FolderCounts, SkipReason
from app.documents.ignored import Ignored
from app.documents.limits import MOST_TEXT_BYTES, DocumentRefused, ReadOutcome
from app.documents.plain_text import decoded, escaped
from resources.language.text import mark
from storage.untrusted import UntrustedDataError, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_FILES: Final = 500
_MOST_SEEN: Final = 50_000
_MOST_FILE_BYTES: Final = 256 * 1024
_IGNORED_BYTES: Final = 64 * 1024
_ALWAYS: Final = frozenset({"node_modules", "__pycache__"})


class FolderSource(NamedTuple):
    """A file of the folder: its path in it, escaped, and its text."""

    path: str
    text: str


def read(root: Path) -> ReadOutcome:
    """The text of the folder `root`, with its counts as the media type. Raises DocumentRefused."""
    sources: list[FolderSource] = []
    left_out: Counter[SkipReason] = Counter()
    total = 0
    for source in _sources(root, left_out):
        sources.append(source)
        total += len(source.text.encode())
        if len(sources) > MOST_FILES or total > MOST_TEXT_BYTES:
            raise DocumentRefused(
                mark("“{name}” has more text than any model can read at once. Attach a folder in it.")
            )
    if not sources:
        raise DocumentRefused(mark("“{name}” has no text files."))
    return ReadOutcome(text=_joined(root.name, sources), media=FolderCounts(len(sources), left_out).media())


def _joined(name: str, sources: list[FolderSource]) -> str:
    listed = "\n".join(source.path for source in sources)
    return f"Files of {escaped(name)}:\n{listed}\n\n" + "\n".join(
        f"=== {one.path}\n{one.text.rstrip()}\n" for one in sources
    )


def _sources(root: Path, left_out: Counter[SkipReason]) -> Iterator[FolderSource]:
    """The text files, by path. A folder's own files come before those of the folders in it."""
    seen = 0
    waiting = [("", Ignored())]
    while waiting:
        base, above = waiting.pop()
        folder = root / base
        rules = Ignored(base, _lines(folder / ".gitignore"), above)
        inner = []
        for entry in _entries(folder):
            seen += 1
            if seen > _MOST_SEEN:
                raise DocumentRefused(mark("“{name}” has too many files. Attach a folder in it."))
            path = f"{base}/{entry.name}" if base else entry.name
            if entry.name.startswith(".") or entry.name in _ALWAYS:
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if rules.has(path, is_folder=is_folder):
                left_out[SkipReason.IGNORED] += 1
            elif is_folder:
                inner.append((path, rules))
            elif isinstance(text := _text(entry), SkipReason):
                left_out[text] += 1
            else:
                yield FolderSource(escaped(path), text)
        waiting += reversed(inner)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _text(entry: os.DirEntry[str]) -> str | SkipReason:
    """The text of a file, or why it is left out."""
    if entry.is_symlink():
        return SkipReason.LINK
    try:
        if entry.stat().st_size > _MOST_FILE_BYTES:
            return SkipReason.LARGE
        text = decoded(read_file(Path(entry.path), _MOST_FILE_BYTES))
    except (UntrustedDataError, OSError):
        return SkipReason.UNREADABLE
    return SkipReason.BINARY if text is None else text or SkipReason.EMPTY


def _lines(ignored: Path) -> list[str]:
    try:
        return (decoded(read_file(ignored, _IGNORED_BYTES)) or "").splitlines()
    except (UntrustedDataError, OSError):
        return []
