"""Decides which prefix of a prompt can be restored. Pure: it sees segments and record kinds, no arrays and no files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import TYPE_CHECKING

from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from engine.cache.segment import Segment


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
