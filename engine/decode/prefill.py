"""Prefill: one sequence's prompt, alone, on its own unbatched caches, in chunks. Owns the checkpoints on the way, and
the first token, which is drawn after the last chunk.

Always alone: prompts of unequal length read together give silently wrong states in nine of mlx-lm's families.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.cache.codec import codec
from engine.cache.manager import Checkpoint
from engine.decode.sampling import draw_all, recent_tokens
from engine.schedule.scheduler import chunk_end, drawing_end

if TYPE_CHECKING:
    from collections.abc import Sequence as Many

    from engine.cache.segment import Segment
    from engine.schedule.sequence import Sequence


def prefill_chunk(model: Any, sequence: Sequence, decoding: int) -> None:
    """Read the next chunk of the sequence's prompt, of which something is left; `decoding` rows are waiting for it to
    end. With the last one, its first token is drawn, and that of each of its siblings.
    """
    start, end = sequence.position, _chunk_end(sequence, decoding)
    tokens = mx.array([sequence.prompt.ids[start:end]])
    sequence.position = end
    if sequence.prefilled and sequence.sampler:
        _draw(sequence, model(tokens, cache=sequence.caches)[:, -1, :])
    else:
        model(tokens, cache=sequence.caches)
        _settle(sequence.caches)
    if crossed := [segment for segment in sequence.chain if start < segment.end <= end]:
        sequence.checkpoints = [_passed(earlier) for earlier in sequence.checkpoints]
        sequence.checkpoints += [_checkpoint(sequence, segment) for segment in crossed]


def _chunk_end(sequence: Sequence, decoding: int) -> int:
    """A checkpoint is taken where the caches stand, or later where they can be cut."""
    start, prompt_end = sequence.position, len(sequence.prompt.ids)
    bounds = [] if codec.is_cuttable(sequence.caches) else [segment.end for segment in sequence.chain]
    end = chunk_end(start, prompt_end, bounds, decoding)
    return drawing_end(start, end, prompt_end) if sequence.sampler else end


def _draw(sequence: Sequence, logits: mx.array) -> None:
    """Draw the first token of the sequence and of each sibling from `logits`, (1, vocabulary), as a step would."""
    rows, ids = [sequence, *sequence.siblings], sequence.prompt.ids
    fed = mx.array([ids[-1]] * len(rows))
    before = [recent_tokens(ids, (), len(ids) - 1)] * len(rows)
    shared = mx.repeat(logits, len(rows), axis=0)
    drawn = draw_all(shared, [row.sampler for row in rows], [len(ids)] * len(rows), before, fed)
    _settle(sequence.caches, drawn)
    tokens: list[int] = drawn.tolist()  # type: ignore[assignment] # a vector of ids is a list of ints
    for row, token in zip(rows, tokens, strict=True):
        row.drawn = token


def _settle(caches: Many[Any], *drawn: mx.array) -> None:
    """Compute the caches' new contents and what was drawn: nobody needs the logits of a prompt's inner tokens."""
    mx.eval([leaf.state for _, leaf in codec.leaves(caches)], *drawn)


def _checkpoint(sequence: Sequence, segment: Segment) -> Checkpoint:
    shared = segment.end == sequence.prompt.system_tokens
    return checkpoint(sequence.caches, segment, durable=shared)


def _passed(earlier: Checkpoint) -> Checkpoint:
    """A checkpoint once there is a later one: inside a long span, its state is of no use any more."""
    if not earlier.segment.inner:
        return earlier
    return replace(earlier, records=codec.without_state(earlier.records))


def checkpoint(caches: Many[Any], segment: Segment, *, durable: bool) -> Checkpoint:
    """The records of `segment`, at whose end `caches` stand now, or beyond it if they are cuttable; evaluated."""
    records = codec.take(caches, segment.start, segment.end)
    mx.eval([array for arrays in records.values() for array in arrays.values()])
    return Checkpoint(segment, records, durable)
