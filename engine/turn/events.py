"""The events that the app gets about a sequence. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.protocol.messages import Delta, Progress, TurnFinished, Usage

if TYPE_CHECKING:
    from engine.output.parser import ChannelText
    from engine.protocol.errors import EngineError
    from engine.protocol.messages import FinishReason, Phase
    from engine.schedule.sequence import Sequence


def progress(sequence: Sequence, phase: Phase) -> Progress:
    """The progress of a sequence, shown as being in `phase`."""
    return Progress(
        request=sequence.request,
        conversation=sequence.conversation,
        phase=phase,
        done=sequence.position + sequence.begun_tokens,
        total=sequence.prompt_tokens,
        cached_tokens=sequence.cached_tokens,
        restore_ms=sequence.timing.restore_ms,
        miss_cause=sequence.miss_cause.value,
    )


def delta(sequence: Sequence, piece: ChannelText) -> Delta:
    """New text in one of its channels."""
    tokens, rate = len(sequence.emitted), sequence.timing.decode_tps
    return Delta(sequence.request, sequence.conversation, piece.text, tokens, rate, piece.channel)


def finished(sequence: Sequence, reason: FinishReason) -> TurnFinished:
    """Its end, with its ledger entry and tool calls."""
    return TurnFinished(
        request=sequence.request,
        conversation=sequence.conversation,
        reason=reason,
        usage=usage(sequence),
        ledger=sequence.ledger,
        tool_calls=sequence.parser.tool_calls if sequence.parser else (),
    )


def failed(sequence: Sequence, error: EngineError) -> TurnFinished:
    """Its end by `error`."""
    return TurnFinished(
        request=sequence.request,
        conversation=sequence.conversation,
        reason="failed",
        usage=usage(sequence),
        code=error.code,
        message=str(error),
        told=error.told,
    )


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
