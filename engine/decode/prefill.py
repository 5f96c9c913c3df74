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
from engine.schedule.scheduler import MOST_DRAWN_FROM, chunk_end, drawing_end

if TYPE_CHECKING:
    from collections.abc import Sequence as Many

    from engine.cache.segment import Segment
    from engine.schedule.sequence import Sequence


def prefill_chunk(model: Any, sequence: Sequence, decoding: int) -> None:
    """Prefill the next chunk of the sequence's prompt, while `decoding` rows wait. The prompt must have pending tokens.

    With the last chunk, draw its first token, and that of each sibling. `take_checkpoints` must follow.
    """
    start, end = sequence.position, _chunk_end(sequence, decoding)
    tokens = mx.array([sequence.prompt.ids[start:end]])
    sequence.position = end
    if sequence.prefilled and sequence.sampler:
        _draw(sequence, model(tokens, cache=sequence.caches)[:, -1, :])
    else:
        model(tokens, cache=sequence.caches)
        _evaluate(sequence.caches)


def take_checkpoints(sequence: Sequence) -> None:
    """Take a checkpoint of each segment that ended since the last one was taken. Only a segment that ends where the
    caches stand gets a window and a state.
    """
    last = _last_checkpoint(sequence)
    ended = [segment for segment in sequence.chain if last < segment.end <= sequence.position]
    if not ended:
        return
    sequence.checkpoints = [_without_inner_state(earlier) for earlier in sequence.checkpoints]
    sequence.checkpoints += [_checkpoint(sequence, segment) for segment in ended]
    _evaluate_records(sequence.checkpoints[-len(ended) :])


def _chunk_end(sequence: Sequence, decoding: int) -> int:
    start, prompt_end = sequence.position, len(sequence.prompt.ids)
    end = chunk_end(start, prompt_end, _stops(sequence), decoding)
    return drawing_end(start, end, prompt_end) if sequence.sampler else end


def _stops(sequence: Sequence) -> list[int]:
    """Where a chunk must end: at each segment's end, so that its checkpoint can be taken there. Caches that can be cut
    later need no stop, and a short turn gets none: see `_is_short_turn`.
    """
    if codec.is_cuttable(sequence.caches):
        return []
    ends = [segment.end for segment in sequence.chain]
    return [end for end in ends if end == sequence.prompt.system_tokens] if _is_short_turn(sequence) else ends


def _is_short_turn(sequence: Sequence) -> bool:
    """Whether the tokens since the last checkpoint are so few that a state at the end of the user's turn is not worth a
    pass: one pass can prefill them and draw the first token.

    There are three exceptions: a window can only be taken where the caches stand; if the template changes replies, the
    next prompt starts from the state before this one; and the end of a long message is worth a state.
    """
    few = len(sequence.prompt.ids) - _last_checkpoint(sequence) <= MOST_DRAWN_FROM
    if not (few and sequence.sampler and sequence.replies_stand) or codec.sees_windows(sequence.caches):
        return False
    return not (sequence.checkpoints and sequence.checkpoints[-1].segment.inner)


def _last_checkpoint(sequence: Sequence) -> int:
    """The token at which the last checkpoint was taken or restored."""
    return int(sequence.checkpoints[-1].segment.end) if sequence.checkpoints else sequence.cached_tokens


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
    if segment.end == sequence.position:
        return Checkpoint(segment, codec.take(sequence.caches, segment.start, segment.end), durable=shared)
    return Checkpoint(segment, codec.take_kv(sequence.caches, segment.start, segment.end), durable=shared)


def _without_inner_state(earlier: Checkpoint) -> Checkpoint:
    """The checkpoint once a later one exists: a state inside a long span is then useless."""
    if not earlier.segment.inner:
        return earlier
    return replace(earlier, records=codec.without_state(earlier.records))


def checkpoint(caches: Many[Any], segment: Segment, *, durable: bool) -> Checkpoint:
    """The records of `segment`, at whose end `caches` stand; evaluated."""
    taken = Checkpoint(segment, codec.take(caches, segment.start, segment.end), durable)
    _evaluate_records([taken])
    return taken


def _evaluate_records(checkpoints: Many[Checkpoint]) -> None:
    mx.eval([array for one in checkpoints for arrays in one.records.values() for array in arrays.values()])
