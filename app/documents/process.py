"""The process that reads one document: its text, or why it is not read, goes to stdout as JSON.

Documents may be hostile, so they are read here and not in the app: a crash, an endless loop or a flood of memory ends
this process alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from app.base.errors import reason
from app.base.program import bound
from app.documents import folder, slides, spreadsheet, word
from app.documents.limits import MOST_FILE_BYTES, MOST_MEMORY_BYTES, MOST_SECONDS, DocumentRefused, ReadOutcome
from app.documents.office import Office
from app.documents.reading import Kind, kind_of
from resources.language.text import mark

_DAMAGED: Final = mark("“{name}” cannot be read: the file is damaged, or of a kind that Hearth does not know.")

_OF_DOCUMENTS: Final = ("[Content_Types].xml", "mimetype", "Index/Document.iwa")
"""Archives with one of these are documents: of Microsoft, of OpenDocument and books, and of Apple."""


def main(arguments: Sequence[str]) -> int:
    """Read the document that the one argument names."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no part of the answer
    sys.setrecursionlimit(2000)
    bound(MOST_SECONDS, MOST_MEMORY_BYTES)
    output.write(msgspec.json.encode(outcome(Path(arguments[0]))))
    output.close()
    return 0


def outcome(path: Path) -> ReadOutcome:
    """Read a document. This is the edge of reading: whatever a library raises about a file is its end."""
    try:
        return folder.read(path) if path.is_dir() else _read(path)
    except DocumentRefused as error:
        return ReadOutcome(refused=error.sentence, fields=dict(error.fields))
    except OSError as error:
        return ReadOutcome(refused=mark("“{name}” cannot be read: {why}."), fields={"why": reason(error)})
    except Exception:  # noqa: BLE001 - a hostile file can make a library raise anything
        return ReadOutcome(refused=(_DAMAGED))


def _read(path: Path) -> ReadOutcome:
    if path.stat().st_size > MOST_FILE_BYTES:
        raise DocumentRefused(mark("“{name}” is too large to be read."))
    if kind_of(path) is Kind.PDF:
        from app.documents import pdf  # no other document needs pypdf

        return pdf.read(path)
    office = Office(path)
    if (part := word.main(office)) in office:
        return ReadOutcome(text=word.read(office, part))
    if spreadsheet.MAIN in office:
        return ReadOutcome(text=spreadsheet.read(office))
    if slides.MAIN in office:
        return ReadOutcome(text=slides.read(office))
    if any(part in office for part in _OF_DOCUMENTS):
        raise DocumentRefused(mark("“{name}” is a document of a kind that Hearth cannot read. Attach a PDF of it."))
    raise DocumentRefused(mark("“{name}” is an archive. Attach the files in it."))
