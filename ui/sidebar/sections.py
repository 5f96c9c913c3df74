"""Groups the conversations of the sidebar under headings, in order. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from resources.language.text import tr
from ui.state.library import ConversationRow
from ui.theme.phrases import date_section


class HeadingKind(StrEnum):
    """The common property of the rows under a heading."""

    PINNED = "pinned"
    FOLDER = "folder"
    DATE = "date"
    FOUND = "found"


class Heading(NamedTuple):
    """A heading above `size` rows. They are hidden while it is `folded`."""

    kind: HeadingKind
    title: str
    size: int = 0
    folded: bool = False

    def folder(self) -> str:
        """The name of its folder, "" if the heading is not a folder."""
        return self.title if self.kind is HeadingKind.FOLDER else ""


class ListEntry(NamedTuple):
    """One line of the list: a row under its heading, or the heading itself if `row` is None."""

    heading: Heading
    row: ConversationRow | None

    def identity(self) -> tuple[str, str, str]:
        """A key that stays the same while the text of the line changes."""
        return self.heading.kind, self.heading.title, "" if self.row is None else self.row.id


def by_section(rows: tuple[ConversationRow, ...], now: datetime, folded: Collection[str]) -> list[ListEntry]:
    """Pinned rows first, then each folder in alphabetical order, then the others under their dates.

    `folded` holds the names of the folded folders.
    """
    pinned = [row for row in rows if row.pinned]
    loose = [row for row in rows if not row.pinned]
    entries = _section(Heading(HeadingKind.PINNED, tr("Pinned")), pinned)
    by_folder = _grouped(loose, lambda row: row.folder)
    undated = by_folder.pop("", [])
    for name in sorted(by_folder, key=str.casefold):
        entries += _section(Heading(HeadingKind.FOLDER, name, folded=name in folded), by_folder[name])
    for title, ones in _grouped(undated, lambda row: date_section(row.updated, now)).items():
        entries += _section(Heading(HeadingKind.DATE, title), ones)
    return entries


def search_results(rows: tuple[ConversationRow, ...]) -> list[ListEntry]:
    """The results of a search in the given order, best first."""
    return _section(Heading(HeadingKind.FOUND, tr("Results")), rows)


def _grouped(
    rows: Iterable[ConversationRow], key: Callable[[ConversationRow], str]
) -> dict[str, list[ConversationRow]]:
    groups: dict[str, list[ConversationRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _section(heading: Heading, rows: Collection[ConversationRow]) -> list[ListEntry]:
    counted = heading._replace(size=len(rows))
    shown = () if heading.folded else rows
    return [ListEntry(counted, None), *(ListEntry(counted, row) for row in shown)] if rows else []
