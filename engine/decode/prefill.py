"""Prefill: computes one sequence's prompt in chunks, takes checkpoints on the way and draws the first token.

Runs on the MLX thread. A prompt is always prefilled alone, on its own unbatched caches: prompts of unequal length in
one batch silently give wrong states in nine of mlx-lm's families.
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
    """Prefill the next chunk of the sequence's prompt, while `decoding` rows wait. The prompt must have pending tokens.

    With the last chunk, draw its first token, and that of each sibling.
    """
    start, end = sequence.position, _chunk_end(sequence, decoding)
    tokens = mx.array([sequence.prompt.ids[start:end]])
    sequence.position = end
    if sequence.prefilled and sequence.sampler:
        _draw(sequence, model(tokens, cache=sequence.caches)[:, -1, :])
    else:
        model(tokens, cache=sequence.caches)
        _evaluate(sequence.caches)
    if crossed := [segment for segment in sequence.chain if start < segment.end <= end]:
        sequence.checkpoints = [_without_inner_state(earlier) for earlier in sequence.checkpoints]
        sequence.checkpoints += [_checkpoint(sequence, segment) for segment in crossed]


def _chunk_end(sequence: Sequence, decoding: int) -> int:
    """A chunk ends at the next checkpoint, unless the caches can be cut later."""
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
    _evaluate(sequence.caches, drawn)
    tokens: list[int] = drawn.tolist()  # type: ignore[assignment] # a vector of ids is a list of ints
    for row, token in zip(rows, tokens, strict=True):
        row.drawn = token


def _evaluate(caches: Many[Any], *drawn: mx.array) -> None:
    """Evaluate the caches and the drawn tokens. The logits of a prompt's inner tokens are not needed."""
    mx.eval([leaf.state for _, leaf in codec.leaves(caches)], *drawn)


def _checkpoint(sequence: Sequence, segment: Segment) -> Checkpoint:
    shared = segment.end == sequence.prompt.system_tokens
    return checkpoint(sequence.caches, segment, durable=shared)


def _without_inner_state(earlier: Checkpoint) -> Checkpoint:
    """The checkpoint once a later one exists: a state inside a long span is then useless."""
    if not earlier.segment.inner:
        return earlier
    return replace(earlier, records=codec.without_state(earlier.records))


def checkpoint(caches: Many[Any], segment: Segment, *, durable: bool) -> Checkpoint:
    """The records of `segment`; evaluated. `caches` stand at its end, or beyond it if they are cuttable."""
    records = codec.take(caches, segment.start, segment.end)
    mx.eval([array for arrays in records.values() for array in arrays.values()])
    return Checkpoint(segment, records, durable)
