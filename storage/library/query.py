"""A search text as its words, phrases, tags and signs. Pure.

- `"two words"` is a phrase, also while its closing quote is missing.
- `#urgent` is a tag.
- If there is neither a word nor a tag, each part (emoji, signs) matches literally.
- Of a long text, as of a message that was pasted, the first MOST different parts count.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST: Final = 64
"""Parts of a query. SQLite takes at most 127 arguments in some of its functions."""
_PART: Final = re.compile(r'"(?P<phrase>[^"]+)(?P<closed>")?|(?P<word>\S+)')


@dataclass(frozen=True, slots=True)
class Query:
    """`terms` are words and phrases. The last one matches as a prefix if it `is_open`: the user may still be typing."""

    terms: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    is_open: bool = True

    @classmethod
    def of(cls, typed: str) -> Query:
        """The query of what the user typed."""
        found = {part[0]: part for part in _PART.finditer(" ".join(unicodedata.normalize("NFC", typed).split()))}
        parts = list(found.values())[:MOST]
        texts = [part["phrase"].strip() if part["phrase"] else part["word"] for part in parts]
        tags = tuple(text[1:].casefold() for text, part in zip(texts, parts, strict=True) if _is_tag(text, part))
        words = tuple(text for text, part in zip(texts, parts, strict=True) if not _is_tag(text, part))
        terms = tuple(word for word in words if any(map(str.isalnum, word)))
        signs = () if terms or tags else tuple(" ".join(words).split())[:MOST]
        return cls(terms, tags, signs, is_open=not (parts and parts[-1]["closed"]))

    def without_tags(self) -> Query:
        """The same query if no chat has these tags: they are words of a text, such as "#include"."""
        return replace(self, terms=(*self.terms, *(f"#{tag}" for tag in self.tags)), tags=())

    def respelled(self, words: Mapping[str, str]) -> Query:
        """The query with some of its terms in another spelling."""
        return replace(self, terms=tuple(words.get(term, term) for term in self.terms))


def _is_tag(text: str, part: re.Match[str]) -> bool:
    return not part["phrase"] and text.startswith("#") and any(map(str.isalnum, text))
