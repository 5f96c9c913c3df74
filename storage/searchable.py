"""Text in the form in which the library's search compares it. Pure, but for the SQL function `searchable`.

An index forgets a text only if it is given the same words again. So this form is part of the library's format: a change
of it, also by `folded`, needs a schema step that makes the indexes anew.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from itertools import islice
from typing import Final

from resources.language.folding import POINTS, folded

_SIGN: Final = (
    "[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Han, kana and hangul: Chinese and Japanese have no spaces between words, and Korean words have endings."""
_RUN: Final = re.compile(f"{_SIGN}+")
_PAIR: Final = re.compile(f"(?=({_SIGN}{_SIGN}))")
_WORD: Final = re.compile(r"[^\W_]+")
_LONG: Final = re.compile("(?<![0-9A-Za-z+/=])([0-9A-Za-z+/=]{256})[0-9A-Za-z+/=]+")
"""A long run of the letters of Base64 (RFC 4648, section 4). The data of a picture is one: it would fill the indexes,
and nobody searches for a part of it. Letters of other scripts do not count: Thai, for example, has no spaces between
words. The lookbehind keeps the time linear.
"""
_SPACE: Final = re.compile(r"\s")
_MOST_WORDS: Final = 100_000
"""Different words of one file. A table of numbers may have more: then the last ones are not found."""
_LONGEST_WORD: Final = 40
_PORTION: Final = 2**18
"""Characters whose words are in memory at once, up to the next space."""


def add_functions(raw: sqlite3.Connection) -> None:
    """Add the SQL function that the library's triggers call. It takes a BLOB, as the text may have a damaged byte."""
    raw.create_function("searchable", 1, lambda text: searchable(text.decode("utf-8", "replace")), deterministic=True)


def searchable(text: str) -> str:
    """`text` with its letters composed and folded, without the vowel points of Hebrew and Arabic, and with spaces
    around each Chinese, Japanese or Korean sign, so that a word of several signs is found as a phrase.
    It is `shortened`.
    """
    plain = folded(POINTS.sub("", shortened(unicodedata.normalize("NFC", text))))
    return plain if plain.isascii() else _RUN.sub(lambda run: f" {' '.join(run[0])} ", plain)


def shortened(text: str) -> str:
    """`text` with each long run of Base64 cut to its beginning."""
    return _LONG.sub(r"\1", text)


def words_of(text: str) -> list[str]:
    """The different words of a text as they are searched in files, without their order: for Chinese, Japanese and
    Korean ones, pairs of signs and the signs. The last word of the text is the last one.
    """
    pairs = _PAIR.findall(folded(unicodedata.normalize("NFC", text)))
    return [*dict.fromkeys(pairs), *dict.fromkeys(_WORD.findall(searchable(text)))]


def words_in(content: bytes) -> str:
    """The different words of a file, without those that are too long to be typed in a search."""
    text = content.decode("utf-8-sig", "replace")
    words: dict[str, None] = {}
    start = 0
    while start < len(text) and len(words) < _MOST_WORDS:
        space = _SPACE.search(text, start + _PORTION, start + 2 * _PORTION)
        end = space.start() if space else start + 2 * _PORTION
        words |= dict.fromkeys(word for word in words_of(text[start:end]) if len(word) <= _LONGEST_WORD)
        start = end
    return " ".join(sorted(islice(words, _MOST_WORDS)))
