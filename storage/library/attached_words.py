"""The words of attached text files, for the search. A word is kept once for each file.

Each function runs inside the caller's transaction. The words go with the attachment's row, by a trigger.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from typing import TYPE_CHECKING, Final

from sqlalchemy import insert, select

from storage.library.schema import attachment, attachment_words

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from storage.library.files import Files

_MOST: Final = 100_000
"""Different words of one file. A table of numbers may have more: then not all of them are found."""
_LONGEST: Final = 40
_PORTION: Final = 2**18
"""Characters whose words are in memory at once, up to the next space."""
_WORD: Final = re.compile(r"[^\W_]+")
_log = logging.getLogger(__name__)


def words_in(content: bytes) -> str:
    """The different words of a text, without those that are too long to be typed in a search."""
    text = unicodedata.normalize("NFC", content.decode("utf-8-sig", "replace")).lower()
    words: set[str] = set()
    start = 0
    while start < len(text) and len(words) < _MOST:
        end = text.find(" ", start + _PORTION)
        end = end if end >= 0 else len(text)
        words.update(_WORD.findall(text, start, end))
        start = end
    return " ".join(sorted(word for word in words if len(word) <= _LONGEST)[:_MOST])


def add(connection: Connection, number: int, words: str) -> None:
    """Index the words of the attachment in row `number`."""
    connection.execute(insert(attachment_words).values(number=number, words=words))


def copy(connection: Connection, number: int, to: int) -> None:
    """Index the words of one attachment for its copy in row `to` as well."""
    found = connection.execute(select(attachment_words.c.words).where(attachment_words.c.number == number)).first()
    if found is not None:
        add(connection, to, found.words)


def add_next(connection: Connection, files: Files, after: int) -> int:
    """Index the first text file behind row `after` that is not indexed, such as one of a rescued library.

    Returns the number of its row, 0 if there is no such file. A file that cannot be read is left out until the next
    start.
    """
    row = attachment.c
    missing = row.number.not_in(select(attachment_words.c.number))
    query = select(row.number, row.file).where(row.number > after, row.text == 1, missing).order_by(row.number)
    found = connection.execute(query.limit(1)).first()
    if found is None:
        return 0
    try:
        add(connection, found.number, words_in(files.read(found.file) or b""))
    except OSError as error:
        _log.info("an attached file is not indexed: %s", error)
    return int(found.number)
