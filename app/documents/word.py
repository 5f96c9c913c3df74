"""The text of a Word document (.docx), and of other parts with paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import Final

from app.documents.limits import DocumentRefused, Text
from app.documents.office import Office, Piece
from resources.language.text import mark

_MAIN: Final = "word/document.xml"
_HEADINGS: Final = {f"Heading{level}": "#" * level + " " for level in range(1, 7)} | {"Title": "# "}
_SIGNS: Final = {"tab": "\t", "ptab": "\t", "noBreakHyphen": "-", "br": "\n", "cr": "\n", "sym": "\ufffd"}
"""A sign is a number in a font of pictures."""
_UNSEEN: Final = dict.fromkeys(
    ("Fallback", "moveFrom", "del", "rPrChange", "pPrChange", "tcPrChange", "trPrChange", "rt", "fld"), 1
) | {"vanish": 3}
"""What nobody sees: a text box once more, for an older Word, what was moved away or deleted, a former format, how a
word is spoken, and the number of a slide. `vanish` hides the run that is the second element around it.
"""
_OFF: Final = {"0", "false", "off"}
_REFERENCES: Final = {"footnoteReference": "footnote", "endnoteReference": "endnote", "commentReference": "comment"}
_LINKED: Final = ("diagramData", "footnotes", "endnotes", "comments")
_PARTS: Final = dict.fromkeys(("num", "den", "rad", "acc", "bar"), ("(", ")")) | {
    "sup": ("^(", ")"),
    "sub": ("_(", ")"),
    "lim": ("_(", ")"),
    "deg": ("root ", " of "),
    "mr": ("", "; "),
}
"""What stands around a part of an equation, so that a half is not 12."""
_PLAIN: Final = {"0": "", "1": ", ", "2": ""}
_OBJECTS: Final = dict.fromkeys(("m", "eqArr", "groupChr"), _PLAIN) | {
    "d": {"begChr": "(", "sepChr": "|", "endChr": ")"},
    "nary": {"chr": "∫", "1": "", "2": ""},
    "f": {"0": "", "type": "/", "2": ""},
    "acc": {"0": "", "1": "", "chr": "\u0302"},
    "bar": {"0": "", "1": "", "pos": "\u0332"},
}
"""What stands before, between and after the parts of an object, unless its property of this name says else (22.1.2)."""
_VALUES: Final = {"top": "\u0305", "bot": "\u0332", "bar": "/", "skw": "/", "lin": "/", "noBar": " atop "}
_MOST_COLUMNS: Final = 63
"""What a table has at most in Word."""

Notes = dict[tuple[str, str], int]
"""The number of each note by its kind and its name, in the order of the text."""


def main(office: Office) -> str:
    """The name of the part with the text, if this is a Word document. Word on the web takes other names, such as
    `word/document2.xml`.
    """
    parts = (part for _, kind, part in office.links("") if kind == "officeDocument" and part.startswith("word/"))
    return _MAIN if _MAIN in office else next(parts, _MAIN)


def read(office: Office, part: str) -> str:
    """The paragraphs, with headings and notes as in Markdown, and the diagrams and notes at the end. Raises
    DocumentRefused.
    """
    links = list(office.links(part))
    styles = next((name for _, kind, name in links if kind == "styles"), "")
    text, notes, headings = Text(), Notes(), _headings(office, styles)
    for name in (part, *(name for one in _LINKED for _, kind, name in links if kind == one)):
        for piece in pieces(office, name, headings, notes) if name in office else ():
            text.add(piece)
    return text.whole()


def _headings(office: Office, part: str) -> dict[str, str]:
    """What begins a paragraph of each style, by the name of the style, which is English, or by its level. Its id is in
    the language of the Word that wrote it.
    """
    found, style = dict(_HEADINGS), ""
    for kind, name, about in office.pieces(part) if part in office else ():
        value = about.get("val", "")
        if (kind, name) == ("start", "style"):
            style = about.get("styleId", "")
        elif (kind, name) == ("start", "name"):
            found[style] = _HEADINGS.get(value.title().replace(" ", ""), "")
        elif (kind, name) == ("start", "outlineLvl") and value in {*"012345"}:
            found[style] = "#" * (int(value) + 1) + " "
    return found


def pieces(office: Office, part: str, headings: Mapping[str, str], notes: Notes) -> Iterator[str]:
    """The text of a part. Each row of a table is a line with tabs. Of notes, those are read that the text refers to."""
    in_text, is_unread, spans = False, False, list[int]()
    for kind, name, about in signed(office.pieces(part)):
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
            spans[-1] = number_of(about, _MOST_COLUMNS)
        elif is_start and not is_unread:
            begun = _begun(name, about, headings, notes)
            yield " " if begun == "\n" and spans else begun
        elif not is_start and name in {"p", "tr"}:
            yield " " if name == "p" and spans else "\n"


def signed(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The events of a part that a person sees, and the signs that tell 10^5 from 105 and (1)/(2) from 12."""
    level = level_before = begun = ""
    for piece in _maths(_seen(pieces)):
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
    """The events without those inside of what nobody sees."""
    depth, deepest = 0, inf
    for piece in pieces:
        kind, name, about = piece
        depth += {"start": 1, "end": -1}.get(kind, 0)
        if depth <= deepest:
            deepest = inf
            yield piece
        if kind == "start" and name in _UNSEEN and about.get("val") not in _OFF:
            deepest = min(deepest, depth - _UNSEEN[name])


def _maths(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The events of a part, and the signs of its equations."""
    objects, ended = [_PLAIN], ""
    for piece in pieces:
        kind, name, about = piece
        sign = ""
        if kind == "start":
            sign = _before(objects[-1], name, about, is_next=name == "den" or name == ended == "e")
            objects += [_OBJECTS[name].copy()] if name in _OBJECTS else []
        if kind != "text":
            sign += _PARTS[name][kind == "end"] if name in _PARTS else ""
            ended = name if kind == "end" else ""
        if kind == "end" and name in _OBJECTS:
            sign += [*objects.pop().values()][2]
        if sign:
            yield "sign", sign, {}
        yield piece


def _before(signs: dict[str, str], name: str, about: Mapping[str, str], *, is_next: bool) -> str:
    first, between, _ = signs
    if name in signs:
        signs[name] = _VALUES.get(about.get("val", ""), about.get("val", ""))
    if is_next:
        return signs[between]
    sign = signs[first] if name in {"e", "sub", "sup"} else ""
    signs[first] = "" if sign else signs[first]
    return sign


def _level(value: str) -> str:
    """The sign before a text at this height, as Word or PowerPoint names it."""
    if not value.strip("0%") or value == "baseline":
        return ""
    return "_" if value.startswith(("-", "sub")) else "^"


def _begun(name: str, about: Mapping[str, str], headings: Mapping[str, str], notes: Notes) -> str:
    if name in _REFERENCES:
        return f"[^{notes.setdefault((_REFERENCES[name], about.get('id', '')), len(notes) + 1)}]"
    if name == "pStyle":
        return headings.get(about.get("val", ""), "")
    if name == "altChunk":
        raise DocumentRefused(
            mark("“{name}” holds another document, which Hearth cannot read. Open it in Word and save it first.")
        )
    if name == "gridBefore":
        return "\t" * number_of(about, _MOST_COLUMNS)
    is_stop = name == "tab" and bool(about)  # of the ruler
    return "" if is_stop else _SIGNS.get(name, "")


def number_of(about: Mapping[str, str], most: int) -> int:
    """The number that an element says, `most` at most."""
    value = about.get("val", "")
    return min(int(value[:9]), most) if value.isdecimal() else 0
