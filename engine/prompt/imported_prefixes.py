"""Roots: the beginnings of prompts that were imported. Owns which there are for the loaded model, and what is noted of
them on disk.

What was read before the words that follow it were known was encoded without them: the tokens end where the text ends.
A prompt that begins with such a text keeps those tokens, and is encoded anew from there on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.cache.keys import text_digest, text_digests

if TYPE_CHECKING:
    from collections.abc import Iterable

    from storage.segments.records import NewSegment
    from storage.segments.store import SegmentStore

_CHARS, _DIGEST = "root_chars", "root_text"


@dataclass(frozen=True, slots=True)
class Root:
    """A text that prompts may begin with: its length in characters, and its digest."""

    chars: int
    digest: str

    @classmethod
    def of(cls, text: str) -> Root:
        """The root that `text` is."""
        return cls(len(text), text_digest(text))


class Roots:
    """The roots of one model. Filled once the disk has told them, and by every import."""

    def __init__(self) -> None:
        self._roots: set[Root] = set()

    def add(self, roots: Iterable[Root]) -> None:
        """From now on prompts may begin with these, too."""
        self._roots.update(roots)

    def longest(self, text: str) -> int:
        """The characters of the longest root that `text` begins with; 0: none."""
        digests = text_digests(text, [root.chars for root in self._roots])
        return max((root.chars for root in self._roots if digests.get(root.chars) == root.digest), default=0)


def marked(segment: NewSegment, root: Root) -> NewSegment:
    """The segment of a root, as one that `stored` knows again."""
    note = {_CHARS: str(root.chars), _DIGEST: root.digest}
    return replace(segment, records=tuple(replace(r, meta={**r.meta, **note}) for r in segment.records))


def stored(store: SegmentStore, identity: str) -> tuple[Root, ...]:
    """The roots of a model on disk. On the I/O thread."""
    first = store.lookup([key for _, key in store.roots(identity)])
    notes = [record.meta for segment in first for record in segment.records.values()]
    known = ((note.get(_CHARS, ""), note.get(_DIGEST, "")) for note in notes)
    return tuple({Root(int(chars), digest) for chars, digest in known if chars.isascii() and chars.isdigit()})
