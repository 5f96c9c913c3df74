"""What is done for a conversation before it gets a request: speculative prefill, and prewarming.

Some templates write a reply into the next prompt in another form than it was generated in. This history form is
prefilled while no request needs the model, so that the next prompt is shorter. It waits until its conversation gets a
request, and is then dropped. When the user opens a conversation, its records are read into memory.

On the MLX thread. A conversation that was opened is tokenized on a thread of its own, so that the prompt of a request
never waits for it. Best effort: a failure costs the next answer some time.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial

import mlx.core as mx
from msgspec import structs

from engine.cache.codec import codec
from engine.cache.lookup import LookupRequest, LookupResult
from engine.cache.manager import CacheManager
from engine.cache.segment import NO_REQUEST, MissCause
from engine.decode.last_logits import LastLogits
from engine.decode.prefill import prefill_chunk, take_checkpoints
from engine.model.loader import LoadedModel
from engine.protocol import messages as protocol
from engine.protocol.errors import EngineError, MemoryFull
from engine.schedule.admission import MemoryGrants
from engine.schedule.sequence import Prefilling, Sequence
from engine.turn.events import miss_cause
from engine.turn.finish import commit, whole_conversation
from engine.turn.prepare import PreparedPrompt, TokenizerThread, history_form, rendered_history

log = logging.getLogger(__name__)

MOST_SPECULATIVE = 4096
"""The most tokens that are prefilled speculatively because a conversation was opened."""

_AS_IF_DECODING = 1
"""Rows that decode meanwhile, for the size of a chunk: a request that arrives waits for a small chunk only."""


class SpeculativePrefill:
    """The history forms that are still to be prefilled, one for each conversation of a model. After a failure all are
    dropped, and `failed` is called. `post` takes a call to the MLX thread.
    """

    def __init__(  # noqa: PLR0913, PLR0917 # what it works with belongs to the model
        self,
        model: LoadedModel,
        forward: LastLogits,
        manager: CacheManager,
        memory: MemoryGrants,
        emit: Callable[[protocol.Event], None],
        failed: Callable[[], object],
        post: Callable[[Callable[[], None]], None],
    ) -> None:
        self._model = model
        self._forward = forward
        self._manager = manager
        self._memory = memory
        self._emit = emit
        self._failed = failed
        self._tokenizer = TokenizerThread(post)
        self._opening: list[protocol.Warm] = []
        self._waiting: dict[str, Sequence] = {}

    @property
    def busy(self) -> bool:
        """Whether a step would do anything."""
        return any(isinstance(sequence.state, Prefilling) for sequence in self._waiting.values())

    def form_after(self, sequence: Sequence) -> PreparedPrompt | None:
        """The history form of this finished reply. None if the next prompt contains the reply as it was generated."""
        if self._model.layout is None or self._model.template.probe.stands or not sequence.emitted:
            return None
        try:
            return history_form(self._model, structs.replace(sequence.command, messages=whole_conversation(sequence)))
        except EngineError as error:
            log.info("no history form for %s: %s", sequence.conversation, error.code)
            return None

    def start(self, conversation: str, form: PreparedPrompt) -> None:
        """Look a form up, and prefill what is missing of it in later steps."""
        sequence = self._restoring(conversation, form)
        ahead = partial(self._ahead, partial(self._found, sequence))
        self._look_up(conversation, form, len(form.prompt.ids), ahead)

    def warm(self, command: protocol.Warm) -> None:
        """Look a conversation up that was opened. Emits the outcome, once it is tokenized and the disk has answered.

        If only the history form of the last reply is missing, it is prefilled.
        """
        if self._model.layout is None:
            self._emit(not_warmed(command, MissCause.UNSUPPORTED))
            return
        try:
            job = rendered_history(self._model, command)
        except EngineError as error:
            log.info("cannot prewarm %s: %s", command.conversation, error.code)
            self._emit(not_warmed(command, MissCause.ABSENT))
            return
        self._tokenizer.submit(job, partial(self._tokenized, command))
        self._opening.append(command)

    def _tokenized(self, command: protocol.Warm, tokens: Callable[[], PreparedPrompt]) -> None:
        """The edge of what follows tokenization: the next answer starts cold, or reports what is wrong."""
        if command not in self._opening:
            return
        try:
            prepared = tokens()
            arrived = partial(self._arrived, command, prepared, time.perf_counter())
            self._look_up(command.conversation, prepared, prepared.prompt.reusable, arrived)
        except EngineError as error:
            log.info("cannot prewarm %s: %s", command.conversation, error.code)
            self._answer(command, not_warmed(command, MissCause.ABSENT))
        except Exception:
            log.exception("prewarming %s", command.conversation)
            self._failed()
            self._manager.release(command.conversation, NO_REQUEST)
            self._answer(command, not_warmed(command, MissCause.ABSENT))

    def _answer(self, command: protocol.Warm, outcome: protocol.Warmed) -> None:
        """Emit the outcome of a Warm, unless it has one."""
        if command in self._opening:
            self._emit(outcome)
            self._opening.remove(command)

    def _look_up(
        self, conversation: str, prepared: PreparedPrompt, enough: int, then: Callable[[LookupResult], None]
    ) -> None:
        assert self._model.layout is not None, "only what can be kept is looked up"
        limit = len(prepared.prompt.ids) + 1  # the whole prompt may be restored
        needs = self._model.layout.needs
        self._manager.look_up(LookupRequest(conversation, prepared.chain, needs, limit, enough), then)

    def _restoring(self, conversation: str, form: PreparedPrompt) -> Sequence:
        """A sequence for a form, which waits for what is found of it."""
        sequence = Sequence(protocol.Generate("", conversation, ()))
        sequence.start_restoring(form.prompt, form.chain, self._model.fresh_caches())
        self._waiting[conversation] = sequence
        return sequence

    def _arrived(self, command: protocol.Warm, prepared: PreparedPrompt, began: float, found: LookupResult) -> None:
        """The edge of what follows a lookup: the next answer starts cold, or reports what is wrong."""
        if command not in self._opening:
            self._manager.release(command.conversation, NO_REQUEST)
            return
        length, tokens = found.plan.length, len(prepared.prompt.ids)
        try:
            why = miss_cause(self._model, command.messages, prepared.prompt, found.plan)
            self._manager.claim(command.conversation, found.plan.segments)
        except Exception:
            log.exception("prewarming %s", command.conversation)
            self._manager.release(command.conversation, NO_REQUEST)
            self._answer(command, not_warmed(command, MissCause.ABSENT))
            return
        restore_ms = (time.perf_counter() - began) * 1000 if found.source == "disk" else 0.0
        self._answer(command, protocol.Warmed(command.conversation, length, tokens, restore_ms, why.value))
        rendered = prepared.prompt.rendered
        is_form = rendered.history_form_chars == len(rendered.text)
        if is_form and tokens - MOST_SPECULATIVE <= length < tokens:
            self._ahead(lambda: self._found(self._restoring(command.conversation, prepared), found))

    def overtake(self, conversation: str) -> None:
        """A request of this conversation begins, and looks it up itself: end all that was begun ahead of it."""
        for command in [one for one in self._opening if one.conversation == conversation]:
            self._answer(command, not_warmed(command, MissCause.ABSENT))
        self.drop(conversation)

    def forget(self, conversation: str) -> None:
        """End all that was begun for a conversation. Its Warm gets no answer."""
        self._opening = [command for command in self._opening if command.conversation != conversation]
        self.drop(conversation)

    def close(self) -> None:
        """End the tokenizer thread, which may hold the model. What it tokenizes gets no answer."""
        self._tokenizer.close()

    def drop(self, conversation: str) -> None:
        """Drop a conversation's form and what was prefilled of it."""
        if self._waiting.pop(conversation, None):
            self._manager.release(conversation, NO_REQUEST)

    def step(self) -> None:
        """Prefill one small chunk of the newest form: there the user is most likely to continue."""
        self._ahead(self._prefill)

    def _ahead(self, act: Callable[..., None], *found: LookupResult) -> None:
        """The edge of speculative prefill: no request waits for it, so its failure is only logged."""
        try:
            act(*found)
        except Exception:
            log.exception("speculative prefill")
            self._failed()
            self.give_up()

    def _prefill(self) -> None:
        sequence = next(s for s in reversed(self._waiting.values()) if isinstance(s.state, Prefilling))
        prefill_chunk(self._forward, sequence, _AS_IF_DECODING)
        take_checkpoints(sequence)
        if sequence.prefilled:
            self._store(sequence)

    def give_up(self) -> None:
        """Drop all forms."""
        for conversation in list(self._waiting):
            self.drop(conversation)

    def _found(self, sequence: Sequence, found: LookupResult) -> None:
        if self._waiting.get(sequence.conversation) is not sequence or self._model.layout is None:
            return
        if not self._fits(sequence):
            self.drop(sequence.conversation)
            return
        length = codec.restore(self._model.layout, sequence.caches, found.pieces)
        sequence.start_prefill(length, found.source)
        if sequence.prefilled:
            self.drop(sequence.conversation)

    def _fits(self, sequence: Sequence) -> bool:
        try:
            return self._memory.may_start(sequence, ())
        except MemoryFull:
            return False

    def _store(self, sequence: Sequence) -> None:
        self.drop(sequence.conversation)
        commit(self._model, self._manager, sequence, sequence.caches, self._emit)
        mx.clear_cache()
        length = sequence.position
        self._emit(protocol.Warmed(sequence.conversation, length, length, 0.0, MissCause.NONE.value))


def not_warmed(command: protocol.Warm, why: MissCause) -> protocol.Warmed:
    """The outcome if nothing could be looked up."""
    return protocol.Warmed(command.conversation, 0, 0, 0.0, why.value)
