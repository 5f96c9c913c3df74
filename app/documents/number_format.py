"""The text of a cell by the code of its number format (ECMA-376 part 1, §18.8.31), with all its digits. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

BUILT_IN: Final = (
    dict.fromkeys(("9", "10"), "0%")
    | dict.fromkeys(map(str, (*range(14, 18), 22, *range(27, 37), *range(50, 59))), "yyyy")
    | dict.fromkeys(("18", "19", "20", "21", "32", "33", "45"), "h:mm")
    | {"46": "[h]", "47": "mm:ss.0"}
)
"""What Excel's own formats show, by their numbers (§18.8.30). 27 to 36 and 50 to 58 are the dates of East Asia."""
EPOCH: Final = datetime(1899, 12, 30, tzinfo=UTC)
EPOCH_1904: Final = datetime(1904, 1, 1, tzinfo=UTC)
"""The day 0 of a workbook that an old Excel for the Mac began."""
_LITERAL: Final = re.compile(r'"[^"]*"|[\\_*].')
"""The letters of a format that stand for themselves, and those that give the width of a space or fill the cell."""
_BRACKETED: Final = re.compile(r"\[[^\[\]]*\]")
_DURATION: Final = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_CURRENCY: Final = re.compile(
    r"\[\$([^\]-]+)|(?<![\[_*])((?:US|CA|AU|NZ|HK|NT|[ACRS])?\$|[¢-¥₠-₿])|"
    r'"\s*(EUR|USD|GBP|CHF|JPY|CNY|DM|Fr\.|kr\.?|zł|Kč|Ft)\s*"'
)
_MOST_DIGITS: Final = 15
_FALSE_LEAP_DAY: Final = 60  # Excel counts a 29 February 1900

Format = Callable[[str], str]  # raises ValueError or OverflowError for what is no number or no date


def format_of(code: str, epoch: datetime) -> Format:
    """The format that this code describes."""
    bare = _LITERAL.sub("", code)
    plain = _BRACKETED.sub("", bare).lower().partition(";")[0]
    letters = {*"dmyhs"} & {*plain}
    if _DURATION.search(bare):
        return _duration
    if letters:
        is_time = not letters & {*"dy"} and letters != {"m"}
        return partial(_moment, epoch=epoch, is_time=is_time, has_parts=".0" in plain)
    if "%" in plain:
        return partial(number, factor=100, after="%")
    found = _CURRENCY.search(code)
    sign = found[found.lastindex or 0].strip() if found else ""
    return partial(number, width=0 if plain.strip("0") else len(plain), after=f" {sign}".rstrip())


def number(value: str, factor: int = 1, width: int = 0, after: str = "") -> str:
    """A number with zeros up to this width, and with the digits that Excel shows: it stores 4.1 as 4.0999999999999996.
    A whole number keeps all its digits.
    """
    if factor > 1 or ("." in value and len(value) > _MOST_DIGITS):
        value = f"{float(value) * factor:.{_MOST_DIGITS}G}"
    return value.zfill(width) + after


def _moment(value: str, epoch: datetime, *, is_time: bool, has_parts: bool) -> str:
    """The day and the time, or one of them. `has_parts` keeps parts of a second."""
    days = float(value)
    if days < 0:
        return value
    is_early = epoch == EPOCH and 1 <= days < _FALSE_LEAP_DAY
    moment = epoch + timedelta(days=is_early, seconds=round(days * 86_400, 3 * has_parts))
    unit = "milliseconds" if moment.microsecond else "seconds" if moment.second else "minutes"
    day, time = moment.date().isoformat(), moment.time().isoformat(unit)
    return time if is_time or days < 1 else f"{day} {time}".removesuffix(" 00:00")


def _duration(value: str) -> str:
    """Hours, minutes and seconds: the hours of a week are no date."""
    days = float(value)
    minutes, seconds = divmod(round(abs(days) * 86_400), 60)
    return f"{'-' * (days < 0)}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
