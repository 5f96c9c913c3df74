"""The end of an answer: why it ends, and what it leaves behind: its ledger entry, its message and its last segment.

On the MLX thread.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many
from dataclasses import replace
from typing import Any

from msgspec import structs

from engine.cache.codec import codec
from engine.cache.disk.io_thread import Failure
from engine.cache.manager import CacheManager, Checkpoint
from engine.cache.segment import following, stays_in_memory
from engine.decode.prefill import checkpoint
from engine.model.loader import LoadedModel
from engine.prompt.ledger import pack
from engine.protocol.cache_messages import TurnStored
from engine.protocol.errors import panics_as_errors
from engine.protocol.messages import ChatMessage, Event, FinishReason
from engine.schedule.sequence import Sequence


def reason(model: LoadedModel, sequence: Sequence, token: int) -> FinishReason | None:
    """Why the answer ends after `token`, which was emitted last. None if it does not end."""
    if token in model.tokenizer.eos_token_ids or (sequence.parser and sequence.parser.stopped):
        return "stop"
    if len(sequence.emitted) >= sequence.command.sampling.max_tokens:
        return "length"
    if model.context_limit and sequence.prompt_tokens + len(sequence.emitted) >= model.context_limit:
        return "context"
    return None


@panics_as_errors()
def ledger(model: LoadedModel, sequence: Sequence) -> str:
    """The packed ledger entry of the reply. Empty if the caches cover no token of it, or if a stop sequence hides the
    text of the last ones.
    """
    if not sequence.covered or sequence.parser is None or sequence.parser.stopped:
        return ""
    prompt = sequence.prompt
    ids = [*prompt.ids[prompt.reply_start :], *sequence.emitted]
    last = sequence.emitted[-1]
    ending: str = model.tokenizer.decode([last]) if last in model.tokenizer.eos_token_ids else ""
    text, tools = sequence.parser.raw + ending, sequence.command.tools
    whole = whole_conversation(sequence)
    entry = prompt.entry_for(ids, text, model.identity.vocabulary, whole, tools, sequence.drawn)
    return pack(structs.replace(entry, model=model.identity.model))


def whole_conversation(sequence: Sequence) -> tuple[ChatMessage, ...]:
    """The conversation with the reply, as the app will send it with the next question. A continued reply is whole."""
    messages, parser = sequence.command.messages, sequence.parser
    is_continued = messages[-1].role == "assistant"
    begun = messages[-1] if is_continued else ChatMessage("assistant", "")
    whole = structs.replace(
        begun,
        content=begun.content + (parser.answer if parser else ""),
        reasoning=begun.reasoning + (parser.reasoning if parser else ""),
        tool_calls=(*begun.tool_calls, *(parser.tool_calls if parser else ())),
        ledger=sequence.ledger,
    )
    return (*(messages[:-1] if is_continued else messages), whole)


def reply_checkpoint(model: LoadedModel, sequence: Sequence, caches: Many[Any]) -> list[Checkpoint]:
    """The checkpoint at the end of the reply. Empty if `caches` do not cover exactly the prompt and the reply."""
    ids = [*sequence.prompt.ids, *sequence.emitted]
    if not sequence.emitted or sequence.position != len(ids) or not codec.covers(caches, len(ids)):
        return []
    last = sequence.chain[-1] if sequence.chain else None
    segment = following(last, model.identity.of_keys(on_disk=sequence.command.on_disk), ids, len(ids))
    sequence.chain.append(segment)
    return [checkpoint(caches, segment, durable=True)]


def commit(
    model: LoadedModel, manager: CacheManager, sequence: Sequence, caches: Many[Any], emit: Callable[[Event], None]
) -> None:
    """Send its checkpoints to the disk, the last one with its state: the next turn starts there. Let the hot tier adopt
    its `caches`, which must not be used afterwards, up to the token before the first NaN, and the end of its prompt.
    """
    conversation, on_disk, end = sequence.conversation, not stays_in_memory(sequence.chain), sequence.position

    def done(result: int | Failure) -> None:  # waits for the disk, so it must not hold the sequence and its caches
        emit(TurnStored(conversation, result.message if isinstance(result, Failure) else "", on_disk))

    if sequence.checkpoints:
        sequence.checkpoints[-1] = replace(sequence.checkpoints[-1], durable=True)
        end = manager.commit(conversation, model.identity.model, sequence.checkpoints, sequence.chain, done)
    if codec.covers(caches, sequence.position):
        reached = [segment for segment in sequence.chain if segment.end <= end]
        manager.adopt(conversation, reached, codec.buffers(caches), sequence.prompt_end)
