"""The driver: takes prompts to tokens as the engine does, without commands and events. Every call into the engine is
here, so a change inside the engine changes only this module.

A talk is a conversation in token ids. A life is one opening of the segment store. A room is a batch that records what
each of its steps computed for each row.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import mlx.core as mx

from engine.cache.codec import codec
from engine.cache.disk.io_thread import Failure, IoThread
from engine.cache.lookup import LookupRequest, LookupResult
from engine.cache.manager import CacheManager
from engine.cache.memory.hot_tier import HotTier
from engine.cache.segment import cut, following
from engine.decode.batch import Batch
from engine.decode.last_logits import LastLogits
from engine.decode.prefill import checkpoint, prefill_chunk, take_checkpoints
from engine.decode.sampling import RowSampler
from engine.prompt.chat_template import Rendered
from engine.prompt.ledger import Ledger
from engine.prompt.tokenization import find_boundaries, tokenize_prompt
from engine.protocol.messages import Batching, Generate, Source
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import Sequence
from storage.segments.store import SegmentStore
from tests.conformance.subject import Subject

_BYTES = 1 << 30
_SECONDS = 60.0


@dataclass(frozen=True)
class Talk:
    """A conversation so far. `bounds` are the ends of its parts, `replies` the ends of the model's parts. The first
    part is shared. At `stops` a reply was stopped that goes on, the last one with the token `drawn`.
    """

    name: str
    ids: tuple[int, ...] = ()
    bounds: tuple[int, ...] = ()
    replies: tuple[int, ...] = ()
    stops: tuple[int, ...] = ()
    drawn: int | None = None

    def with_part(self, ids: Iterable[int]) -> Talk:
        """The talk with one more part up to a bound."""
        longer = (*self.ids, *ids)
        return replace(self, ids=longer, bounds=(*self.bounds, len(longer)))

    def with_reply(self, sequence: Sequence) -> Talk:
        """The talk followed by the answer to it."""
        longer = (*sequence.prompt.ids, *sequence.emitted)
        return replace(
            self, ids=longer, bounds=(*self.bounds, len(longer)), replies=(*self.replies, len(longer)), drawn=None
        )

    def stopped(self, sequence: Sequence) -> Talk:
        """The talk followed by the answer to it, which goes on."""
        longer = self.with_reply(sequence)
        return replace(longer, stops=(*self.stops, longer.replies[-1]), drawn=sequence.drawn)


def ready(subject: Subject, talk: Talk, header: Iterable[int] = ()) -> Sequence:
    """A sequence that asks `talk`, with nothing restored and nothing prefilled."""
    text = "".join(chr(token) for token in (*talk.ids, *header))
    sequence = Sequence(Generate(talk.name, talk.name, (), Sampling(temperature=0.0)))
    shared = talk.bounds[0] if len(talk.bounds) > 1 else 0
    rendered = Rendered(text, shared, 0, len(text))
    prompt = tokenize_prompt(
        rendered, find_boundaries(rendered, Ledger()), lambda part: [ord(letter) for letter in part]
    )
    chain = list(cut(subject.identity, prompt.ids, talk.bounds, talk.replies, talk.stops))
    sequence.start_restoring(replace(prompt, drawn=talk.drawn), chain, subject.fresh())
    sequence.sampler = RowSampler(sequence.command.sampling)
    return sequence


def prefill(subject: Subject, sequence: Sequence, position: int = 0, source: Source = "none") -> Sequence:
    """Prefill the prompt from `position` on, and draw the first token."""
    sequence.start_prefill(position, source)
    while not sequence.prefilled:
        prefill_chunk(LastLogits(subject.model, subject.loaded.kinds), sequence, decoding=0)
        take_checkpoints(sequence)
    sequence.start_decoding()
    return sequence


class Life:
    """The cache from one start of the engine to its end. The folder remains."""

    def __init__(self, subject: Subject, folder: Path) -> None:
        self._subject = subject
        self._posts: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        io = IoThread(lambda: SegmentStore.open(folder, _BYTES))
        self._manager = CacheManager(io, HotTier(_BYTES), self._posts.put)

    def ask(self, talk: Talk, header: Iterable[int] = ()) -> Sequence:
        """A sequence that asks `talk`, restored from the longest stored prefix and prefilled to its end."""
        sequence = ready(self._subject, talk, header)
        layout = self._subject.layout
        if layout is None:
            return prefill(self._subject, sequence)
        found = self._found(sequence, layout.needs, max(talk.replies, default=len(sequence.prompt.ids)))
        length = codec.restore(layout, sequence.caches, found.pieces)
        assert length == found.plan.length, "what was found can be restored"
        return prefill(self._subject, sequence, length, found.source)

    def _found(self, sequence: Sequence, needs: Any, enough: int) -> LookupResult:
        """What every machine can restore: those that find more look again, up to what the others have."""
        limit = len(sequence.prompt.ids) + (sequence.prompt.drawn is not None)
        request = LookupRequest(sequence.conversation, sequence.chain, needs, limit, enough)
        while True:
            found = self._looked_up(request)
            least = self._subject.agreed("found", found.plan.length)
            if self._subject.agreed("found least", int(found.plan.length == least)):
                return found
            request = replace(request, limit=least + 1)

    def _looked_up(self, request: LookupRequest) -> LookupResult:
        arrived: list[LookupResult] = []
        self._manager.look_up(request, arrived.append)
        self._until(arrived)
        return arrived[0]

    def keep(self, sequence: Sequence, caches: list[Any]) -> None:
        """Store the whole sequence up to the end of its answer, which `caches` hold."""
        if self._subject.layout is None:
            return
        ids = [*sequence.prompt.ids, *sequence.emitted]
        assert codec.covers(caches, len(ids)), "the caches hold the prompt and every token of the answer"
        last = sequence.chain[-1] if sequence.chain else None
        sequence.chain.append(following(last, self._subject.identity, ids, len(ids)))
        sequence.checkpoints.append(checkpoint(caches, sequence.chain[-1], durable=True))
        stored: list[int | Failure] = []
        identity = self._subject.identity
        self._manager.commit(sequence.conversation, identity, sequence.checkpoints, sequence.chain, stored.append)
        self._until(stored)
        assert not isinstance(stored[0], Failure), stored[0]

    def _until(self, filled: list[Any]) -> None:
        while not filled:
            self._posts.get(timeout=_SECONDS)()

    def end(self) -> None:
        """Stop, after everything is on disk."""
        assert self._manager.close(_SECONDS)


@dataclass(frozen=True)
class Step:
    """One step: its rows, each with the number of the token that it fed, and the logits (rows, vocabulary), in any
    order.
    """

    fed: tuple[tuple[Sequence, int], ...]
    logits: mx.array


@dataclass
class Room:
    """A batch of one model."""

    subject: Subject
    batching: Batching
    steps: list[Step] = field(default_factory=list)
    rows: list[Sequence] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._batch = Batch(self.subject.model, batching=self.batching, agree=self.subject.agreed)

    def join(self, *sequences: Sequence) -> None:
        """Add these rows to the batch."""
        for sequence in sequences:
            self._batch.join(sequence)
            self.rows.append(sequence)

    def step(self, times: int = 1) -> None:
        """Let every row take `times` steps."""
        for _ in range(times):
            fed = tuple((row, row.position) for row in self.rows)
            self.subject.calls.clear()
            for row, token in self._batch.step():
                row.emitted.append(token)
            logits = mx.concatenate([call.logits[:, -1] for call in self.subject.calls])
            mx.eval(logits)
            self.steps.append(Step(fed, logits))

    def leave(self, sequence: Sequence) -> list[Any]:
        """Remove a row, with its own caches."""
        self.rows.remove(sequence)
        return self._batch.leave(sequence)

    def drop(self, sequence: Sequence) -> None:
        """Remove a row for good."""
        self.rows.remove(sequence)
        self._batch.drop(sequence)
