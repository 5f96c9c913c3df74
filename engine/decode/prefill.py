"""Prefill: computes one sequence's prompt in chunks, takes checkpoints on the way and draws the first token.

Runs on the MLX thread. A prompt is always prefilled alone, on its own unbatched caches: prompts of unequal length in
one batch silently give wrong states in nine of mlx-lm's families.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass, replace
from typing import Any

import mlx.core as mx

from engine.cache.codec import codec
from engine.cache.codec.cache_classes import Arrays
from engine.cache.manager import Checkpoint
from engine.cache.memory.block import PromptEnd
from engine.cache.segment import Segment
from engine.decode.drafts.head import MOST_READ
from engine.decode.last_logits import LastLogits, hidden_states
from engine.decode.sampling import draw_all, ids_of, recent_tokens
from engine.prompt.tokenization import PromptTokens
from engine.schedule.scheduler import chunk_end, drawing_end, is_divided
from engine.schedule.sequence import Prefilling, Sequence
from storage.segments.records import RecordKind

FAR_TOKENS = 1024
"""A state on disk is worth this many tokens: a laptop prefills them in seconds, and writes a state in less than one."""

SHORT_TURN = 64
"""A state is worth more tokens than these: a pass over them takes about as long as a pass over one."""

_MOST_PARTS = 12
"""The parts of a chunk that are evaluated one by one. With fewer parts, one of them could take longer than a step of
the rows beside it, or longer than the user waits for a quit. Each costs a wait for the GPU.
"""


@dataclass(eq=False, slots=True)
class Chunk:
    """The tokens `start` to `end` of a prompt, whose pass was begun.

    - `portions` are the arrays to evaluate first, of some layers at a time. A layer needs only the layers before it, so
      the batch can take a step between two of them, or the server can look at its inbox. `parts` counts them all.
    - `drawn` are the first tokens of `requests`, and `logits` those after the prompt if its end is kept.
    """

    start: int
    end: int
    portions: list[list[Any]]
    parts: int
    requests: list[str]
    drawn: mx.array
    logits: mx.array | None

    @property
    def reached(self) -> int:
        """The token up to which the prompt is computed, by layers."""
        return self.start + (self.end - self.start) * (self.parts - len(self.portions)) // (self.parts + 1)


def prefill_chunk(forward: LastLogits, sequence: Sequence, decoding: int) -> None:
    """Prefill the next chunk of the sequence's prompt at once. `take_checkpoints` must follow."""
    finish_chunk(sequence, begin_chunk(forward, sequence, decoding))


def begin_chunk(forward: LastLogits, sequence: Sequence, decoding: int) -> Chunk:
    """Begin the next chunk of the sequence's prompt, while `decoding` rows wait.

    With the last chunk, draw its first token and that of each sibling. If nothing is pending, draw from the logits that
    were found, or take the token that was drawn when the reply was stopped. A short chunk beside decoding rows, or a
    long one without them, has portions.
    """
    prompt_end = len(sequence.prompt.ids)
    start, end = sequence.position, _chunk_end(forward, sequence, decoding)
    draws = bool(sequence.sampler) and end == prompt_end
    logits = sequence.state_as(Prefilling).logits
    if start < end:
        logits = _fed(forward, sequence, sequence.prompt.ids[start:end])
    rows = [sequence, *sequence.siblings] if draws else []
    drawn = _drawn(sequence.prompt, rows, logits)
    parts = _parts(sequence.caches) if is_divided(end - start, decoding) else []
    portions = [[leaf.state for _, leaf in codec.leaves(layers)] for layers in parts]
    kept = logits if draws and sequence.ending else None
    return Chunk(start, end, portions, len(parts), [row.request for row in rows], drawn, kept)


def _fed(forward: LastLogits, sequence: Sequence, tokens: Many[int]) -> mx.array:
    """The logits after these tokens of the prompt, (1, vocabulary). The model's head reads the last ones of all."""
    left = sequence.pending_tokens - len(tokens)
    if sequence.head_drafter is None or left >= MOST_READ:
        return forward(tokens, sequence.caches)
    with hidden_states() as states:
        logits = forward(tokens, sequence.caches)
    sequence.head_drafter.read(states[0], mx.array(list(tokens)))
    return logits


def finish_chunk(sequence: Sequence, chunk: Chunk) -> None:
    """Evaluate what is left of the chunk that was begun. `take_checkpoints` must follow."""
    read = () if sequence.head_drafter is None else sequence.head_drafter.state
    mx.eval([leaf.state for _, leaf in codec.leaves(sequence.caches)], chunk.drawn, read)
    sequence.position, state = chunk.end, sequence.state_as(Prefilling)
    state.logits, state.chunk = chunk.logits, None
    drawn = dict(zip(chunk.requests, ids_of(chunk.drawn), strict=True))
    for row in (sequence, *sequence.siblings):
        row.drawn = drawn.get(row.request)


def _parts(caches: Many[Any]) -> list[Many[Any]]:
    """The caches of some layers at a time. What follows the last layer, above all the logits, is no part of them."""
    layers = -(-len(caches) // _MOST_PARTS)
    return [caches[first : first + layers] for first in range(0, len(caches), layers)]


def take_checkpoints(sequence: Sequence) -> None:
    """Take a checkpoint of each segment that ended since the last one was taken. Only a segment that ends where the
    caches stand gets a window and a state. If there are logits after the prompt, take the end of the prompt too.
    """
    last = _last_checkpoint(sequence)
    ended = [segment for segment in sequence.chain if last < segment.end <= sequence.position]
    new = [_checkpoint(sequence, segment) for segment in ended]
    records = [checkpoint.records for checkpoint in new]
    if new:
        sequence.checkpoints = [*map(_without_inner_state, sequence.checkpoints), *new]
    state = sequence.state_as(Prefilling)
    if state.logits is not None and sequence.prompt_end is None:
        sequence.prompt_end = _prompt_end(sequence, state.logits)
        records.append(sequence.prompt_end.everything)
    state.logits = None
    if records:
        _evaluate_records(records)


def _chunk_end(forward: LastLogits, sequence: Sequence, decoding: int) -> int:
    start, prompt_end = sequence.position, len(sequence.prompt.ids)
    end = chunk_end(start, prompt_end, _stops(forward, sequence), decoding)
    return drawing_end(start, end, prompt_end, forward.most_tokens) if sequence.sampler else end


def _stops(forward: LastLogits, sequence: Sequence) -> list[int]:
    """The positions at which a chunk must end: each segment's end, so that its checkpoint can be taken there.

    Caches that can be cut later need no stop, and a short turn gets none: see `_is_short_turn`.
    """
    if forward.is_cuttable(sequence.caches):
        return []
    ends = [segment.end for segment in sequence.chain]
    return [end for end in ends if end == sequence.prompt.system_tokens] if _is_short_turn(forward, sequence) else ends


def _is_short_turn(forward: LastLogits, sequence: Sequence) -> bool:
    """Whether the tokens since the last checkpoint are so few that a state at the end of the user's turn is not worth a
    pass: one pass can prefill them and draw the first token.

    There are three exceptions: a window can only be taken where the caches stand; if the template changes replies, the
    next prompt starts from the state before this one; and the end of a long message is worth a state.
    """
    few = len(sequence.prompt.ids) - _last_checkpoint(sequence) <= SHORT_TURN
    if not (few and sequence.sampler and sequence.replies_stand) or forward.sees_windows(sequence.caches):
        return False
    return not (sequence.checkpoints and sequence.checkpoints[-1].segment.inner)


def _last_checkpoint(sequence: Sequence) -> int:
    """The token at which the last checkpoint was taken or restored."""
    return int(sequence.checkpoints[-1].segment.end) if sequence.checkpoints else sequence.cached_tokens


def _drawn(prompt: PromptTokens, rows: Many[Sequence], logits: mx.array | None) -> mx.array:
    """The first token of each of `rows` after `prompt`, from `logits`, (1, vocabulary), as a step would draw it. If the
    prompt ends with a stopped reply, it is the token that was drawn then, with the settings of that time, whether or
    not the prompt had to be prefilled.
    """
    ids = prompt.ids
    if not rows or prompt.drawn is not None or logits is None:
        return mx.array([prompt.drawn] * len(rows), mx.uint32)
    fed = mx.array([ids[-1]] * len(rows))
    before = [recent_tokens(ids, (), len(ids) - 1)] * len(rows)
    shared = mx.repeat(logits, len(rows), axis=0)
    return draw_all(shared, [row.sampler for row in rows], [len(ids)] * len(rows), before, fed)


def _checkpoint(sequence: Sequence, segment: Segment) -> Checkpoint:
    kinds = tuple(RecordKind) if segment.end == sequence.position else (RecordKind.KV,)
    records = codec.take(sequence.caches, segment.start, segment.end, kinds)
    return Checkpoint(segment, records, durable=_is_durable(sequence, segment))


def _is_durable(sequence: Sequence, segment: Segment) -> bool:
    """Whether the state at the end of `segment` goes to disk: that of the shared prefix, and that before the reply if
    no state since far back does. Else, after a restart, another answer to a long question would prefill it again.
    """
    if segment.end == sequence.prompt.system_tokens:
        return True
    nearest = max([sequence.cached_tokens, *(c.segment.end for c in sequence.checkpoints if c.durable)])
    return segment == sequence.chain[-1] and segment.end - nearest >= FAR_TOKENS


def _prompt_end(sequence: Sequence, logits: mx.array) -> PromptEnd:
    """The logits are copied: they are a row of those of the whole chunk."""
    ending = sequence.ending
    assert ending is not None, "logits are kept with the end of the prompt only"
    records = codec.take(sequence.caches, ending.start, ending.end, (RecordKind.WINDOW, RecordKind.STATE))
    return PromptEnd(ending, records, mx.contiguous(logits))


def _without_inner_state(earlier: Checkpoint) -> Checkpoint:
    """The checkpoint once a later one exists: a state inside a long span is then useless."""
    if not earlier.segment.inner:
        return earlier
    return replace(earlier, records=codec.without_state(earlier.records))


def checkpoint(caches: Many[Any], segment: Segment, *, durable: bool) -> Checkpoint:
    """The records of `segment`, at whose end `caches` stand; evaluated."""
    taken = Checkpoint(segment, codec.take(caches, segment.start, segment.end), durable)
    _evaluate_records([taken.records])
    return taken


def _evaluate_records(records: Many[Mapping[str, Arrays]]) -> None:
    mx.eval([array for kinds in records for arrays in kinds.values() for array in arrays.values()])
