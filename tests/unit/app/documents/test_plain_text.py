"""Text files in other encodings than UTF-8."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.base.errors import AttachmentRefused
from app.documents import reading
from app.documents.limits import MOST_TEXT_BYTES
from app.documents.plain_text import decoded

WORDS = "Café “naïve” 5 €\n\tétage\n"


@pytest.mark.parametrize(
    "content",
    [
        WORDS.encode(),
        WORDS.encode("utf-8-sig"),
        WORDS.encode("cp1252"),
        WORDS.encode("utf-16"),
        codecs.BOM_UTF16_BE + WORDS.encode("utf-16-be"),
        WORDS.encode("utf-32"),
    ],
)
def test_text_is_read_in_the_encodings_that_people_have(content: bytes) -> None:
    """As it was written, without the mark of its byte order."""
    assert decoded(content) == WORDS


def test_latin_1_is_text() -> None:
    """It equals the code page of Windows, except for control characters, which no text contains."""
    assert decoded("Caf\u00e9 d\u00e9j\u00e0 vu\n".encode("latin-1")) == "Café déjà vu\n"


@pytest.mark.parametrize("content", [b"a\x00b", b"\x80\x01\x02", b"\xe9\x81", b"\xff\xfea", b"\xff\xfea\x00\x00\x00"])
def test_binary_data_is_no_text(content: bytes) -> None:
    """Zeros, control characters, bytes without a meaning, and halves of characters."""
    assert decoded(content) is None


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_utf_8_stays_as_it_is(text: str) -> None:
    """Whatever it holds but a zero, a byte order mark at its start apart."""
    assert decoded(text.encode()) == text.removeprefix("\ufeff")


def test_a_text_file_of_twenty_megabytes_is_read(tmp_path: Path) -> None:
    """A larger one is refused in one sentence, and so is one that cannot be read."""
    note = tmp_path / "log.txt"
    note.write_bytes(b"a" * MOST_TEXT_BYTES)
    assert len(reading.read(note).text) == MOST_TEXT_BYTES
    note.write_bytes(b"a" * (MOST_TEXT_BYTES + 1))
    with pytest.raises(AttachmentRefused, match="larger than 20 MB"):
        reading.read(note)
    os.mkfifo(tmp_path / "pipe")
    for name in ("none.txt", "pipe"):
        with pytest.raises(AttachmentRefused, match=name):
            reading.read(tmp_path / name)


@pytest.mark.parametrize(("name", "why"), [("a.pdf", "is damaged"), ("A.DOCX", "is damaged"), ("a.bin", "is not text")])
def test_a_damaged_document_is_called_damaged(tmp_path: Path, name: str, why: str) -> None:
    """PDFs do go with a message, so it does not say that only text does."""
    (tmp_path / name).write_bytes(b"\x00\x01garbage")
    with pytest.raises(AttachmentRefused, match=why):
        reading.read(tmp_path / name)


def test_a_pasted_text_keeps_the_indentation_of_its_first_line() -> None:
    """As of code. Blank lines around it go."""
    assert reading.pasted("a.txt", "\n  \n    one = 1\n    two = 2\n\n").text == "    one = 1\n    two = 2\n"
