"""The text of a file that is no document: UTF-8, any Unicode with a byte order mark, or Western text. Also the
name and the text of a file as parts of a longer text. Pure.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark begins it
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WESTERN: Final = "cp1252"
"""Latin-1 as Windows extends it. Five bytes stand for nothing in it."""
_BINARY: Final = re.compile(rb"[\x00-\x06\x0e-\x19\x1c-\x1f\x7f]")
"""Bytes that no text has: control characters but those that move the cursor, ring, begin a colour or end a file."""

_UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}\N{ARABIC LETTER MARK}"
    "\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Characters of a name that end a line, change the direction of the text around them, or are none."""

_FENCES: Final = re.compile("`{3,}")


def escaped(name: str) -> str:
    r"""The name of a file as a part of a line. What would end or reorder the line is an escape such as `\n`."""
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), name)


def fenced(name: str, text: str) -> str:
    """The text of a file in a code block under its name. The fence is longer than any run of backticks in the text."""
    fence = "`" * max((len(run) + 1 for run in _FENCES.findall(text)), default=3)
    end = "" if text.endswith("\n") else "\n"
    return f"{name}:\n{fence}\n{text}{end}{fence}"


def decoded(content: bytes) -> str | None:
    """The text in `content`, None if it is binary."""
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "")
    if encoding:
        return _text(content, encoding)
    if b"\0" in content:
        return None
    text = _text(content, "utf-8")
    return _text(content, _WESTERN) if text is None and not _BINARY.search(content) else text


def is_guessed(content: bytes) -> bool:
    """Whether the encoding of a text is a guess: neither does a mark tell it, nor is the text UTF-8."""
    return not content.startswith(tuple(mark for mark, _ in _MARKS)) and _text(content, "utf-8") is None


def _text(content: bytes, encoding: str) -> str | None:
    with suppress(UnicodeDecodeError):
        text = content.decode(encoding)
        return None if "\0" in text else text
    return None
