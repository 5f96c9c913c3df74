"""The text of a PDF. Called only in the process of `app.documents.process`: a PDF may be hostile."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pypdf import PdfReader
from pypdf.errors import DependencyError, PdfReadError

from app.documents.limits import MOST_PAGES, DocumentRefused, Text
from resources.language.text import mark

_UNKNOWN_CIPHER: Final = mark(
    "“{name}” is encrypted in a way that Hearth cannot read. Print it to a new PDF, and attach that."
)
_SCANNED: Final = mark("“{name}” has pictures of its pages and no text, as scans do. No model here can read those yet.")


def read(path: Path) -> str:
    """The text of all pages. Raises DocumentRefused, and anything that pypdf raises for a damaged file."""
    reader = PdfReader(path, strict=False)
    _unlock(reader)
    count = len(reader.pages)
    if count > MOST_PAGES:
        raise DocumentRefused(
            mark("“{name}” has {count} pages, and at most {most} can be read. Attach a part of it."),
            count=count,
            most=MOST_PAGES,
        )
    text, has_words = Text(), False
    for number, page in enumerate(reader.pages):
        words = page.extract_text().strip()
        has_words = has_words or bool(words)
        text.add(f"\n\n{words}" if number else words)
    if not has_words:
        raise DocumentRefused(_SCANNED)
    return text.whole()


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
