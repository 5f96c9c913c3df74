"""Reading ahead: the form that a finished reply takes in the next prompt, where that is not the form it was said in.

Owns what waits to be read and for how long: until anybody asks anything. Where the form ends is `engine.turn.prepare`'s
to say. Nothing here is promised to anyone: whatever goes wrong costs the next answer a little time.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from engine.cache.disk.buffers import clear_cache
from engine.cache.in_use import NO_REQUEST
from engine.cache.lookup import LookupRequest, restore
from engine.cache.planner import MissCause
from engine.decode.prefill import prefill_chunk
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
    from engine.schedule.memory_grants import MemoryGrants
    from engine.turn.prepare import PreparedPrompt

log = logging.getLogger(__name__)

_NEVER_ALONE = 1
"""Chunks are those of company: whoever asks meanwhile waits for a small one."""


class SpeculativePrefill:
    """The history forms of one model's conversations that are still to be read, one for each conversation."""

    def __init__(
        self, model: LoadedModel, manager: CacheManager, memory: MemoryGrants, emit: Callable[[protocol.Event], None]
    ) -> None:
        self._model = model
        self._manager = manager
        self._memory = memory
        self._emit = emit
        self._waiting: dict[str, Sequence] = {}

    @property
    def busy(self) -> bool:
        """Whether a step would do anything."""
        return any(sequence.phase == "prefill" for sequence in self._waiting.values())

    def form_after(self, sequence: Sequence) -> PreparedPrompt | None:
        """What the next prompt will hold in the place of this finished reply; None where the reply stands as it is."""
        if self._model.layout is None or self._model.template.probe.stands or not sequence.emitted:
            return None
        try:
            return history_form(self._model, structs.replace(sequence.command, messages=whole_conversation(sequence)))
        except EngineError as error:
            log.info("no history form for %s: %s", sequence.conversation, error)
            return None

    def start(self, conversation: str, form: PreparedPrompt) -> None:
        """Bring a form into the cache once there is nothing else to do."""
        prompt, chain = form
        assert self._model.layout is not None, "a form is only made for what can be kept"
        sequence = Sequence(protocol.Generate("", conversation, ()), 0)
        sequence.start_restoring(prompt, chain, self._model.fresh_caches())
        self._waiting[conversation] = sequence
        request = LookupRequest(conversation, chain, self._model.layout.needs, len(prompt.ids) + 1, len(prompt.ids))
        self._manager.look_up(request, partial(self._arrived, sequence))

    def drop(self, conversation: str) -> None:
        """Somebody asks, or the conversation is gone: what was read of its form is let go."""
        if self._waiting.pop(conversation, None):
            self._manager.release(conversation, NO_REQUEST)

    def step(self) -> None:
        """One small chunk of the newest form: that is where the user is most likely to go on."""
        sequence = next(s for s in reversed(self._waiting.values()) if s.phase == "prefill")
        prefill_chunk(self._model.model, sequence, _NEVER_ALONE)
        if sequence.prefilled:
            self._keep(sequence)

    def give_up(self) -> None:
        """Let go of everything."""
        for conversation in list(self._waiting):
            self.drop(conversation)

    def _arrived(self, sequence: Sequence, found: LookupResult) -> None:
        if self._waiting.get(sequence.conversation) is not sequence or self._model.layout is None:
            return
        if not self._has_room(sequence):
            self.drop(sequence.conversation)
            return
        sequence.start_prefill(restore(self._model.layout, found, sequence.caches), found.source)
        if sequence.prefilled:
            self.drop(sequence.conversation)

    def _has_room(self, sequence: Sequence) -> bool:
        try:
            return self._memory.may_start(sequence, ())
        except MemoryFull:
            return False

    def _keep(self, sequence: Sequence) -> None:
        self.drop(sequence.conversation)
        commit(self._model, self._manager, sequence, sequence.caches, self._emit)
        clear_cache()
        length = sequence.position
        self._emit(protocol.Warmed(sequence.conversation, length, length, 0.0, MissCause.NONE.value))
