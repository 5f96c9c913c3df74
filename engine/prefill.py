"""Prefill: one sequence's prompt, alone, on its own unbatched caches, in chunks. Owns the checkpoints on the way.

Always alone: prompts of unequal length read together give silently wrong states in nine of mlx-lm's families.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.cache import codec
from engine.cache.manager import Checkpoint
from engine.scheduler import chunk_end

if TYPE_CHECKING:
    from collections.abc import Sequence as Many

    from engine.cache.segment import Segment
    from engine.sequence import Sequence


def prefill_chunk(model: Any, sequence: Sequence, decoding: int) -> None:
    """Read the next chunk of the sequence's prompt; `decoding` rows are waiting for it to end."""
    ids = sequence.laid_out.ids
    ends = [segment.end for segment in sequence.chain]
    end = chunk_end(sequence.position, sequence.prefill_end, ends, decoding)
    if end > sequence.position:
        model(mx.array([ids[sequence.position : end]]), cache=sequence.caches)
        _settle(sequence.caches)
        sequence.position = end
        if crossed := [segment for segment in sequence.chain if segment.end == end]:
            sequence.checkpoints = [_passed(earlier) for earlier in sequence.checkpoints]
            sequence.checkpoints += [_checkpoint(sequence, segment) for segment in crossed]


def _settle(caches: Many[Any]) -> None:
    """Compute the caches' new contents and nothing else: nobody needs the logits of a prompt's inner tokens."""
    mx.eval([leaf.state for _, leaf in codec.leaves(caches)])


def _checkpoint(sequence: Sequence, segment: Segment) -> Checkpoint:
    shared = segment.end == sequence.laid_out.system_tokens
    return checkpoint(sequence.caches, segment, durable=shared)


def _passed(earlier: Checkpoint) -> Checkpoint:
    """A checkpoint once there is a later one: inside a long span, its state is of no use any more."""
    if not earlier.segment.inner:
        return earlier
    return replace(earlier, records={kind: arrays for kind, arrays in earlier.records.items() if kind != "state"})


def checkpoint(caches: Many[Any], segment: Segment, *, durable: bool) -> Checkpoint:
    """The records of `segment`, whose end is where `caches` stand now; evaluated."""
    records = codec.take(caches, segment.start, segment.end)
    mx.eval([array for arrays in records.values() for array in arrays.values()])
    return Checkpoint(segment, records, durable)
