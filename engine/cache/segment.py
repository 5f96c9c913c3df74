"""Cuts a prompt into segments at its template boundaries, names them by their content, plans which prefix of them can
be restored, and tracks which segments active requests use. Pure: it sees record kinds, no arrays and no files.

A key is chained: it covers the model's identity and every token from the start of the prompt to the segment's end.
Equal keys therefore mean equal state, whichever conversation computed it.

State that stays in memory has keys of its own. No chat that is kept on disk finds it, so the figures of that chat,
which are saved, do not show that a private chat had the same words. The segment store refuses such keys.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate
from typing import Final

from storage.segments.records import RecordKind

STRIDE = 4096
"""Tokens between the inner bounds of a long span: the most that a cancelled prefill loses."""

MOST_IN_USE: Final = 16
"""Active requests to track: twice as many as can be answered at once."""

NO_REQUEST: Final = ""
"""Stands for the request of a speculative lookup."""

_DIGEST_BYTES = 20
_IN_MEMORY = "memory:"
"""Keys and identities of state that stays in memory begin so. No key that the segment store takes has a colon."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The tokens `start` to `end` of a prompt. `key` covers all tokens from 0 to `end`.

    `boundary` counts the template boundaries before this span. The pieces of a long span share it, and so do those of a
    reply that was stopped and went on; all but the last of them are `inner`: they end at no boundary of the template.
    """

    key: str
    parent: str | None
    start: int
    end: int
    boundary: int = field(default=0, compare=False)
    inner: bool = field(default=False, compare=False)

    @property
    def length(self) -> int:
        """Tokens."""
        return self.end - self.start


def cut(
    identity: str,
    ids: Sequence[int],
    bounds: Iterable[int],
    whole: Collection[int] = (),
    stops: Collection[int] = (),
) -> tuple[Segment, ...]:
    """The segments that end at `bounds`, in order. Bounds outside 1..len(ids) are ignored, and the tokens after the
    last bound belong to no segment. The bounds among `stops` are inner ones.

    A long span gets inner bounds every STRIDE tokens, unless it ends at one of `whole`: a reply was one segment when it
    was generated, and stays one.
    """
    segments: list[Segment] = []
    for end in sorted(bound for bound in set(bounds) if 0 < bound <= len(ids)):
        start = segments[-1].end if segments else 0
        for inner in range(start + STRIDE, end, STRIDE) if end not in whole else ():
            segments.append(_following(segments, identity, ids, inner, inner=True))
        segments.append(_following(segments, identity, ids, end, inner=end in stops))
    return tuple(segments)


def stays_in_memory(chain: Sequence[Segment]) -> bool:
    """Whether nothing of this chain may be read from the disk or written to it. All its segments agree."""
    return bool(chain) and chain[0].key.startswith(_IN_MEMORY)


def following(last: Segment | None, identity: str, ids: Sequence[int], end: int) -> Segment:
    """The segment from the end of `last` (None: from 0) to `end`, which is a boundary."""
    return _following([last] if last else [], identity, ids, end)


def _following(
    before: Sequence[Segment], identity: str, ids: Sequence[int], end: int, *, inner: bool = False
) -> Segment:
    if not before:
        return Segment(key_of(None, identity, ids[:end]), None, 0, end, 0, inner)
    last = before[-1]
    boundary = last.boundary if last.inner else last.boundary + 1
    return Segment(key_of(last.key, identity, ids[last.end : end]), last.key, last.end, end, boundary, inner)


# --- plans


class MissCause(StrEnum):
    """Why less was restored than the conversation could have reused. NONE: all of it was restored."""

    NONE = ""
    NEW = "new"  # the first turn: there is nothing to reuse
    ABSENT = "absent"  # never stored, evicted, or stored by another model
    EDITED = "edited"  # an earlier message was changed, or the oldest ones are left out
    SYSTEM = "system"  # the system prompt was changed
    STRIPPED = "stripped"  # the template dropped a reply's reasoning, and the shorter form was not prefilled yet
    OTHER_MODEL = "other_model"  # the replies were written by a model with another vocabulary
    MOVED = "moved"  # the last reply was computed by other machines, or the model was divided otherwise
    NO_CHECKPOINT = "no_checkpoint"  # keys and values are there, the recurrent state is not
    DAMAGED = "damaged"  # a record was refused
    UNREADABLE = "unreadable"  # the store could not be read
    OFF = "off"  # the request asked for no cache
    UNSUPPORTED = "unsupported"  # a layer kind of this model cannot be kept


@dataclass(frozen=True, slots=True)
class Needs:
    """Which kinds of state a model's caches have: growing keys and values, sliding windows, fixed-size states.

    `window` is the longest window in tokens; 0 means no windows.
    """

    kv: bool
    state: bool
    window: int = 0


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """Restore `segments`, from token 0 without a gap, and continue at `length`."""

    segments: tuple[Segment, ...]
    length: int
    cause: MissCause


def plan(chain: Sequence[Segment], held: Mapping[str, AbstractSet[str]], needs: Needs, limit: int) -> RestorePlan:
    """The longest restorable prefix of `chain` that ends before token `limit`.

    `held` names the record kinds that exist for each key. A position can be restored if every record that it needs
    exists. The plan always leaves at least one token to prefill.
    """
    reached = _with_kv(chain, held, needs)
    lost = _windows_lost(reached, held, needs)
    for count in range(len(reached), 0, -1):
        last = reached[count - 1]
        stands = not needs.state or RecordKind.STATE in held.get(last.key, ())
        if stands and last.end < limit and lost[count - 1] <= max(0, last.end - needs.window):
            return RestorePlan(tuple(reached[:count]), last.end, MissCause.NONE)
    cause = MissCause.NO_CHECKPOINT if reached and needs.kv else MissCause.ABSENT
    return RestorePlan((), 0, cause)


def needed_records(prefix: Sequence[Segment], needs: Needs) -> list[tuple[Segment, RecordKind]]:
    """The records that restoring `prefix` takes, as segments and kinds."""
    kv = [(segment, RecordKind.KV) for segment in prefix] if needs.kv else []
    return kv + _at_the_end(prefix, needs)


def _at_the_end(prefix: Sequence[Segment], needs: Needs) -> list[tuple[Segment, RecordKind]]:
    """The records for the end of `prefix`: the tokens that its windows see there, and its state."""
    if not prefix:
        return []
    edge = prefix[-1].end - needs.window
    window = [(segment, RecordKind.WINDOW) for segment in prefix if needs.window and segment.end > edge]
    return [*window, (prefix[-1], RecordKind.STATE)] if needs.state else window


def _with_kv(chain: Sequence[Segment], held: Mapping[str, AbstractSet[str]], needs: Needs) -> list[Segment]:
    reached: list[Segment] = []
    for segment in chain:
        if needs.kv and RecordKind.KV not in held.get(segment.key, ()):
            break
        reached.append(segment)
    return reached


def _windows_lost(chain: Sequence[Segment], held: Mapping[str, AbstractSet[str]], needs: Needs) -> list[int]:
    """For each segment, the end of the last segment up to it that lacks its window record; 0 if none lacks it.

    A window that begins there or later does not see the gap.
    """
    lost = [s.end if needs.window and RecordKind.WINDOW not in held.get(s.key, ()) else 0 for s in chain]
    return list(accumulate(lost, max))


# --- use


class SegmentsInUse:
    """The segments that active requests use, by conversation and request. The store does not evict them.

    A request is active from its lookup to its end. Several requests may share one lookup, and a conversation may be
    looked up speculatively (without a request) while one of its answers is being generated. A speculative lookup may
    never be ended, so the oldest entries are dropped beyond MOST_IN_USE.

    The MLX thread makes all changes. `keys` is replaced as a whole, so any thread may read it.
    """

    def __init__(self) -> None:
        self._chains: OrderedDict[tuple[str, str], tuple[str, ...]] = OrderedDict()
        self.keys: frozenset[str] = frozenset()

    def begin(self, conversation: str, keys: Iterable[str], requests: Iterable[str] = (NO_REQUEST,)) -> None:
        """Record that each of `requests` uses exactly `keys` from now on."""
        chain = tuple(keys)
        for request in requests:
            self._chains.pop((conversation, request), None)
            self._chains[conversation, request] = chain
        while len(self._chains) > MOST_IN_USE:
            self._chains.popitem(last=False)
        self._replace()

    def end(self, conversation: str, request: str = NO_REQUEST) -> None:
        """Record that the request uses nothing any more."""
        if self._chains.pop((conversation, request), None) is not None:
            self._replace()

    def _replace(self) -> None:
        self.keys = frozenset(key for chain in self._chains.values() for key in chain)


# --- names


def key_of(parent: str | None, identity: str, ids: Sequence[int]) -> str:
    """The key of the segment `ids` that follows `parent` (None at the start) under the model `identity`. Hex."""
    before = parent or identity
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    digest.update(before.encode())
    digest.update(b"\0")
    digest.update(array("I", ids).tobytes())
    return (_IN_MEMORY if before.startswith(_IN_MEMORY) else "") + digest.hexdigest()


def in_memory(identity: str) -> str:
    """The identity for keys of state that stays in memory."""
    return _IN_MEMORY + identity


def text_digest(text: str) -> str:
    """The digest of a rendered text, for the ledger. Hex."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()


def text_digests(text: str, positions: Sequence[int]) -> dict[int, str]:
    """The digests of `text[:p]` for every `p` of `positions`, in one pass; positions past the end are left out."""
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    digests: dict[int, str] = {}
    at = 0
    for position in sorted(set(positions)):
        if position > len(text):
            break
        digest.update(text[at:position].encode("utf-8", "surrogatepass"))
        digests[position] = digest.hexdigest()
        at = position
    return digests
