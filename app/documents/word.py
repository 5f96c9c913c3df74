"""The text of a Word document (.docx), and of other parts with paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import Final

from app.documents import equations
from app.documents.limits import DocumentRefused, Text
from app.documents.numbering import Counts, Numbering
from app.documents.office import Office, Piece, number_of
from resources.language.text import mark

_MAIN: Final = "word/document.xml"
_HEADINGS: Final = {f"Heading{level}": "#" * level + " " for level in range(1, 7)} | {"Title": "# "}
_SIGNS: Final = {"tab": "\t", "ptab": "\t", "noBreakHyphen": "-", "br": "\n", "cr": "\n", "sym": "\ufffd"}
"""A sign is a number in a font of pictures."""
_UNSEEN: Final = dict.fromkeys(
    ("Fallback", "moveFrom", "del", "rPrChange", "pPrChange", "tcPrChange", "trPrChange", "rt", "fld"), 1
) | {"vanish": 3}
"""Elements whose text a reader of the document does not see: the copy of a text box for an older Word, text that was
moved away or deleted, an earlier format, the pronunciation of a word, and the number of a slide. `vanish` hides the run
that is the second element around it.
"""
_OFF: Final = {"0", "false", "off"}
_REFERENCES: Final = {"footnoteReference": "footnote", "endnoteReference": "endnote", "commentReference": "comment"}
_ORDER: Final = ("header", "officeDocument", "footer", "diagramData", "footnotes", "endnotes", "comments")
_CHOICES: Final = {"checkBox": ("☐", "☒"), "ddList": ()}
_MOST_COLUMNS: Final = 63
_MOST_BASES: Final = 10
"""The most columns of a table, and the longest chain of styles, in Word."""

_NO_LISTS: Final = Numbering(())

Styles = dict[str, dict[str, str]]
Notes = dict[tuple[str, str], int]
"""The number of each note by its kind and its name, in the order of the text."""


def main(office: Office) -> str:
    """The name of the part with the text, if this is a Word document. Word on the web takes other names, such as
    `word/document2.xml`.
    """
    parts = (part for _, kind, part in office.links("") if kind == "officeDocument" and part.startswith("word/"))
    return _MAIN if _MAIN in office else next(parts, _MAIN)


def read(office: Office, part: str) -> str:
    """The paragraphs, with headings and notes as in Markdown, between what is above and below the pages, and the
    diagrams and notes at the end. Raises DocumentRefused.
    """
    links = [*office.links(part), ("", "officeDocument", part)]
    linked = {kind: name for _, kind, name in links if name in office}
    text, notes, styles = Text(), Notes(), _styles(office, linked.get("styles", ""))
    numbering = Numbering(_seen(office.pieces(linked["numbering"])) if "numbering" in linked else ())
    said = {""}  # each section has a head and a foot of its own, which may be the same
    for kind, name in ((kind, name) for one in _ORDER for _, kind, name in links if kind == one and name in office):
        words = Text()
        for piece in pieces(office, name, styles, notes, numbering):
            words.add(piece)
        seen = words.so_far().strip()
        is_page_number = kind in {"header", "footer"} and seen.isdecimal()
        if seen not in said and not is_page_number:
            text.add(words.so_far())
        said.add(seen)
    return text.whole()


def _styles(office: Office, part: str) -> Styles:
    """The properties of each style. It is a heading by its name, which is English, or by its level. Its id is in the
    language of the Word that wrote it.
    """
    found = {name: {"heading": sign} for name, sign in _HEADINGS.items()}
    style = dict[str, str]()
    for kind, name, about in _seen(office.pieces(part)) if part else ():
        value = about.get("val", "")
        if (kind, name) == ("start", "style"):
            style = found[about.get("styleId", "")] = {}
        elif (kind, name) == ("start", "name") and (heading := _HEADINGS.get(value.title().replace(" ", ""))):
            style["heading"] = heading
        elif (kind, name) == ("start", "outlineLvl"):
            style["heading"] = "#" * (int(value) + 1) + " " if value in {*"012345"} else ""
        elif kind == "start" and name in {"basedOn", "numId", "ilvl"}:
            style[name] = value
    return found


def _inherited(styles: Styles, style: str) -> dict[str, str]:
    """The properties of a style and of those that it is based on."""
    found = dict[str, str]()
    for _ in range(_MOST_BASES):
        about = styles.get(style, {})
        found = {**about, **found}
        style = about.get("basedOn", "")
    return found


def pieces(office: Office, part: str, styles: Styles, notes: Notes, numbering: Numbering = _NO_LISTS) -> Iterator[str]:
    """The text of a part. Each row of a table is a line with tabs. Of notes, those are read that the text refers to."""
    in_text, is_unread, spans = False, False, list[int]()
    for kind, name, about in _labelled(_chosen(signed(office.pieces(part))), styles, numbering):
        is_start = kind == "start"
        if kind == "text":
            yield name * in_text
        elif kind == "sign":
            yield name * (not is_unread)
        elif name in _REFERENCES.values():
            number = notes.get((name, about.get("id", "")), 0)
            is_unread = is_start and not number
            yield f"[^{number}]: " * bool(number)
        elif name == "t":
            in_text = is_start and not is_unread
        elif name == "tc":
            yield "\t" * (0 if is_start else spans.pop())
            spans += [1] * is_start
        elif name == "gridSpan" and is_start:
            spans[-1] = number_of(about.get("val", ""), _MOST_COLUMNS) or 1
        elif is_start and not is_unread:
            begun = _begun(name, about, notes)
            yield " " if begun == "\n" and spans else begun
        elif not is_start and name in {"p", "tr"}:
            yield " " if name == "p" and spans else "\n"


def _labelled(pieces: Iterator[Piece], styles: Styles, numbering: Numbering) -> Iterator[Piece]:
    """The events of a part, and what stands before its headings and the items of its lists."""
    paragraph, stories = dict[str, str](), [Counts()]
    for piece in pieces:
        kind, name, about = piece
        if (kind, name) == ("start", "pPr"):
            paragraph = {}
        elif kind == "start" and name in {"pStyle", "numId", "ilvl"}:
            paragraph[name] = about.get("val", "")
        elif kind == "start" and name in {"del", "moveFrom"}:
            paragraph["numId"] = ""  # the end of the paragraph is deleted
        elif (kind, name) == ("start", "txbxContent"):
            stories.append({})
        elif (kind, name) == ("end", "txbxContent"):
            stories.pop()
        elif (kind, name) == ("end", "pPr"):
            whole = {**_inherited(styles, paragraph.get("pStyle", "")), **paragraph}
            yield "sign", whole.get("heading", "") + numbering.label(whole, stories[-1]), {}
        yield piece


def _chosen(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The events of a part, and what was chosen in the fields of a form, which are no text (17.16)."""
    choices, chosen = list[str](), dict[str, int]()
    for piece in pieces:
        kind, name, about = piece
        if kind == "start" and name in _CHOICES:
            choices, chosen = [*_CHOICES[name]], {}
        elif kind == "start" and name == "listEntry":
            choices.append(about.get("val", ""))
        elif kind == "start" and name in {"checked", "result", "default"}:
            chosen[name] = 0 if about.get("val") in _OFF else number_of(about.get("val", ""), _MOST_COLUMNS) or 1
        elif kind == "end" and name in _CHOICES:
            place = chosen.get("checked", chosen.get("result", chosen.get("default", 0)))
            yield "sign", "".join(choices[place : place + 1]), {}
        yield piece


def signed(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The events of a part that a person sees, and the signs that tell 10^5 from 105 and (1)/(2) from 12."""
    level = level_before = begun = ""
    for piece in equations.signed(_seen(pieces)):
        kind, name, about = piece
        if kind == "text" and begun == "t" and level != level_before:
            yield "sign", level, {}
            level_before = level
        elif kind == "start":
            if name in {"p", "r", "si"}:
                level = ""
            if name in {"p", "si"}:
                level_before = ""
            elif name == "vertAlign" or "baseline" in about:
                level = _level(about.get("val", "") or about.get("baseline", ""))
            begun = name
        yield piece


def _seen(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The events, without those inside an element of `_UNSEEN`."""
    depth, deepest = 0, inf
    for piece in pieces:
        kind, name, about = piece
        depth += {"start": 1, "end": -1}.get(kind, 0)
        if depth <= deepest:
            deepest = inf
            yield piece
        if kind == "start" and name in _UNSEEN and about.get("val") not in _OFF:
            deepest = min(deepest, depth - _UNSEEN[name])


def _level(value: str) -> str:
    """The sign before a text at this height, as Word or PowerPoint names it."""
    if not value.strip("0%") or value == "baseline":
        return ""
    return "_" if value.startswith(("-", "sub")) else "^"


def _begun(name: str, about: Mapping[str, str], notes: Notes) -> str:
    if name in _REFERENCES:
        return f"[^{notes.setdefault((_REFERENCES[name], about.get('id', '')), len(notes) + 1)}]"
    if name == "altChunk":
        raise DocumentRefused(
            mark("“{name}” holds another document, which Hearth cannot read. Open it in Word and save it first.")
        )
    if name == "gridBefore":
        return "\t" * number_of(about.get("val", ""), _MOST_COLUMNS)
    is_stop = name == "tab" and bool(about)  # of the ruler
    return "" if is_stop else _SIGNS.get(name, "")
