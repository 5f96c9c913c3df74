"""The text of a spreadsheet (.xlsx): each row as a line with tabs, under the name of its sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import takewhile
from typing import Final

from app.documents.limits import MOST_TEXT_BYTES, DocumentRefused, Text, refuse_long
from app.documents.number_format import BUILT_IN, EPOCH, EPOCH_1904, Format, format_of, number
from app.documents.office import Office, Piece
from app.documents.plain_text import escaped
from app.documents.slides import add_linked
from app.documents.word import signed
from resources.language.text import mark

MAIN: Final = "xl/workbook.xml"
_FOREIGN: Final = mark("“{name}” is not a spreadsheet that Excel has written.")
_ESCAPED: Final = re.compile("_x([0-9A-Fa-f]{4})_")
"""A letter that XML lacks (ECMA-376 part 1, §22.9.2.19)."""
_MOST_COLUMNS: Final = 16_384


def read(office: Office) -> str:
    """All sheets, in order. Raises DocumentRefused."""
    links = list(office.links(MAIN))
    sheets, kinds = {name: part for name, _, part in links}, {kind: part for _, kind, part in links}
    strings, styles = _strings(office, kinds.get("sharedStrings", "")), _styles(office, kinds.get("styles", ""))
    text = Text()
    for about in _all(office, "sheet"):
        part = sheets.get(about.get("id", ""), "")
        if part in office:
            name, is_hidden = escaped(about.get("name", "Sheet")), about.get("state", "").endswith("idden")
            text.head(f"# {name}{' (hidden)' * is_hidden}\n")
            for row in _rows(office, part, strings, styles):
                text.add("\t".join(row).rstrip() + "\n")
            add_linked(text, office, part)
            text.head("\n")
    return text.whole()


def _all(office: Office, element: str) -> list[dict[str, str]]:
    return [about for kind, name, about in office.pieces(MAIN) if (kind, name) == ("start", element)]


def _strings(office: Office, part: str) -> list[str]:
    """The texts that cells share."""
    pieces = office.pieces(part) if part in office else iter(())
    return [_text(pieces, "si") for kind, name, _ in pieces if (kind, name) == ("start", "si")]


def _text(pieces: Iterator[Piece], element: str) -> str:
    """The text up to the end of this element. Hints for the pronunciation are left out."""
    text, inside = "", set[str]()
    for kind, name, _ in signed(takewhile(lambda piece: piece[:2] != ("end", element), pieces)):
        if kind in {"text", "sign"}:
            text += name if inside == {"t"} else ""
            refuse_long(len(text))
        else:
            inside ^= {name} & {"t", "rPh"}
    return text


def _styles(office: Office, part: str) -> dict[str, Format]:
    """The format of each style, by the style's number."""
    epoch = EPOCH_1904 if any(one.get("date1904") in {"1", "true"} for one in _all(office, "workbookPr")) else EPOCH
    formats = {one: format_of(code, epoch) for one, code in BUILT_IN.items()}
    styles, in_styles = list[str](), False
    for kind, name, about in office.pieces(part) if part in office else ():
        if name == "cellXfs":
            in_styles = kind == "start"
        elif (kind, name) == ("start", "numFmt"):
            formats[about.get("numFmtId", "")] = format_of(about.get("formatCode", ""), epoch)
        elif (kind, name) == ("start", "xf") and in_styles:
            styles.append(about.get("numFmtId", ""))
    return {str(place): formats.get(style, number) for place, style in enumerate(styles)}


def _rows(office: Office, part: str, strings: list[str], styles: dict[str, Format]) -> Iterator[list[str]]:
    row, held = list[str](), 0
    value, formula, cell, inside = "", "", dict[str, str](), ""
    pieces = office.pieces(part)
    for kind, name, about in pieces:
        if kind == "text":
            value += name if inside == "v" else ""
            formula += name if inside == "f" else ""
            refuse_long(len(value) + len(formula))
        elif name in {"v", "f"}:
            inside = name if kind == "start" else ""
        elif name == "is":
            value = _text(pieces, name)
        elif name == "c" and kind == "start":
            value, formula, cell = "", "", about
        elif name == "c":
            row += [""] * (_column(cell.get("r", ""), len(row)) - len(row))
            if formula and not value and cell.get("t") != "str":  # a text may be empty
                value, cell = f"={formula}", cell | {"t": "str"}
            row.append(_shown(value, cell, strings, styles))
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


def _shown(value: str, cell: dict[str, str], strings: list[str], styles: dict[str, Format]) -> str:
    kind = cell.get("t", "n")
    if kind == "s":
        if not strings:
            raise DocumentRefused(_FOREIGN)  # every text of the sheet would be missing
        place = int(value) if value.isdecimal() else -1
        value = strings[place] if 0 <= place < len(strings) else ""
    elif kind == "b":
        value = {"1": "TRUE", "0": "FALSE"}.get(value, value)
    elif kind == "n" and value:
        with suppress(ValueError, OverflowError):
            value = styles.get(cell.get("s", ""), number)(value)
    return " ".join(_ESCAPED.sub(lambda found: chr(int(found[1], 16)), value).split())
