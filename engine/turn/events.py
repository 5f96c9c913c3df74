"""The events that the app gets about a sequence, and why less was found of its prompt than earlier turns have computed.
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from typing import Final

from msgspec import structs

from engine.cache.segment import MissCause, RestorePlan
from engine.model.loader import LoadedModel
from engine.output.parser import ChannelText
from engine.prompt.ledger import unpack
from engine.prompt.tokenization import PromptTokens
from engine.protocol.errors import EngineError
from engine.protocol.messages import ChatMessage, Delta, FinishReason, Generate, Phase, Progress, TurnFinished, Usage
from engine.schedule.sequence import Prefilling, Sequence


def progress(sequence: Sequence, phase: Phase) -> Progress:
    """The progress of a sequence, shown as being in `phase`."""
    chunk = sequence.state.chunk if isinstance(sequence.state, Prefilling) else None
    return Progress(
        request=sequence.request,
        conversation=sequence.conversation,
        phase=phase,
        done=chunk.reached if chunk else sequence.position,
        total=sequence.prompt_tokens,
        cached_tokens=sequence.cached_tokens,
        restore_ms=sequence.timing.restore_ms,
        miss_cause=sequence.miss_cause.value,
    )


def delta(sequence: Sequence, piece: ChannelText) -> Delta:
    """New text in one of its channels."""
    tokens, rate = len(sequence.emitted), sequence.timing.decode_tps
    return Delta(sequence.request, sequence.conversation, piece.text, tokens, rate, piece.channel)


def unanswered(command: Generate, request: str, reason: FinishReason, error: EngineError | None = None) -> TurnFinished:
    """The end of a request of `command` that never reached a model."""
    return TurnFinished(
        request=request,
        conversation=command.conversation,
        reason=reason,
        usage=Usage(),
        code=error.code if error else "",
        message=str(error or ""),
        told=error.told if error else "",
    )


def ended(sequence: Sequence, reason: FinishReason, error: EngineError | None = None) -> TurnFinished:
    """Its end: by `error`, or with its ledger entry and tool calls."""
    end = structs.replace(unanswered(sequence.command, sequence.request, reason, error), usage=usage(sequence))
    if error:
        return end
    calls = sequence.parser.tool_calls if sequence.parser else ()
    return structs.replace(end, ledger=sequence.ledger, tool_calls=calls)


def usage(sequence: Sequence) -> Usage:
    """The figures of a sequence up to now."""
    total, timing = sequence.prompt_tokens, sequence.timing
    return Usage(
        prompt_tokens=total,
        cached_tokens=sequence.cached_tokens,
        cached_from=sequence.cached_from,
        prefill_tokens=total - sequence.cached_tokens,
        completion_tokens=len(sequence.emitted),
        restore_ms=timing.restore_ms,
        ttft_ms=timing.ttft_ms,
        decode_tps=timing.decode_tps,
        drafted=sequence.drafted,
        accepted=sequence.accepted,
        miss_cause=sequence.miss_cause.value,
    )


_CHANGES: Final = {"edited": MissCause.EDITED, "system": MissCause.SYSTEM}


def miss_cause(model: LoadedModel, messages: Many[ChatMessage], prompt: PromptTokens, found: RestorePlan) -> MissCause:
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
