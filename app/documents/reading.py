"""Reading: the text of a document that the user attaches. Blocks, so it runs on the thread for files.

The document is read by a process of its own, for a limited time, or until the caller stops it. What it is, its first
bytes say: a name can lie, and a PDF may consist of plain letters.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.base import program
from app.base.errors import AttachmentRefused, ReadingStopped
from app.documents.limits import MOST_SECONDS, MOST_TEXT_BYTES, DocumentRefused, ReadOutcome, Text
from app.documents.plain_text import decoded, escaped, is_guessed
from resources.language.text import mark, tr
from storage.untrusted import UntrustedDataError, decode_json, open_file, read_file

_HEAD_BYTES: Final = 1024
_HEIF: Final = {b"ftyp" + brand for brand in (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"avif", b"avis")}
"""Films and sound begin with other brands."""
_IMAGES: Final = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\x00", b"MM\x00*")


class Kind(StrEnum):
    """A kind of file. `OTHER` is attached as it is, if it is text."""

    PDF = "pdf"
    OFFICE = "office"
    FOLDER = "folder"
    OLD_OFFICE = "old office"
    IMAGE = "image"
    OTHER = "other"


_PDF: Final = re.compile(rb"(?:\A|[^ -~])%PDF-")
"""Readers accept some bytes before it. Letters before it are a text about PDFs."""


def kind_of(path: Path) -> Kind:
    """The kind of a file. A file that cannot be read, or is none, is `OTHER`."""
    if path.is_dir():
        return Kind.FOLDER
    head = _head(path)
    if _PDF.search(head):
        return Kind.PDF
    if head.startswith(b"PK\x03\x04"):
        return Kind.OFFICE
    if head.startswith((b"\xd0\xcf\x11\xe0", b"{\\rtf")):
        return Kind.OLD_OFFICE
    is_image = head.startswith(_IMAGES) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP") or head[4:12] in _HEIF
    return Kind.IMAGE if is_image and b"\x00" in head else Kind.OTHER


def _head(path: Path) -> bytes:
    with suppress(UntrustedDataError, OSError), open_file(path) as file:
        return file.read(_HEAD_BYTES)
    return b""


_OLD: Final = mark(
    "“{name}” is in a format that Hearth does not read, or has a password. Save it as .docx, .xlsx or .pptx, and "
    "attach that."
)
_DOCUMENTS: Final = frozenset({".pdf", ".docx", ".xlsx", ".pptx"})
_DAMAGED: Final = mark("“{name}” is damaged and cannot be read.")
_BINARY: Final = mark("“{name}” is not text. Text, PDFs, Word documents, spreadsheets and slides can be attached.")
_NOT_STARTED: Final = mark("The process that reads documents cannot be started. Install Hearth again.")
_TICK_SECONDS: Final = 0.1
"""How often `stopped` is asked while a document is read."""


def read(path: Path, stopped: Callable[[], bool] = lambda: False) -> ReadOutcome:
    """The text of a PDF, an Office document, a folder of code or a text file, with its type.

    Raises AttachmentRefused. Raises ReadingStopped soon after `stopped` returns True, which is asked on this thread.
    """
    if stopped():
        raise ReadingStopped
    match kind_of(path):
        case Kind.PDF | Kind.OFFICE | Kind.FOLDER:
            outcome = _read_apart(path, stopped)
            if outcome.refused:
                raise _refused(path, outcome.refused, outcome.fields)
            return outcome
        case Kind.IMAGE:
            raise _refused(path, mark("“{name}” is an image. No model here can see images yet."))
        case Kind.OLD_OFFICE:
            raise _refused(path, _OLD)
        case Kind.OTHER:
            return _plain(path)


def pasted(name: str, text: str) -> ReadOutcome:
    """A text that the user pasted, as a document of this name. Raises AttachmentRefused."""
    whole = Text()
    try:
        whole.add(text)
        return ReadOutcome(text=whole.whole())
    except DocumentRefused as error:
        raise AttachmentRefused(tr(error.sentence, name=name)) from error


def _plain(path: Path) -> ReadOutcome:
    try:
        content = read_file(path, MOST_TEXT_BYTES)
    except UntrustedDataError as error:
        raise AttachmentRefused(tr("“{name}” cannot be read ({why}).", name=path.name, why=error)) from error
    text = decoded(content)
    is_document = path.suffix.lower() in _DOCUMENTS  # what one holds is found by its first bytes
    if text is None or (text and is_document):
        raise _refused(path, _DAMAGED if is_document else _BINARY)
    return ReadOutcome(text=text, guessed=is_guessed(content))


def _read_apart(path: Path, stopped: Callable[[], bool]) -> ReadOutcome:
    try:
        with program.reader(path.absolute()).popen(stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            try:
                return decode_json(_output(child, stopped), ReadOutcome)
            finally:
                child.kill()
    except UntrustedDataError:
        return ReadOutcome(refused=mark("“{name}” takes too much time or memory to be read."))
    except OSError as error:
        raise AttachmentRefused(tr(_NOT_STARTED)) from error


def _output(child: subprocess.Popen[bytes], stopped: Callable[[], bool]) -> bytes:
    """All that the process writes until it ends; nothing if it takes too long. Raises ReadingStopped."""
    end = time.monotonic() + MOST_SECONDS
    while time.monotonic() < end:
        if stopped():
            raise ReadingStopped
        with suppress(subprocess.TimeoutExpired):
            return child.communicate(timeout=_TICK_SECONDS)[0]
    return b""


def _refused(path: Path, sentence: str, fields: Mapping[str, str | int] | None = None) -> AttachmentRefused:
    return AttachmentRefused(tr(sentence, name=escaped(path.name), **(fields or {})))
