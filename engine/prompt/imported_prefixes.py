"""Imported prefixes: the beginnings of prompts whose caches came from a file of mlx-lm.

Such a beginning was prefilled before the text that follows it was known, so its tokens end where its text ends. A
prompt that begins with that text keeps those tokens, and is encoded anew from there on.

A prefix is noted in the metadata of its segment's records, so it is known again after a restart.

The MLX thread adds prefixes while the tokenizer thread searches them. So they are replaced as a whole, and each search
reads them once.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, replace

from engine.cache.disk.io_thread import Failure
from engine.cache.segment import text_digest, text_digests
from storage.segments.records import NewSegment
from storage.segments.store import SegmentStore

MOST_SECONDS = 5.0
"""How long the first prompt waits for a disk that may have to open its store first. The MLX thread waits, too, if a
chat is moved: no answer is in progress just after a load.
"""

_CHARS, _DIGEST = "root_chars", "root_text"


@dataclass(frozen=True, slots=True)
class ImportedPrefix:
    """A text that prompts may begin with: its length in characters, and its digest."""

    chars: int
    digest: str

    @classmethod
    def of(cls, text: str) -> ImportedPrefix:
        """The prefix that `text` is."""
        return cls(len(text), text_digest(text))


class ImportedPrefixes:
    """The imported prefixes of one model."""

    def __init__(self) -> None:
        self._prefixes: frozenset[ImportedPrefix] = frozenset()
        self._stored: Future[tuple[ImportedPrefix, ...] | Failure] | None = None
        self._patience = MOST_SECONDS

    def expect(self, stored: Future[tuple[ImportedPrefix, ...] | Failure]) -> None:
        """Take those that the disk knows: a search waits for them."""
        self._stored = stored

    def add(self, prefixes: Iterable[ImportedPrefix]) -> None:
        """From now on prompts may begin with these, too. On the MLX thread."""
        self._prefixes = self._prefixes.union(prefixes)

    def longest(self, text: str) -> int:
        """The characters of the longest prefix that `text` begins with (0: none). On any thread."""
        prefixes = self._prefixes.union(self._from_disk())
        digests = text_digests(text, [prefix.chars for prefix in prefixes])
        return max((p.chars for p in prefixes if digests.get(p.chars) == p.digest), default=0)

    def _from_disk(self) -> tuple[ImportedPrefix, ...]:
        """What the disk knows, nothing if it fails or hangs: the prompt is prefilled instead. Only the first wait for a
        disk that hangs takes time.
        """
        try:
            stored = self._stored.result(self._patience) if self._stored else ()
        except TimeoutError:
            self._patience = 0.0
            return ()
        return () if isinstance(stored, Failure) else stored


def mark(segment: NewSegment, prefix: ImportedPrefix) -> NewSegment:
    """`segment` with the note by which `stored_prefixes` recognises the prefix."""
    note = {_CHARS: str(prefix.chars), _DIGEST: prefix.digest}
    return replace(segment, records=tuple(replace(r, meta={**r.meta, **note}) for r in segment.records))


def stored_prefixes(store: SegmentStore, identity: str) -> tuple[ImportedPrefix, ...]:
    """The imported prefixes of a model on disk. On the I/O thread."""
    first = store.index.lookup([key for _, key in store.index.roots(identity)])
    notes = [record.meta for segment in first for record in segment.records.values()]
    known = ((note.get(_CHARS, ""), note.get(_DIGEST, "")) for note in notes)
    return tuple({ImportedPrefix(int(chars), digest) for chars, digest in known if chars.isascii() and chars.isdigit()})
