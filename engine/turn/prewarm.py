"""Prewarming: when the user opens a conversation, its records are read into memory before the next question.

On the MLX thread. Best effort: if anything fails, the Warmed event has a cause and the next answer starts cold.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from engine.cache.lookup import LookupRequest
from engine.cache.planner import MissCause
from engine.cache.segment import NO_REQUEST
from engine.protocol import messages as protocol
from engine.protocol.errors import EngineError
from engine.turn.miss_cause import miss_cause
from engine.turn.prepare import history_form, prepare_history

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.lookup import LookupResult
    from engine.cache.manager import CacheManager
    from engine.model.loader import LoadedModel
    from engine.turn.speculative_prefill import SpeculativePrefill

log = logging.getLogger(__name__)

MOST_SPECULATIVE = 4096
"""The most tokens that are prefilled speculatively because a conversation was opened."""


def prewarm(
    model: LoadedModel,
    manager: CacheManager,
    speculative: SpeculativePrefill,
    command: protocol.Warm,
    then: Callable[[protocol.Warmed], None],
) -> None:
    """Look the conversation up. `then` gets the outcome, at once or when the disk has answered.

    If only the history form of the last reply is missing, it is prefilled speculatively.
    """
    if model.layout is None:
        then(not_warmed(command, MissCause.UNSUPPORTED))
        return
    try:
        form = history_form(model, command)
        prompt, chain = form or prepare_history(model, command)
    except EngineError as error:
        log.info("cannot prewarm %s: %s", command.conversation, error)
        then(not_warmed(command, MissCause.ABSENT))
        return

    def arrived(found: LookupResult) -> None:
        if form and len(prompt.ids) - MOST_SPECULATIVE <= found.plan.length < len(prompt.ids):
            speculative.start(command.conversation, form)
        manager.claim(command.conversation, found.plan.segments)
        why = miss_cause(model, command.messages, prompt, found.plan)
        then(
            protocol.Warmed(
                conversation=command.conversation,
                cached_tokens=found.plan.length,
                prompt_tokens=len(prompt.ids),
                restore_ms=(time.perf_counter() - began) * 1000 if found.plan.length else 0.0,
                miss_cause=why.value,
            )
        )

    def found(result: LookupResult) -> None:
        """The edge of what follows the lookup: the next answer starts cold, or reports what is wrong."""
        try:
            arrived(result)
        except Exception:
            log.exception("prewarming %s", command.conversation)
            manager.release(command.conversation, NO_REQUEST)
            then(not_warmed(command, MissCause.ABSENT))

    began = time.perf_counter()
    limit = len(prompt.ids) + 1  # the whole prompt may be restored
    request = LookupRequest(command.conversation, chain, model.layout.needs, limit, prompt.reusable)
    manager.look_up(request, found)


def not_warmed(command: protocol.Warm, why: MissCause) -> protocol.Warmed:
    """The outcome if nothing could be looked up."""
    return protocol.Warmed(command.conversation, 0, 0, 0.0, why.value)
