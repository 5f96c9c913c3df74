"""What the command palette offers, and what of it fits the typed words. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from resources.language.text import mark, tr
from ui.search.fuzzy import Catalogue, Marks


class EntryGroup(StrEnum):
    """The kinds of entries, with their headings, in the order that they have if nothing is typed."""

    RECENT = mark("Recently used")
    CHATS = mark("Chats")
    MESSAGES = mark("In messages")
    PROMPTS = mark("Prompts")
    ACTIONS = mark("Actions")
    TABS = mark("Tabs")
    MODELS = mark("Models")
    SETTINGS = mark("Settings")


_MOST: Final = {
    EntryGroup.RECENT: 4,
    EntryGroup.CHATS: 6,
    EntryGroup.MESSAGES: 4,
    EntryGroup.PROMPTS: 5,
    EntryGroup.ACTIONS: 60,
    EntryGroup.TABS: 0,
    EntryGroup.MODELS: 5,
    EntryGroup.SETTINGS: 6,
}
_MOST_FITTING: Final = 8
"""Entries of one group while words are typed."""
_RECENT_BONUS: Final = 4
_KEPT: Final = 12


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One thing to do. `key` names it among the recently used ones, and `keys` are its shortcut in words. `about` gives
    the detail beside the title; it is only called for what is shown. `words` find it too, and are not shown. It may
    have no `icon`.
    """

    group: EntryGroup
    key: str
    title: str
    run: Callable[[], object]
    icon: str
    about: Callable[[], str] = str
    keys: str = ""
    marks: Marks = ()
    words: str = ""


class Row(NamedTuple):
    """A line of the palette: a heading, or an entry with the parts of its title that fit."""

    heading: str
    entry: PaletteEntry | None = None
    marks: Marks = ()


class Entries:
    """All entries, by group. `recent` are the keys of the entries that were used last, the last one first."""

    def __init__(self, entries: Iterable[PaletteEntry], recent: Sequence[str] = ()) -> None:
        self._groups: dict[EntryGroup, list[PaletteEntry]] = {group: [] for group in EntryGroup}
        for entry in entries:
            self._groups[entry.group].append(entry)
        self._recent = list(recent)
        self._catalogues = {
            group: Catalogue((entry.title for entry in listed), (entry.words for entry in listed))
            for group, listed in self._groups.items()
        }

    def rows(self, query: str, found: Sequence[PaletteEntry] = ()) -> list[Row]:
        """The lines for a query: the best entries of each group, the group with the best fit first. Among equals the
        chats are first, then the shorter title: the place of a setting is before what sets a value of it. `found` are
        hits in messages, which already fit.
        """
        if not query.strip():
            return self._all()
        fitting = filter(None, (self._fitting(group, query) for group in self._catalogues))
        rows = [row for _, part in sorted(fitting, key=lambda fit: fit[0]) for row in part]
        listed = found[: _MOST[EntryGroup.MESSAGES]]
        return rows + _section(EntryGroup.MESSAGES, [Row("", entry, entry.marks) for entry in listed])

    def _all(self) -> list[Row]:
        by_key = {entry.key: entry for listed in self._groups.values() for entry in listed}
        recent = [by_key[key] for key in self._recent if key in by_key][: _MOST[EntryGroup.RECENT]]
        rows = _section(EntryGroup.RECENT, [Row("", entry) for entry in recent])
        for group, listed in self._groups.items():
            rows += _section(group, [Row("", entry) for entry in listed[: _MOST[group]]])
        return rows

    def _fitting(self, group: EntryGroup, query: str) -> tuple[tuple[int, bool, int], list[Row]] | None:
        listed = self._groups[group]
        ranked = self._catalogues[group].rank(query, 3 * _MOST_FITTING)
        scored = [(one.fit.score + _RECENT_BONUS * (listed[one.place].key in self._recent), one) for one in ranked]
        scored.sort(key=lambda pair: -pair[0])
        rows = [Row("", listed[one.place], one.fit.marks) for _, one in scored[:_MOST_FITTING]]
        if not ranked:
            return None
        order = -ranked[0].fit.score, group is not EntryGroup.CHATS, len(listed[ranked[0].place].title)
        return order, _section(group, rows)


def used(key: str, recent: Sequence[str]) -> list[str]:
    """The keys of the recently used entries after the use of one more. One without a key is not remembered."""
    return [one for one in (key, *(other for other in recent if other != key)) if one][:_KEPT]


def _section(group: EntryGroup, rows: list[Row]) -> list[Row]:
    return [Row(tr(group)), *rows] if rows else []
