"""How much a document may hold, and the one error for a document that is not read. Pure."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from resources.language.text import mark

MOST_TEXT_BYTES: Final = 20 * 2**20
"""Some five million tokens, more than any supported model can read at once. What the chat's model can read is counted
before the message is sent.
"""
MOST_FILE_BYTES: Final = 256 * 2**20
MOST_UNPACKED_BYTES: Final = 512 * 2**20
MOST_TOKEN_BYTES: Final = 2**20
"""One tag with its attributes, one comment or one cell of an Office file. Excel's own limit for a cell is 32 KB. The
parser reads a tag again from its beginning for each portion of it.
"""
MOST_MEMORY_BYTES: Final = 2**31
MOST_SECONDS: Final = 60
MOST_PAGES: Final = 5000
_PDF: Final = "application/pdf; pictures="
_BLANK_LINES: Final = re.compile(r"\A(?:[^\S\n]*\n)+")


class DocumentRefused(Exception):  # noqa: N818 - named after what happened
    """A document is not read. `sentence` has fields: the document's {name}, and those in `fields`."""

    def __init__(self, sentence: str, **fields: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.fields = fields


def refuse_long(size: int) -> None:
    """Raise DocumentRefused if a token of so many bytes is too long."""
    if size > MOST_TOKEN_BYTES:
        raise DocumentRefused(mark("“{name}” has a tag or a cell of more than 1 MB, which no Office program writes."))


class ReadOutcome(msgspec.Struct, frozen=True):
    """The text of a document, or a sentence with `fields` that says why there is none, see DocumentRefused. The app
    looks it up in the user's language. `media` is the document's type, "" for the one that its name says. If the
    encoding was `guessed`, the text may have other letters.
    """

    text: str = ""
    media: str = ""
    refused: str = ""
    guessed: bool = False
    fields: dict[str, str | int] = {}


def pdf_media(pictures: int) -> str:
    """The media type of a PDF with so many pages that are pictures without text."""
    return f"{_PDF}{pictures}"


def pictures_in(media: str) -> int:
    """How many pages of a PDF are pictures without text, by its media type."""
    count = media.removeprefix(_PDF)[:9]
    return int(count) if media.startswith(_PDF) and count.isdecimal() else 0


class Text:
    """Collects the text of a document. Raises DocumentRefused as soon as it is too long."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._bytes, self._is_empty = 0, True

    def add(self, part: str) -> None:
        """Append a part."""
        self._is_empty = self._is_empty and not part.strip()
        self.head(part)

    def head(self, part: str) -> None:
        """Append a heading of Hearth's own. A document with nothing else has no text."""
        self._bytes += len(part.encode("utf-8", "replace"))
        if self._bytes > MOST_TEXT_BYTES:
            raise DocumentRefused(mark("“{name}” has more text than any model can read at once. Attach a part of it."))
        self._parts.append(part)

    def so_far(self) -> str:
        """All that was added."""
        return "".join(self._parts)

    def whole(self) -> str:
        """All of it, without half characters. Raises DocumentRefused if there is nothing to read."""
        text = self.so_far().encode("utf-8", "replace").decode().replace("\x00", "").rstrip()
        text = _BLANK_LINES.sub("", text)  # the first line keeps its indentation
        if not text or self._is_empty:
            raise DocumentRefused(mark("“{name}” has no text."))
        return f"{text}\n"
