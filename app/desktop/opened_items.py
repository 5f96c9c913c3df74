"""Handles files and `hearth://` links that are opened with Hearth, from the command line, the Finder or another start
of the app. A link only fills a draft: nothing is ever sent to a model by itself.

Runs on the window's thread.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

from app.base.errors import AppError, BadArguments, reason

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEME: Final = "hearth"
_TURNING: Final = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
"""Characters that only change the direction of the text that follows. They can make a text look like another."""
LONGEST_LINK: Final = 1 << 20
"""Characters. A longer link is not a draft that a person means to send."""


@dataclass(frozen=True, slots=True)
class OpenHandlers:
    """The actions for arrivals. `come` is called first for each arrival. `bring` takes a file's path, `begin` the draft
    of a new chat, and `refuse` the reason why nothing is done.
    """

    come: Callable[[], object]
    bring: Callable[[str], object]
    begin: Callable[[str], object]
    refuse: Callable[[AppError], object]


class OpenedItems:
    """Handles arrivals at any time. Those that come before the handlers are set wait for them."""

    def __init__(self) -> None:
        self._doors: OpenHandlers | None = None
        self._waiting: list[str] = []
        self._brought: set[tuple[str, int, int]] = set()

    def serve(self, doors: OpenHandlers) -> None:
        """Set the handlers, and pass them the arrivals that have waited."""
        self._doors = doors
        waiting, self._waiting = self._waiting, []
        for arrival in waiting:
            self.take(arrival)

    def take(self, arrival: str) -> None:
        """Handle a link, or the path of a file. An unchanged file is not imported again: the system may report one file
        both on the command line and by an event.
        """
        if self._doors is None:
            self._waiting.append(arrival)
            return
        self._doors.come()
        try:
            self._lead(arrival, self._doors)
        except AppError as error:
            self._doors.refuse(error)

    def _lead(self, arrival: str, doors: OpenHandlers) -> None:
        if is_link(arrival):
            doors.begin(draft(arrival))
            return
        mark = _mark(arrival)
        if mark not in self._brought:
            self._brought.add(mark)
            doors.bring(arrival)


def is_link(arrival: str) -> bool:
    """Return whether this is one of Hearth's links and not the path of a file."""
    return arrival.lower().startswith(f"{SCHEME}:")


def named(argument: str) -> str:
    """Return an argument of the command line as an arrival that means the same in any folder. Raises BadArguments."""
    if is_link(argument):
        draft(argument)
        return argument
    path = Path(argument).expanduser().absolute()
    if not path.is_file():
        raise BadArguments(f"There is no file {path}.")
    return str(path)


def draft(link: str) -> str:
    """Return the text of `hearth://new?text=...`, empty without one. Raises BadArguments for any other link."""
    if len(link) > LONGEST_LINK:
        raise BadArguments("The link is too long for Hearth.")
    try:
        parts = urlsplit(link)
        fields = parse_qs(parts.query, keep_blank_values=True, errors="strict", max_num_fields=8)
    except ValueError as error:
        raise BadArguments("Hearth cannot read this link.") from error
    if (parts.netloc + parts.path).strip("/").lower() != "new":
        raise BadArguments("Hearth does not know this link.")
    return _plain("\n".join(fields.get("text", ())))


def _plain(text: str) -> str:
    """Remove the characters that cannot be seen in the message box: a web page may have written the text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(letter for letter in lines if letter in "\n\t" or not _is_hidden(letter))


def _is_hidden(letter: str) -> bool:
    return unicodedata.category(letter) in {"Cc", "Cs", "Cn"} or letter in _TURNING


def _mark(path: str) -> tuple[str, int, int]:
    try:
        found = Path(path).stat()
    except OSError as error:
        raise BadArguments(f"{Path(path).name} cannot be read: {reason(error)}.") from error
    return path, found.st_mtime_ns, found.st_size
