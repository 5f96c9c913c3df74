"""How a language writes numbers, times and dates. English by default; `app.desktop.locales` makes those of the system.

Pure: any thread may format.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from string import Formatter
from typing import Any

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""The signs of Unicode that open and close a change of the direction of writing."""


def _clock_of_24_hours(moment: datetime) -> str:
    return f"{moment:%H:%M}"


@dataclass(frozen=True, slots=True)
class Formats:
    """The signs in numbers, and the names in dates and their order. `time` writes the time of day."""

    group: str = ","
    decimal: str = "."
    weekdays: tuple[str, ...] = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    months: tuple[str, ...] = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    day_and_month: str = "{day} {month}"
    time: Callable[[datetime], str] = _clock_of_24_hours

    def date(self, day: datetime, *, has_year: bool) -> str:
        """Write a day with the short name of its month."""
        written = self.day_and_month.format(day=day.day, month=self.months[day.month - 1])
        return f"{written} {day.year}" if has_year else written

    def exact_time(self, moment: datetime) -> str:
        """Write the time of day with its seconds, which follow the minutes in every language."""
        before, minutes, after = self.time(moment).rpartition(f"{moment:%M}")
        return f"{before}{minutes}:{moment:%S}{after}" if minutes else after

    def number(self, value: float, how: str) -> str:
        """Write a number as Python's format specification `how` says, with the signs of the language."""
        return format(value, how).translate({ord(","): self.group, ord("."): self.decimal})


FORMATS = {
    "en": Formats(),
    "de": Formats(
        group=".",
        decimal=",",
        weekdays=("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"),
        months=("Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."),
        day_and_month="{day}. {month}",
    ),
}
"""Those of processes without Qt."""


class FieldFormatter(Formatter):
    """Fills the named fields of a sentence. A whole number is written in groups of three digits; "{rate:.1f}" writes
    one decimal. A text loses its signs of direction: one in the name of a file would turn the rest of the sentence
    back to front.
    """

    def __init__(self, formats: Formats) -> None:
        self._formats = formats

    def format_field(self, value: Any, format_spec: str) -> str:
        """Write one value."""
        if isinstance(value, int | float):
            return self._formats.number(value, format_spec or (",d" if isinstance(value, int) else ",g"))
        return _TURNS.sub("", str(value))
