"""The map of a conversation: how long each turn is, and which of them the model would have to read again. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from app.chat import status as figures
from app.chat.draft_cost import estimate
from app.chat.turn_jobs import answerable
from resources.language.text import number, tr
from ui.state.chat import ChatPhase, Warmth
from ui.state.chat_memory import ChatMemoryView, Tone, TurnBlock, TurnState
from ui.theme.phrases import about_time, duration, size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.protocol.messages import CacheSize
    from storage.library.rows import Message
    from ui.state.chat import ChatStatus

_MOST_BLOCKS: Final = 60
_UNKNOWN: Final = "…"
"""Stands for a figure that the engine has not told yet, as while a model loads. A zero would look like a loss."""


def turns(messages: Iterable[Message], status: ChatStatus) -> tuple[TurnBlock, ...]:
    """The turns in the context of the model, oldest first. The engine's figures of an answer say where its turn ends.
    Turns without figures, such as imported ones, share the tokens up to the next turn with figures by the lengths of
    their texts. A question that was too long for the model is not in the next prompt, so it is no turn.
    """
    answers, pending = _answers(messages)
    blocks: list[TurnBlock] = []
    unplaced: list[tuple[Message, int]] = []
    start = 0
    for answer, end in zip(answers, _ends(answers, status), strict=True):
        unplaced.append(answer)
        if end:
            placed = tuple(_placed(unplaced, start, end, status))
            blocks += placed
            start += sum(block.tokens for block in placed)
            unplaced = []
    guessed = start + sum(guess for _, guess in unplaced)
    blocks += _placed(unplaced, start, guessed if pending else max(status.context_tokens, guessed), status)
    if pending:
        blocks.append(TurnBlock(pending, "again"))
    return _joined(blocks)


def _answers(messages: Iterable[Message]) -> tuple[list[tuple[Message, int]], int]:
    """The answers, each with a guess of its turn's tokens, and a guess for a last question without an answer."""
    answers: list[tuple[Message, int]] = []
    pending = 0
    for message in answerable(messages):
        pending += max(1, estimate(message.content))
        if message.role == "assistant":
            answers.append((message, pending))
            pending = 0
    return answers, pending


def _ends(answers: Sequence[tuple[Message, int]], status: ChatStatus) -> list[int]:
    """Where each turn ends in the next prompt; 0 if its figures do not say. Figures that exceed those of a later answer
    are of another prompt, such as one from which no turns were left out yet.
    """
    ends: list[int] = []
    after = status.context_tokens + 1 if status.context_tokens else math.inf
    for message, _ in reversed(answers):
        end = figures.tokens_until(message.usage)
        ends.append(end if end < after else 0)
        after = ends[-1] or after
    return ends[::-1]


def _placed(answers: Sequence[tuple[Message, int]], start: int, end: int, status: ChatStatus) -> Iterator[TurnBlock]:
    """The blocks of these answers, each with a guess of its turn's tokens, between two places in the chat. Each block
    has a token at least, so the last one may end behind `end`.
    """
    all_guesses, guesses, before = sum(guess for _, guess in answers), 0, start
    for message, guess in answers:
        guesses += guess
        after = max(start + (end - start) * guesses // all_guesses, before + 1)
        yield TurnBlock(after - before, _state(message, before, after, status))
        before = after


def _state(message: Message, start: int, end: int, status: ChatStatus) -> TurnState:
    if message.state == "open":
        return "writing"
    return "kept" if status.cached_tokens and status.cached_tokens >= (start + end) / 2 else "again"


def _joined(blocks: list[TurnBlock]) -> tuple[TurnBlock, ...]:
    """A long chat is drawn with fewer blocks: neighbours of one state are joined, oldest first."""
    while len(blocks) > _MOST_BLOCKS:
        place = next((at for at in range(len(blocks) - 1) if blocks[at].state == blocks[at + 1].state), None)
        if place is None:
            break
        joined = TurnBlock(blocks[place].tokens + blocks[place + 1].tokens, blocks[place].state)
        blocks[place : place + 2] = [joined]
    return tuple(blocks)


def view(
    conversation: str,
    messages: Sequence[Message],
    status: ChatStatus,
    sizes: Sequence[CacheSize] | None,
    reading_rate: float,
    lines: Sequence[str],
) -> ChatMemoryView:
    """The view for the inspector. `messages` are those in the model's context. `sizes` is what the disk has of the
    conversation: one entry, or none if it has nothing; None until the engine has told. What it has of a chat without
    messages is of words that a copy of the library took away. `reading_rate` is in tokens per second, `lines` say how
    the loaded model works.
    """
    held = sizes[0] if sizes and messages else None
    blocks = turns(messages, status)
    total = status.context_tokens or sum(block.tokens for block in blocks)
    state, words = _headline(status, total)
    return ChatMemoryView(
        conversation,
        state,
        words,
        blocks,
        tuple(place / total for place in held.places if place <= total) if held is not None and total else (),
        tuple(_facts(status, _UNKNOWN if sizes is None else _on_disk(held), total, reading_rate)),
        (*_details(status, held), *(("", line) for line in lines)),
        can_clear=held is not None or status.warmth is Warmth.WARM,
    )


def _headline(status: ChatStatus, total: int) -> tuple[Tone, str]:
    if status.phase is not ChatPhase.IDLE:
        return "accent", tr("Answering")
    if status.warmth is Warmth.WARM:
        return "success", tr("Ready at once")
    if status.warmth is Warmth.COLD and status.never_read:
        return "quiet", tr("Will be read")
    if status.warmth is Warmth.COLD and total:
        return "warning", tr("Will be read again")
    return "quiet", ""


def _facts(status: ChatStatus, on_disk: str, total: int, rate: float) -> Iterable[tuple[str, str]]:
    """`total` is an estimate if the engine has counted nothing of the chat yet."""
    all_of_it = number(total) if status.context_tokens or not total else tr("about {number}", number=total)
    is_known = status.warmth is not Warmth.UNKNOWN or status.phase is not ChatPhase.IDLE
    if total:
        part = number(min(status.cached_tokens, total)) if is_known else _UNKNOWN
        yield tr("Tokens kept"), tr("{part} of {total}", part=part, total=all_of_it)
    if total and rate > 0:
        yield tr("Reading all of it"), about_time(total / rate)
    yield tr("On disk"), on_disk
    if status.context_limit or (total and not is_known):  # its row stays while a model loads, so that nothing jumps
        limit = number(status.context_limit) if status.context_limit else _UNKNOWN
        yield tr("Context"), tr("{part} of {total}", part=all_of_it, total=limit)


def _on_disk(held: CacheSize | None) -> str:
    if held is None:
        return tr("nothing")
    if not held.shared:
        return size(held.bytes)
    shared = tr("{size} shared", "bytes", size=size(held.shared))
    return f"{size(held.own)} + {shared}" if held.own else shared


def _details(status: ChatStatus, held: CacheSize | None) -> Iterable[tuple[str, str]]:
    if status.restore_ms is not None:
        yield tr("Restored in"), duration(status.restore_ms)
    if status.first_token_ms is not None:
        yield tr("First word after"), duration(status.first_token_ms)
    if status.tokens_per_second is not None:
        yield tr("Written at"), tr("{rate:.1f} tok/s", rate=status.tokens_per_second)
    if held is not None and held.places:
        yield tr("Checkpoints"), number(len(held.places))
    if status.cause:
        yield tr("Read again because"), status.cause
