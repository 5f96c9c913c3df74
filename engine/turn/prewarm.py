"""Warming: an opened conversation's records are brought into memory before anyone asks. Owns nothing that lasts.

Best effort: whatever stands in the way is a Warmed event with a cause, and the next answer simply starts cold.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from engine.cache.lookup import LookupRequest
from engine.cache.planner import MissCause
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
"""Tokens that opening a conversation may have read while nobody asked for anything."""


def prewarm(
    model: LoadedModel,
    manager: CacheManager,
    speculative: SpeculativePrefill,
    command: protocol.Warm,
    then: Callable[[protocol.Warmed], None],
) -> None:
    """Look the conversation up; `then` gets the outcome, at once or when the disk has answered.

    Where only the last reply is missing, in the form that the next prompt will hold it in, that is read ahead.
    """
    if model.layout is None:
        then(not_warmed(command, MissCause.UNSUPPORTED))
        return
    try:
        form = history_form(model, command)
        prompt, chain = form or prepare_history(model, command)
    except EngineError as error:
        log.info("cannot warm %s: %s", command.conversation, error)
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
                restore_ms=found.milliseconds,
                miss_cause=why.value,
            )
        )

    limit = len(prompt.ids) + 1  # nothing is fed yet: the very end may be restored
    manager.look_up(LookupRequest(command.conversation, chain, model.layout.needs, limit, prompt.reusable), arrived)


def not_warmed(command: protocol.Warm, why: MissCause) -> protocol.Warmed:
    """The outcome where nothing could be looked up."""
    return protocol.Warmed(command.conversation, 0, 0, 0.0, why.value)
