"""The text of a spreadsheet (.xlsx): each row as a line with tabs, under the name of its sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from app.documents.limits import MOST_TEXT_BYTES, DocumentRefused, Text, refuse_long
from app.documents.office import Office
from app.documents.word import signed
from resources.language.text import mark

MAIN: Final = "xl/workbook.xml"
_DATES: Final = frozenset(("45", "47", *map(str, range(14, 23))))
"""The numbers of Excel's own formats for dates and times."""
_DURATIONS: Final = frozenset(("46",))
_CUSTOM_DURATION: Final = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_CUSTOM_DATE: Final = re.compile(r"[dmyhs]", re.IGNORECASE)
_QUOTED: Final = re.compile(r'"[^"]*"|[\\_*].')
"""The letters of a format that stand for themselves, and those that give the width of a space or fill the cell."""
_BRACKETED: Final = re.compile(r"\[[^\]]*\]")
_EPOCH: Final = datetime(1899, 12, 30, tzinfo=UTC)
_EPOCH_1904: Final = datetime(1904, 1, 1, tzinfo=UTC)
"""The day 0 of a workbook that an old Excel for the Mac began."""
_FOREIGN: Final = mark("“{name}” is not a spreadsheet that Excel has written.")
_MOST_DAYS: Final = 2_958_466  # the year 10,000
_MOST_COLUMNS: Final = 16_384


class _Look(NamedTuple):
    """The numbers of the styles that show a date and of those that show a duration, and the day 0 of all dates."""

    dates: frozenset[int]
    durations: frozenset[int]
    epoch: datetime


def read(office: Office) -> str:
    """All sheets, in order. Raises DocumentRefused."""
    links = list(office.links(MAIN))
    sheets, kinds = {name: part for name, _, part in links}, {kind: part for _, kind, part in links}
    strings, look = _strings(office, kinds.get("sharedStrings", "")), _look(office, kinds.get("styles", ""))
    text = Text()
    for about in _all(office, MAIN, "sheet"):
        part = sheets.get(about.get("id", ""), "")
        if part in office:
            text.add(f"# {about.get('name', 'Sheet')}\n")
            for row in _rows(office, part, strings, look):
                text.add("\t".join(row).rstrip() + "\n")
            text.add("\n")
    return text.whole()


def _all(office: Office, part: str, element: str) -> list[dict[str, str]]:
    if part not in office:
        return []
    return [about for kind, name, about in office.pieces(part) if (kind, name) == ("start", element)]


def _strings(office: Office, part: str) -> list[str]:
    """The texts that cells share. Hints for the pronunciation are left out."""
    found: list[str] = []
    text, in_text, in_hint = "", False, False
    for kind, name, _ in signed(office.pieces(part)) if part in office else ():
        if kind in {"text", "sign"}:
            text += name if in_text and not in_hint else ""
            refuse_long(len(text))
        elif (kind, name) == ("end", "si"):
            found.append(text)
            text = ""
        else:
            in_text = kind == "start" if name == "t" else in_text
            in_hint = kind == "start" if name == "rPh" else in_hint
    return found


def _look(office: Office, part: str) -> _Look:
    dates, durations, styles, in_styles = set(_DATES), set(_DURATIONS), list[str](), False
    for kind, name, about in office.pieces(part) if part in office else ():
        if name == "cellXfs":
            in_styles = kind == "start"
        elif (kind, name) == ("start", "numFmt"):
            code = _QUOTED.sub("", about.get("formatCode", ""))
            if _CUSTOM_DURATION.search(code):
                durations.add(about.get("numFmtId", ""))
            elif _CUSTOM_DATE.search(_BRACKETED.sub("", code)):
                dates.add(about.get("numFmtId", ""))
        elif (kind, name) == ("start", "xf") and in_styles:
            styles.append(about.get("numFmtId", ""))
    is_old = any(about.get("date1904") in {"1", "true"} for about in _all(office, MAIN, "workbookPr"))
    return _Look(
        frozenset(place for place, style in enumerate(styles) if style in dates),
        frozenset(place for place, style in enumerate(styles) if style in durations),
        _EPOCH_1904 if is_old else _EPOCH,
    )


def _rows(office: Office, part: str, strings: list[str], look: _Look) -> Iterator[list[str]]:
    row: list[str] = []
    held = 0
    value, cell, in_value = "", dict[str, str](), False
    for kind, name, about in office.pieces(part):
        if kind == "text":
            value += name if in_value else ""
            refuse_long(len(value))
        elif name in {"v", "t"}:
            in_value = kind == "start"
        elif name == "c" and kind == "start":
            value, cell = "", about
        elif name == "c":
            row += [""] * (_column(cell.get("r", ""), len(row)) - len(row))
            row.append(_shown(value, cell, strings, look))
            held += len(row[-1])
            if held > MOST_TEXT_BYTES:
                yield row  # which the reader refuses: many cells may share one long text
        elif name == "row" and kind == "end":
            yield row
            row, held = [], 0


def _column(reference: str, following: int) -> int:
    """The column of a cell such as "AB7", counted from 0. A cell without a reference follows the one before it."""
    letters = [ord(sign) - 64 for sign in reference.upper() if "A" <= sign <= "Z"]
    column = 0
    for letter in letters[:4]:
        column = column * 26 + letter
    if column > _MOST_COLUMNS:
        raise DocumentRefused(_FOREIGN)
    return column - 1 if letters else following


def _shown(value: str, cell: dict[str, str], strings: list[str], look: _Look) -> str:
    kind, style = cell.get("t", "n"), cell.get("s", "")
    if kind == "s":
        if not strings:
            raise DocumentRefused(_FOREIGN)  # every text of the sheet would be missing
        place = int(value) if value.isdecimal() else -1
        value = strings[place] if 0 <= place < len(strings) else ""
    elif kind == "b":
        value = {"1": "TRUE", "0": "FALSE"}.get(value, value)
    elif kind == "n" and style.isdecimal() and int(style) in look.dates:
        value = _date(value, look.epoch)
    elif kind == "n" and style.isdecimal() and int(style) in look.durations:
        value = _duration(value)
    return " ".join(value.split())


def _date(value: str, epoch: datetime) -> str:
    days = _days(value)
    if days is None or days < 0:
        return value
    try:
        moment = epoch + timedelta(seconds=round(days * 86_400))
    except OverflowError:
        return value
    if days < 1:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d}" if moment.time() == epoch.time() else f"{moment:%Y-%m-%d %H:%M}"


def _duration(value: str) -> str:
    """Hours, minutes and seconds: the hours of a week are no date."""
    if (days := _days(value)) is None:
        return value
    minutes, seconds = divmod(round(abs(days) * 86_400), 60)
    return f"{'-' * (days < 0)}{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _days(value: str) -> float | None:
    """None if it is no number of days that a date can have."""
    try:
        days = float(value)
    except ValueError:
        return None
    return days if abs(days) < _MOST_DAYS else None
