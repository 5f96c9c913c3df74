"""Speculative prefill: the history form of a finished reply is prefilled while no request needs the model.

Some templates write a reply into the next prompt in another form than it was generated in. Prefilling that form before
the user asks makes the next prompt shorter.

On the MLX thread. Best effort: a failure costs the next answer some time. A form waits until its conversation gets a
request, and is then dropped.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

import mlx.core as mx
from msgspec import structs

from engine.cache.codec import codec
from engine.cache.lookup import LookupRequest
from engine.cache.planner import MissCause
from engine.cache.segment import NO_REQUEST
from engine.decode.last_logits import LastLogits
from engine.decode.prefill import prefill_chunk, take_checkpoints
from engine.protocol import messages as protocol
from engine.protocol.errors import EngineError, MemoryFull
from engine.schedule.sequence import Sequence
from engine.turn.finish import commit, whole_conversation
from engine.turn.prepare import history_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.lookup import LookupResult
    from engine.cache.manager import CacheManager
    from engine.model.loader import LoadedModel
    from engine.schedule.admission import MemoryGrants
    from engine.turn.prepare import PreparedPrompt

log = logging.getLogger(__name__)

_AS_IF_DECODING = 1
"""Rows that decode meanwhile, for the size of a chunk: a request that arrives waits for a small chunk only."""


class SpeculativePrefill:
    """The history forms that are still to be prefilled, one for each conversation of a model. After a failure all are
    dropped, and `failed` is called.
    """

    def __init__(
        self,
        model: LoadedModel,
        manager: CacheManager,
        memory: MemoryGrants,
        emit: Callable[[protocol.Event], None],
        failed: Callable[[], object],
    ) -> None:
        self._model = model
        self._forward = LastLogits(model.model, model.kinds)
        self._manager = manager
        self._memory = memory
        self._emit = emit
        self._failed = failed
        self._waiting: dict[str, Sequence] = {}

    @property
    def busy(self) -> bool:
        """Whether a step would do anything."""
        return any(sequence.phase == "prefill" for sequence in self._waiting.values())

    def form_after(self, sequence: Sequence) -> PreparedPrompt | None:
        """The history form of this finished reply. None if the next prompt contains the reply as it was generated."""
        if self._model.layout is None or self._model.template.probe.stands or not sequence.emitted:
            return None
        try:
            return history_form(self._model, structs.replace(sequence.command, messages=whole_conversation(sequence)))
        except EngineError as error:
            log.info("no history form for %s: %s", sequence.conversation, error)
            return None

    def start(self, conversation: str, form: PreparedPrompt) -> None:
        """Look a form up, and prefill what is missing of it in later steps."""
        prompt, chain = form
        assert self._model.layout is not None, "a form is only made for what can be kept"
        sequence = Sequence(protocol.Generate("", conversation, ()), 0)
        sequence.start_restoring(prompt, chain, self._model.fresh_caches())
        self._waiting[conversation] = sequence
        request = LookupRequest(conversation, chain, self._model.layout.needs, len(prompt.ids) + 1, len(prompt.ids))
        self._manager.look_up(request, lambda found: self._ahead(partial(self._found, sequence, found)))

    def drop(self, conversation: str) -> None:
        """Drop a conversation's form and what was prefilled of it."""
        if self._waiting.pop(conversation, None):
            self._manager.release(conversation, NO_REQUEST)

    def step(self) -> None:
        """Prefill one small chunk of the newest form: there the user is most likely to continue."""
        self._ahead(self._prefill)

    def _ahead(self, act: Callable[[], None]) -> None:
        """The edge of speculative prefill: no request waits for it, so its failure is only logged."""
        try:
            act()
        except Exception:
            log.exception("speculative prefill")
            self._failed()
            self.give_up()

    def _prefill(self) -> None:
        sequence = next(s for s in reversed(self._waiting.values()) if s.phase == "prefill")
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
