"""The text of a PDF. Called only in the process of `app.documents.process`: a PDF may be hostile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from math import hypot
from pathlib import Path
from typing import Final

from pypdf import PageObject, PdfReader, Transformation
from pypdf.errors import DependencyError, PdfReadError, PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, PdfObject

from app.documents.limits import MOST_PAGES, DocumentRefused, ReadOutcome, Text, pdf_media
from resources.language.text import mark

_UNKNOWN_CIPHER: Final = mark(
    "“{name}” is encrypted in a way that Hearth cannot read. Print it to a new PDF, and attach that."
)
_SCANNED: Final = mark("“{name}” has pictures of its pages and no text, as scans do. No model here can read those yet.")
_XFA: Final = mark("“{name}” is an XFA form, which Hearth cannot read. Print it to a new PDF, and attach that.")
_COMMENTS: Final = {"/FreeText", "/Text", "/Highlight", "/Underline", "/Squiggly", "/StrikeOut", "/Caret"} | {
    *("/Square", "/Circle", "/Line", "/Ink", "/Polygon", "/PolyLine", "/Stamp")
}
_HIDDEN: Final = 2 | 32
_PASSWORD: Final = 1 << 13
_MOST_OPTIONS: Final = 1000
_MOST_PARENTS: Final = 8
_LONGEST_GAP: Final = 99
_RAISED: Final = re.compile(r"[-+\u2212]?\d*(, ?\d+)*[-+\u2212]?")
"""A power, a charge, the number of atoms, or the marks of footnotes."""
_UNKNOWN: Final = re.compile("[\0-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
"""A letter of a font that does not say which one it is."""
_STAMP_WORDS: Final = 10  # or fewer, as a program for scans writes them on each page
_Matrix = tuple[float, float, float, float, float, float]


def read(path: Path) -> ReadOutcome:
    """The text of all pages with what was filled in and noted on them. The media type counts the pages that are
    pictures, if there are any. Raises DocumentRefused, and anything that pypdf raises for a damaged file.
    """
    reader = PdfReader(path, strict=False)
    _unlock(reader)
    form = _of(reader.root_object, "/AcroForm")
    is_made = str(_of(reader.root_object, "/NeedsRendering")) == "True"  # by Acrobat, when the form is opened
    if isinstance(form, DictionaryObject) and "/XFA" in form and (is_made or not _of(form, "/Fields")):
        raise DocumentRefused(_XFA)
    count = len(reader.pages)
    if count > MOST_PAGES:
        raise DocumentRefused(
            mark("“{name}” has {count} pages, and at most {most} can be read. Attach a part of it."),
            count=count,
            most=MOST_PAGES,
        )
    text, has_words, pictures = Text(), False, 0
    for number, page in enumerate(reader.pages):
        shown = _Page(page)
        pictures += shown.is_picture
        text.add(f"\n\n{shown.words}" if number else shown.words)
        has_words = has_words or bool(shown.words)
        for note in _notes(page):
            text.add(f"\n{note}")
            has_words = True
    if not has_words:
        raise DocumentRefused(_SCANNED)
    return ReadOutcome(text=text.whole(), media=pdf_media(pictures) if pictures else "")


class _Page:
    """Collects the words of a page, with raised digits as in Word (10^5, H_2O) and a tab between two cells of a row."""

    def __init__(self, page: PageObject) -> None:
        self._pieces: list[str] = []
        self._rise = self._shown_rise = 0.0
        self._size = self._height = 0.0
        self._gap = self._level = ""
        self._painted = 0.0
        page.extract_text(visitor_operand_before=self._operate, visitor_text=self._add)
        words = "".join(self._pieces).strip()
        is_unknown = len(_UNKNOWN.findall(words)) * 3 > len(words)
        least = page.mediabox.width * page.mediabox.height / 2 if words and self._painted else 0.0
        is_scan = self._painted > least and len(words.split()) <= _STAMP_WORDS
        self.words = "" if is_unknown else words
        self.is_picture = is_unknown or is_scan

    def _operate(self, operator: bytes, operands: list[object], cm: _Matrix, _tm: _Matrix) -> None:
        if operator == b"Ts" and operands and isinstance(operands[0], int | float):
            self._rise = operands[0]
        elif operator in {b"Tj", b"TJ", b"'", b'"'}:
            self._shown_rise = self._rise
        elif operator in {b"Do", b"INLINE IMAGE"}:  # an image covers the unit square (ISO 32000-1, 8.9.5.1)
            self._painted += abs(cm[0] * cm[3] - cm[1] * cm[2])

    def _add(self, piece: str, cm: _Matrix, tm: _Matrix, _font: object, size: float) -> None:
        """Add a piece, whose text matrix does not tell how far `Ts` raises it (ISO 32000-1, 9.3.7)."""
        text = piece.strip()
        before, _, after = piece.partition(text) if text else (piece, "", "")
        self._gap = (self._gap + before)[:_LONGEST_GAP]
        if not text:
            return
        _, _, across, up, x, y = Transformation(tm).transform(Transformation(cm)).ctm
        scale = hypot(across, up) or 1
        size *= scale
        height = (x * across + y * up) / scale + self._shown_rise * scale
        above = height - self._height
        if "\n" in self._gap and abs(above) < 0.5 * min(size, self._size):
            self._gap = "\t"  # many programs end the line behind each cell, and move back to it
        is_small = size < 0.9 * self._size and abs(above) > 0.05 * self._size
        level = ("^" if above > 0 else "_") if not self._gap and is_small and _RAISED.fullmatch(text) else ""
        self._pieces.append(self._gap + level * (level != self._level) + text)
        self._gap, self._level = after, level
        if not level:
            self._size, self._height = size, height


def _notes(page: PageObject) -> Iterator[str]:
    """What was filled into the fields of a page, and the comments on it. Odd ones are skipped."""
    entries: object = None
    with suppress(PyPdfError):
        entries = _of(page, "/Annots")
    fields: set[int] = set()
    for entry in entries if isinstance(entries, ArrayObject) else ():
        with suppress(PyPdfError):
            if isinstance(note := entry.get_object(), DictionaryObject) and (words := _note(note, fields).strip()):
                yield words


def _note(note: DictionaryObject, fields: set[int]) -> str:
    """The words of a field or a comment. A field with several boxes is added to `fields` and read once."""
    kind, flags = _of(note, "/Subtype"), _of(note, "/F")
    if isinstance(flags, NumberObject) and flags & _HIDDEN:
        return ""
    if kind != "/Widget":
        return _words(_of(note, "/Contents")) if kind in _COMMENTS else ""
    owners = list(_owners(note))
    if any(isinstance(flags := _of(one, "/Ff"), NumberObject) and flags & _PASSWORD for one in owners):
        return ""
    field = next((one for one in owners if "/V" in one), note)
    options = next((_of(one, "/Opt") for one in owners if "/Opt" in one), None)
    value = "" if id(field) in fields else _words(_chosen(_of(field, "/V"), options))
    fields.add(id(field))
    label = next(filter(None, (_words(_of(one, "/TU")) for one in owners)), "")
    name = ".".join(filter(None, (_words(_of(one, "/T")) for one in reversed(owners))))
    return f"{label or name}: {value}" if value else ""


def _owners(widget: DictionaryObject) -> Iterator[DictionaryObject]:
    """A field on a page, and those that it is a part of."""
    owner: object = widget
    for _ in range(_MOST_PARENTS):
        if isinstance(owner, DictionaryObject):
            yield owner
            owner = _of(owner, "/Parent")


def _of(owner: DictionaryObject, name: str) -> object:
    value = owner.get(name)
    return value.get_object() if isinstance(value, PdfObject) else None


def _chosen(value: object, options: object) -> object:
    """What a form shows for a value: the option with this place, or the second name of one (ISO 32000-1, 12.7.4)."""
    for place, option in enumerate(options[:_MOST_OPTIONS] if isinstance(options, ArrayObject) else ()):
        match option.get_object():
            case str(shown) if value == NameObject(f"/{place}"):
                return shown
            case [str(name), str(shown)] if value == name:
                return shown
    return value


def _words(value: object) -> str:
    if isinstance(value, ArrayObject):
        return ", ".join(filter(None, (_words(one) for one in value if isinstance(one, str))))
    if isinstance(value, NameObject):
        return value.removeprefix("/")
    return "\n".join(value.splitlines()) if isinstance(value, str) else ""


def _unlock(reader: PdfReader) -> None:
    """Open a PDF that anyone may read. Raises DocumentRefused if it needs a password."""
    if not reader.is_encrypted:
        return
    try:
        is_open = bool(reader.decrypt(""))
    except (DependencyError, NotImplementedError) as error:
        raise DocumentRefused(_UNKNOWN_CIPHER) from error
    except PdfReadError:
        is_open = False
    if not is_open:
        raise DocumentRefused(mark("“{name}” is protected by a password. Save a copy without it, and attach that."))
