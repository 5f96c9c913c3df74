"""Sections: owns under which heading each conversation stands in the sidebar, and in which order; no Qt, no looks."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ui.theme.phrases import date_section

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from datetime import datetime

    from ui.state import ConversationRow


class HeadingKind(StrEnum):
    """What the rows under a heading have in common."""

    PINNED = "pinned"
    FOLDER = "folder"
    DATE = "date"
    FOUND = "found"


class Heading(NamedTuple):
    """A heading over `size` rows, of which none is listed while it is folded."""

    kind: HeadingKind
    title: str
    size: int = 0
    folded: bool = False

    def folder(self) -> str:
        """The folder that it stands for, "" for none."""
        return self.title if self.kind is HeadingKind.FOLDER else ""


class Entry(NamedTuple):
    """One line of the list: a row under its heading, or the heading itself."""

    heading: Heading
    row: ConversationRow | None

    def identity(self) -> tuple[str, str, str]:
        """The same for the same line, however its words change."""
        return self.heading.kind, self.heading.title, "" if self.row is None else self.row.id


def by_place(rows: tuple[ConversationRow, ...], now: datetime, folded: Collection[str]) -> list[Entry]:
    """Pinned ones on top, then each folder in the order of the alphabet, then the others under their dates.

    `folded` holds the names of the folders that hide their rows.
    """
    pinned = [row for row in rows if row.pinned]
    loose = [row for row in rows if not row.pinned]
    entries = _section(Heading(HeadingKind.PINNED, "Pinned"), pinned)
    by_folder = _grouped(loose, lambda row: row.folder)
    undated = by_folder.pop("", [])
    for name in sorted(by_folder, key=str.casefold):
        entries += _section(Heading(HeadingKind.FOLDER, name, folded=name in folded), by_folder[name])
    for title, ones in _grouped(undated, lambda row: date_section(row.updated, now)).items():
        entries += _section(Heading(HeadingKind.DATE, title), ones)
    return entries


def as_found(rows: tuple[ConversationRow, ...]) -> list[Entry]:
    """What a search found, in the order given: the best first."""
    return _section(Heading(HeadingKind.FOUND, "Results"), rows)


def _grouped(
    rows: Iterable[ConversationRow], key: Callable[[ConversationRow], str]
) -> dict[str, list[ConversationRow]]:
    groups: dict[str, list[ConversationRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _section(heading: Heading, rows: Collection[ConversationRow]) -> list[Entry]:
    counted = heading._replace(size=len(rows))
    shown = () if heading.folded else rows
    return [Entry(counted, None), *(Entry(counted, row) for row in shown)] if rows else []
