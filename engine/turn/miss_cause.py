"""The cause of a cache miss, as the user sees it: why less was found than earlier turns have computed. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.cache.segment import MissCause, RestorePlan
from engine.prompt.ledger import unpack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.model.loader import LoadedModel
    from engine.prompt.tokenization import Prompt
    from engine.protocol.messages import ChatMessage

_CHANGES: Final = {"edited": MissCause.EDITED, "system": MissCause.SYSTEM}


def miss_cause(model: LoadedModel, messages: Sequence[ChatMessage], prompt: Prompt, found: RestorePlan) -> MissCause:
    """Why `found` covers less than all that earlier turns have computed of `prompt`; NONE if it does not.

    If reading failed, that is the cause: the other causes describe what was found, and nothing was looked at.
    """
    unreadable = found.cause is MissCause.UNREADABLE and found.length < prompt.reusable
    if unreadable or found.cause in (MissCause.OFF, MissCause.UNSUPPORTED):
        return found.cause
    entries = [entry for message in messages if (entry := unpack(message.ledger))]
    if found.length < prompt.reusable or not prompt.reusable:
        if any(entry.vocabulary != model.identity.vocabulary for entry in entries):
            return MissCause.OTHER_MODEL
        if not entries and any(message.role == "assistant" for message in messages):
            return found.cause if found.cause is MissCause.UNREADABLE else MissCause.ABSENT
    if found.length < prompt.reusable and entries and model.identity.is_divided_otherwise(entries[-1].model):
        return MissCause.MOVED
    if prompt.diverged == "stripped" and prompt.computed <= found.length < prompt.reusable:
        return MissCause.STRIPPED
    missed = found.cause or MissCause.NO_CHECKPOINT
    whole = MissCause.NONE if prompt.reusable or found.length else MissCause.NEW
    return _CHANGES.get(prompt.diverged, missed if found.length < prompt.reusable else whole)
