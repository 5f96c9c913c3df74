"""The hot tier: records that stay in memory. On the MLX thread.

Eviction order: first the ends of prompts, oldest first; then the states that the retention rule does not want; then
whole segments of the least recently used conversation, from its end. A use of a segment counts as a later use of its
ancestors, so a prefix outlives everything that needs it.

Invariants:
- All arrays are evaluated. No other code writes into them, and none holds those of a block: MLX continues in a buffer
  without a copy only if it has no other holder. A conversation that continues in its block leases it: the block leaves
  the tier and comes back with `adopt`.
- `bytes` and `arrays` count every block once, and every other record.
- A conversation has one prompt end at most, and none without the segment that holds its keys and values.
- The segments of a block are evicted together, except for those that another conversation needs: they are copied.
- A change that raises in its middle empties the tier, because its parts may disagree from then on. The disk has what is
  durable, and the rest is prefilled again.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import wraps
from typing import Concatenate, ParamSpec

import mlx.core as mx

from engine.cache.codec.codec import size_of
from engine.cache.memory.block import Block, BlockPart, HeldRecord, PromptEnd, arrays_of
from engine.cache.retention import StateCheckpoint, StateRole, last_boundary, most_states, role, states_to_keep
from engine.cache.segment import Segment
from storage.segments.records import RecordKind

log = logging.getLogger(__name__)

_P = ParamSpec("_P")

MOST_ARRAYS = 100_000
"""The most arrays, however small. Each is a buffer, and a Mac's GPU allows a process about five times as many."""


@dataclass(slots=True)
class _Entry:
    """A segment in memory. `owners` are the conversations that contain it."""

    segment: Segment
    role: StateRole
    records: dict[str, HeldRecord] = field(default_factory=dict)
    owners: set[str] = field(default_factory=set)

    def add_owner(self, conversation: str, segment: Segment) -> None:
        """The conversation contains the segment as `segment`: an end of a reply is an inner bound once it goes on."""
        self.owners.add(conversation)
        self.segment = segment
        self.role = role(segment, durable=self.role is not StateRole.REPLY)


def _whole_or_nothing(change: Callable[Concatenate[HotTier, _P], None]) -> Callable[Concatenate[HotTier, _P], None]:
    """A change that empties the tier if it raises."""

    @wraps(change)
    def changed(self: HotTier, /, *args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            change(self, *args, **kwargs)
        except BaseException:
            self.clear()
            raise

    return changed


class HotTier:
    """Records by segment and kind: at most `budget` bytes in at most `most_arrays` arrays."""

    def __init__(self, budget: int, most_arrays: int = MOST_ARRAYS) -> None:
        self._budget = budget
        self._most_arrays = most_arrays
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._unwanted: dict[str, None] = {}
        self._blocks: dict[Block, dict[str, None]] = {}
        self._ends: dict[str, PromptEnd] = {}
        self.bytes = self.arrays = 0

    @_whole_or_nothing
    def put(self, segment: Segment, role: StateRole, records: Mapping[str, HeldRecord]) -> None:
        """Add those of a segment's records that are missing, by kind. `role` is the role of its state.

        Evicts nothing: `claim` does.
        """
        entry = self._entries.setdefault(segment.key, _Entry(segment, role))
        if role is StateRole.TURN:
            entry.role = role
        for kind in records.keys() - entry.records.keys():
            entry.records[kind] = records[kind]
            self._take_in(segment.key, records[kind])

    @_whole_or_nothing
    def claim(self, conversation: str, segments: Sequence[Segment]) -> None:
        """Record the segments of a conversation, from its first token to its newest, and evict down to the budget."""
        held = [segment for segment in segments if segment.key in self._entries]
        for segment in held:
            self._entries[segment.key].add_owner(conversation, segment)
        self.touch([segment.key for segment in segments])
        self._apply_retention(conversation, [self._entries[segment.key] for segment in held])
        self._shrink(self._budget)

    def records(self, keys: Iterable[str]) -> dict[str, dict[str, HeldRecord]]:
        """The records of `keys` by kind. They stay valid for the caller after an eviction. Does not count as a use."""
        return {key: dict(self._entries[key].records) for key in keys if key in self._entries}

    @_whole_or_nothing
    def keep_prompt_end(self, conversation: str, end: PromptEnd) -> None:
        """Keep the end of a conversation's newest prompt instead of the one before, if its holder is here."""
        self._drop_prompt_end(conversation)
        if end.holder in self._entries:
            self._ends[conversation] = end
            self._count(end.bytes, end.arrays)
            self._shrink(self._budget)

    def prompt_end(self, conversation: str, segment: Segment | None) -> PromptEnd | None:
        """The end of the conversation's newest prompt, if `segment` is its segment."""
        end = self._ends.get(conversation)
        return end if end and end.segment == segment else None

    def records_of(self, end: PromptEnd) -> dict[str, HeldRecord]:
        """The records of a prompt end by kind. Its keys and values are its own, or a part of its holder's block."""
        held = self._entries[end.holder].records.get(RecordKind.KV) if end.holder in self._entries else None
        if RecordKind.KV in end.records or not isinstance(held, BlockPart):
            return dict(end.records)
        return {**end.records, RecordKind.KV: BlockPart(held.block, end.segment.start, end.segment.end)}

    @_whole_or_nothing
    def touch(self, keys: Sequence[str]) -> None:
        """Count a prefix as just used. Its last state counts as wanted: a conversation was restored from it."""
        for key in reversed(keys):
            if key in self._entries:
                self._entries.move_to_end(key)
        if keys:
            self._unwanted.pop(keys[-1], None)

    @_whole_or_nothing
    def lease(self, conversation: str, segments: Sequence[Segment]) -> None:
        """Remove the block that consists of `segments`, a whole prefix, so that the conversation can continue in it.

        The conversation returns the block with `adopt`. What others need of it is copied.
        """
        block = self._block_of(segments[-1].key) if segments else None
        if block and (block.start, block.end) == (0, segments[-1].end):
            self._dissolve(block, {conversation})

    @_whole_or_nothing
    def adopt(self, conversation: str, segments: Sequence[Segment], block: Block) -> None:
        """Register `segments`, a prefix that `block` holds, with their keys and values in that block.

        A block of which the new one holds half or more is dissolved.
        """
        for segment in segments:
            entry = self._entries.setdefault(segment.key, _Entry(segment, role(segment, durable=False)))
            if (held := entry.records.pop(RecordKind.KV, None)) is not None and not isinstance(held, BlockPart):
                self._count(-size_of(held), -len(held))
            self._put_in(block, entry)
        new = self._blocks[block]
        for old, keys in [(old, keys) for old, keys in self._blocks.items() if old is not block and keys.keys() & new]:
            rest = sum(self._entries[key].segment.length for key in keys.keys() - new)
            if 2 * rest <= old.end - old.start:
                self._dissolve(old, set())
        self.claim(conversation, segments)

    def _put_in(self, block: Block, entry: _Entry) -> None:
        """Register a segment with its keys and values in `block`."""
        entry.records[RecordKind.KV] = part = BlockPart(block, entry.segment.start, entry.segment.end)
        self._take_in(entry.segment.key, part)

    @_whole_or_nothing
    def evict(self, size: int) -> None:
        """Evict at least `size` bytes, in the usual order, or everything, and return the memory to the system."""
        self._shrink(max(0, self.bytes - size))
        mx.clear_cache()

    @_whole_or_nothing
    def drop(self, keys: Iterable[str]) -> None:
        """Drop these segments."""
        for key in keys:
            if key in self._entries:
                self._drop(key)

    @_whole_or_nothing
    def forget(self, conversation: str) -> None:
        """Drop the segments of this conversation alone, abandoned branches included."""
        own = {key: entry for key, entry in self._entries.items() if conversation in entry.owners}
        for entry in own.values():
            entry.owners.discard(conversation)
        for key, entry in own.items():
            if not entry.owners and key in self._entries:
                self._drop(key)
        self._drop_prompt_end(conversation)

    def clear(self) -> None:
        """Drop everything, before another model is loaded."""
        for collection in (self._entries, self._unwanted, self._blocks, self._ends):
            collection.clear()
        self.bytes = self.arrays = 0

    @property
    def conversations(self) -> frozenset[str]:
        """The conversations of which any record is here."""
        return frozenset(owner for entry in self._entries.values() for owner in entry.owners)

    def _apply_retention(self, conversation: str, chain: Sequence[_Entry]) -> None:
        """Mark the states of `chain` that the retention rule does not want for this conversation: they are evicted
        first. Those that another conversation has too are not.
        """
        held = [entry for entry in chain if RecordKind.STATE in entry.records]
        sizes = [size_of(arrays_of(entry.records[RecordKind.STATE])) for entry in held]
        room = most_states(self._budget, max(sizes, default=0))
        states = [StateCheckpoint(entry.segment.key, entry.segment.boundary, entry.role) for entry in held]
        kept = states_to_keep(states, last_boundary([entry.segment for entry in chain]), room)
        for entry in held:
            if entry.segment.key in kept:
                self._unwanted.pop(entry.segment.key, None)
            elif entry.owners == {conversation}:
                self._unwanted[entry.segment.key] = None

    def _drop_prompt_end(self, conversation: str) -> None:
        if end := self._ends.pop(conversation, None):
            self._count(-end.bytes, -end.arrays)

    def _drop_prompt_end_in(self, holder: str) -> None:
        for conversation in [c for c, end in self._ends.items() if end.holder == holder]:
            self._drop_prompt_end(conversation)

    def _shrink(self, most: int) -> None:
        while self._over(most) and self._ends:
            self._drop_prompt_end(next(iter(self._ends)))
        while self._over(most) and self._unwanted:
            self._drop_state(next(iter(self._unwanted)))
        while self._over(most) and len(self._entries) > 1:
            self._drop(next(iter(self._entries)))

    def _over(self, most: int) -> bool:
        return self.bytes > most or self.arrays > self._most_arrays

    def _take_in(self, key: str, held: HeldRecord) -> None:
        """Count a new record. A block counts once, as a whole."""
        if not isinstance(held, BlockPart):
            self._count(size_of(held), len(held))
            return
        if held.block not in self._blocks:
            self._count(held.block.bytes, len(held.block.arrays))
        self._blocks.setdefault(held.block, {})[key] = None

    def _count(self, size: int, arrays: int) -> None:
        self.bytes += size
        self.arrays += arrays

    def _drop_state(self, key: str) -> None:
        del self._unwanted[key]
        entry = self._entries[key]
        state = arrays_of(entry.records.pop(RecordKind.STATE))
        self._count(-size_of(state), -len(state))
        if not entry.records:
            self._drop(key)

    def _drop(self, key: str) -> None:
        """Drop a segment that its owners no longer need, with the blocks that hold it."""
        entry = self._entries.pop(key)
        self._unwanted.pop(key, None)
        for held in entry.records.values():
            if not isinstance(held, BlockPart):
                self._count(-size_of(held), -len(held))
        self._drop_prompt_end_in(key)
        for block in [block for block, keys in self._blocks.items() if key in keys]:
            self._dissolve(block, entry.owners)

    def _dissolve(self, block: Block, leaving: AbstractSet[str]) -> None:
        """Drop a block. Its segments that another block holds too move there. Of the others, those that conversations
        beside `leaving` need, which follow each other, are copied to a block of their own.

        If there is no memory for the copy, they are dropped. That costs time, but no correctness.
        """
        self._count(-block.bytes, -len(block.arrays))
        left: list[_Entry] = []
        for entry in [self._entries[key] for key in self._blocks.pop(block) if self._block_of(key) is block]:
            if other := next((other for other, keys in self._blocks.items() if entry.segment.key in keys), None):
                self._put_in(other, entry)
            else:
                left.append(entry)
        needed = [entry.segment for entry in left if entry.owners - leaving]
        own = _copied(block, needed) if needed else None
        for entry in left:
            if own and entry.segment in needed:
                self._put_in(own, entry)
                continue
            del entry.records[RecordKind.KV]
            self._drop_prompt_end_in(entry.segment.key)
            if not entry.records:
                self._drop(entry.segment.key)

    def _block_of(self, key: str | None) -> Block | None:
        """The block that holds a segment's keys and values."""
        held = self._entries[key].records.get(RecordKind.KV) if key and key in self._entries else None
        return held.block if isinstance(held, BlockPart) else None


def _copied(block: Block, segments: Sequence[Segment]) -> Block | None:
    """A copy of the tokens of `segments` as a block; None if there is no memory for it."""
    start, end = min(segment.start for segment in segments), max(segment.end for segment in segments)
    try:
        return block.part(start, end)
    except (MemoryError, RuntimeError) as error:  # MLX raises either if it cannot allocate
        log.warning("cached tokens %s to %s are dropped: %s", start, end, error)
        return None
