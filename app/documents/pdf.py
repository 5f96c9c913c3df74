"""The text of a PDF. Called only in the process of `app.documents.process`: a PDF may be hostile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, PdfReadError, PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, PdfObject

from app.documents.limits import MOST_PAGES, DocumentRefused, ReadOutcome, Text, pdf_media
from resources.language.text import mark

_UNKNOWN_CIPHER: Final = mark(
    "“{name}” is encrypted in a way that Hearth cannot read. Print it to a new PDF, and attach that."
)
_SCANNED: Final = mark("“{name}” has pictures of its pages and no text, as scans do. No model here can read those yet.")
_COMMENTS: Final = {"/FreeText", "/Text", "/Highlight", "/Underline", "/Squiggly", "/StrikeOut", "/Caret"}
_HIDDEN: Final = 2 | 32
_MOST_PARENTS: Final = 8
_PAINTS: Final = re.compile(rb"\b(?:Do|BI)\b")


def read(path: Path) -> ReadOutcome:
    """The text of all pages with what was filled in and noted on them. The media type counts the pages that are
    pictures, if there are any. Raises DocumentRefused, and anything that pypdf raises for a damaged file.
    """
    reader = PdfReader(path, strict=False)
    _unlock(reader)
    count = len(reader.pages)
    if count > MOST_PAGES:
        raise DocumentRefused(
            mark("“{name}” has {count} pages, and at most {most} can be read. Attach a part of it."),
            count=count,
            most=MOST_PAGES,
        )
    text, has_words, pictures = Text(), False, 0
    for number, page in enumerate(reader.pages):
        words = page.extract_text().strip()
        pictures += not words and _paints(page)
        text.add(f"\n\n{words}" if number else words)
        has_words = has_words or bool(words)
        for note in _notes(page):
            text.add(f"\n{note}")
            has_words = True
    if not has_words:
        raise DocumentRefused(_SCANNED)
    return ReadOutcome(text=text.whole(), media=pdf_media(pictures) if pictures else "")


def _paints(page: PageObject) -> bool:
    """Whether a page shows a picture."""
    contents = page.get_contents()
    return contents is not None and bool(_PAINTS.search(contents.get_data()))


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
    field = next((one for one in owners if "/V" in one), note)
    value = "" if id(field) in fields else _words(_of(field, "/V"))
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
