"""The patterns of .gitignore files: which files of a folder of code are not its own. Pure.

It knows what such files usually hold: comments, negation, patterns for folders, patterns that begin at the file's own
folder, `*`, `?`, sets of signs and `**`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

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
        self._base = base
        self._patterns = [found for line in list(lines)[:_MOST_PATTERNS] if (found := pattern(line)) is not None]
        self._above = above

    def has(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path, relative to the topmost folder, is ignored. The last pattern that matches decides."""
        decided = self._decides(path, is_folder=is_folder)
        return bool(decided)

    def _decides(self, path: str, *, is_folder: bool) -> bool | None:
        below = path.removeprefix(f"{self._base}/") if self._base else path
        for found in reversed(self._patterns):
            if (is_folder or not found.folders_only) and found.matches.fullmatch(below):
                return not found.is_negated
        return self._above._decides(path, is_folder=is_folder) if self._above is not None else None  # noqa: SLF001 - of its own class


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
    tokens = re.findall(r"\*\*/|/\*\*$|\*+|\?|\[[^\]/]+\]|\\?.", text)
    made = []
    for token in tokens:
        if token.startswith("[") and len(token) > 1:
            made.append(token.replace("[!", "[^", 1))
        else:
            wild = "**" if len(token) > 1 and not token.strip("*") else token
            made.append(parts.get(wild, re.escape(token.removeprefix("\\"))))
    return "".join(made)
