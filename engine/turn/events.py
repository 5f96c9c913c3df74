"""The events that the app gets about a sequence. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from engine.protocol.messages import Delta, Progress, TurnFinished, Usage
from engine.schedule.sequence import Prefilling

if TYPE_CHECKING:
    from engine.output.parser import ChannelText
    from engine.protocol.errors import EngineError
    from engine.protocol.messages import FinishReason, Generate, Phase
    from engine.schedule.sequence import Sequence


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
        miss_cause=sequence.miss_cause.value,
    )
