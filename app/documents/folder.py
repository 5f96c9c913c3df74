"""The text files of a folder of code as one text: a list of them, then each in a code block under its path.

Files that .gitignore names, links, and files that are empty, too large or not text are left out and counted. Hidden
files, `node_modules` and `__pycache__` are left out without a count: the user does not expect them.

- `FolderCounts` keeps the counts, as parameters of the folder's media type: `inode/directory; files=12; binary=2`.
- `Ignored` reads .gitignore files. It knows what they usually hold: comments, negation, patterns for folders alone and
  for any depth.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from app.documents.limits import MOST_TEXT_BYTES, DocumentRefused, ReadOutcome
from app.documents.plain_text import decoded, escaped, fenced, is_guessed
from resources.language.text import mark
from storage.untrusted import UntrustedDataError, read_file

_MOST_PATTERNS: Final = 5000
_LONGEST: Final = 300


class Pattern(NamedTuple):
    """One line of a .gitignore. `matches` is for a path below the folder of that file."""

    matches: re.Pattern[str]
    is_negated: bool
    folders_only: bool


class Ignored:
    """The patterns of one folder, on top of those of the folders above it."""

    def __init__(self, base: str = "", lines: Iterable[str] = (), above: Ignored | None = None) -> None:
        self.base = base
        self.patterns = [found for line in list(lines)[:_MOST_PATTERNS] if (found := pattern(line)) is not None]
        self.above = above

    def has(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path, relative to the topmost folder, is ignored. The last pattern that matches decides."""
        rules: Ignored | None = self
        while rules is not None:
            below = path.removeprefix(f"{rules.base}/") if rules.base else path
            for found in reversed(rules.patterns):
                if (is_folder or not found.folders_only) and found.matches.fullmatch(below):
                    return not found.is_negated
            rules = rules.above
        return False


def pattern(line: str) -> Pattern | None:
    """The pattern in a line; None for a comment, a blank line and one that is no pattern."""
    text = line.rstrip("\r\n").rstrip()
    if not text or text.startswith("#") or len(text) > _LONGEST:
        return None
    is_negated, text = text.startswith("!"), text.removeprefix("!")
    folders_only, text = text.endswith("/"), text.rstrip("/")
    anywhere = "" if "/" in text else "(?:.*/)?"
    try:
        return Pattern(re.compile(anywhere + _expression(text.removeprefix("/"))), is_negated, folders_only)
    except re.error:
        return None


def _expression(text: str) -> str:
    """A pattern as a regular expression. Two runs of stars never touch, so that matching stays fast."""
    parts = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    made = []
    for token in re.findall(r"\*\*/|/\*\*$|\*+|\?|\[[^\]/]+\]|\\?.", text):
        if token.startswith("[") and len(token) > 1:
            made.append(re.sub(r"^\[[!^]", "[^/", token))
        else:
            wild = token if token.strip("*") or text == "**" else "*"
            made.append(parts.get(wild, re.escape(token.removeprefix("\\"))))
    return "".join(made)


FOLDER: Final = "inode/directory"
_PARAMETER: Final = re.compile(r"; (\w+)=([0-9]{1,9})(?=;|$)")
_FILES: Final = "files"


class SkipReason(StrEnum):
    """Why a file of a folder is left out. The values are kept in the library."""

    BINARY = "binary"
    LARGE = "large"
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    IGNORED = "ignored"
    LINK = "link"


class FolderCounts(NamedTuple):
    """`left_out` has only reasons that apply. An ignored folder counts as one file: Hearth does not look into it."""

    files: int
    left_out: Mapping[SkipReason, int]

    def media(self) -> str:
        """The media type of the folder, with these counts."""
        counts = {_FILES: self.files} | {reason.value: self.left_out[reason] for reason in self.left_out}
        return "; ".join((FOLDER, *(f"{name}={count}" for name, count in counts.items())))


def is_folder(media: str) -> bool:
    """Whether this is the media type of a folder."""
    return media.partition(";")[0] == FOLDER


def counts_in(media: str) -> FolderCounts | None:
    """The counts in the media type of a folder, None if it has none."""
    found = {name: int(count) for name, count in _PARAMETER.findall(media)}
    if not is_folder(media) or _FILES not in found:
        return None
    return FolderCounts(found[_FILES], {reason: found[reason] for reason in SkipReason if found.get(reason)})


MOST_FILES: Final = 500
_MOST_SEEN: Final = 50_000
_MOST_FILE_BYTES: Final = 256 * 1024
_IGNORED_BYTES: Final = 64 * 1024
_MUCH: Final = mark("“{name}” has more text than any model can read at once. Attach a folder in it.")


def read(root: Path) -> ReadOutcome:
    """The text of the folder `root`, with its counts as the media type. Raises DocumentRefused."""
    sources: list[tuple[str, str]] = []
    left_out: Counter[SkipReason] = Counter()
    total, guessed = 0, False
    for path, text, is_guess in _sources(root, left_out):
        sources.append((path, fenced(path, text.rstrip())))
        guessed |= is_guess
        total += len(sources[-1][1].encode())
        if len(sources) > MOST_FILES or total > MOST_TEXT_BYTES:
            raise DocumentRefused(_MUCH)
    if not sources:
        raise DocumentRefused(mark("“{name}” has no text files."))
    listed = "\n".join(path for path, _ in sources)
    texts = "\n\n".join(text for _, text in sources)
    media = FolderCounts(len(sources), left_out).media()
    return ReadOutcome(text=f"Files of {escaped(root.name)}:\n{listed}\n\n{texts}\n", media=media, guessed=guessed)


def _sources(root: Path, left_out: Counter[SkipReason]) -> Iterator[tuple[str, str, bool]]:
    """The text files: the path of each in the folder, escaped, its text, and whether its encoding is a guess. A
    folder's own files come before those of the folders in it.
    """
    seen = 0
    waiting = [("", Ignored())]
    while waiting:
        base, above = waiting.pop()
        folder = root / base
        lines: list[str] = []
        with suppress(UntrustedDataError, OSError):
            lines = (decoded(read_file(folder / ".gitignore", _IGNORED_BYTES)) or "").splitlines()
        rules = Ignored(base, lines, above)
        inner = []
        for entry in _entries(folder):
            seen += 1
            if seen > _MOST_SEEN:
                raise DocumentRefused(mark("“{name}” has too many files. Attach a folder in it."))
            path = f"{base}/{entry.name}" if base else entry.name
            if entry.name.startswith(".") or entry.name in {"node_modules", "__pycache__"}:
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if rules.has(path, is_folder=is_folder):
                left_out[SkipReason.IGNORED] += 1
            elif is_folder:
                inner.append((path, rules))
            elif isinstance(text := _text(entry), SkipReason):
                left_out[text] += 1
            else:
                yield escaped(path), *text
        waiting += reversed(inner)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _text(entry: os.DirEntry[str]) -> tuple[str, bool] | SkipReason:
    """The text of a file and whether its encoding is a guess, or why it is left out."""
    if entry.is_symlink():
        return SkipReason.LINK
    try:
        if entry.stat().st_size > _MOST_FILE_BYTES:
            return SkipReason.LARGE
        content = read_file(Path(entry.path), _MOST_FILE_BYTES)
    except (UntrustedDataError, OSError):
        return SkipReason.UNREADABLE
    text = decoded(content)
    if not text:
        return SkipReason.BINARY if text is None else SkipReason.EMPTY
    return text, is_guessed(content)
