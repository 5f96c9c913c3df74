"""ChatMemory: shows in the inspector what the engine keeps of a chat, with a map: how long each turn is, and which
turns the model would have to read again. No Qt.

The library knows the turns, and the engine knows what it holds of them. ChatMemory asks both again whenever one of them
may have changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from app.chat import status as figures
from app.chat import turn_jobs
from app.chat.draft_cost import estimate, estimate_bytes
from app.conversations.chats import Chats
from engine.protocol.cache_messages import CacheSize, CacheSizes, ListCacheSizes, TurnStored
from engine.protocol.messages import Deltas, Event, Progress, Usage, Warmed
from resources.language.text import mark, number, tr
from storage.library.library import Library
from storage.library.rows import Message
from ui.state.chat import ChatPhase, ChatStatus, Warmth
from ui.state.chat_memory import ChatMemoryView, TurnBlock, TurnState
from ui.theme.phrases import TONES, about_time, activity, duration, restore_time, size, writing_rate
from ui.theme.reread_reasons import cause_words

_MOST_BLOCKS: Final = 60
_MISJUDGED: Final = 4
"""A turn may have so many times the tokens that its letters let expect, or so many times fewer."""
_TEMPLATE_TOKENS: Final = 200
"""What instructions, files' names and the chat template may add to a turn."""
_WORDS: Final = 200
"""Characters of a question that its block has."""
_UNKNOWN: Final = "…"
"""Stands for a figure that the engine has not told yet, as while a model loads. A zero would look like a loss."""


class _Answer(NamedTuple):
    """An answer with its question. `guess` is the length of both in tokens, by their letters."""

    message: Message
    guess: int


def turns(messages: Sequence[Message], status: ChatStatus, left_out: int = 0) -> tuple[TurnBlock, ...]:
    """The turns in the context of the model, oldest first: those of the branch without its first `left_out` messages. A
    question that was too long for the model is not in the next prompt, so it is no turn.
    """
    answers, pending = _answers(messages)
    read = {message.id for message in messages[left_out:]}
    numbers = {answer.message.id: number for number, answer in enumerate(answers, 1)}
    asked = {message.id: message.content[:_WORDS] for message in messages}
    counted = [one for one in zip(answers, _counted(answers), strict=True) if one[0].message.id in read]
    sizes = _fitted(counted, 0 if pending else status.context_tokens)
    blocks: list[TurnBlock] = []
    start = 0
    for ((message, _), _), tokens in zip(counted, sizes, strict=True):
        is_kept = status.cached_tokens and status.cached_tokens >= start + tokens / 2
        state: TurnState = "kept" if is_kept else "again"
        number, question = numbers[message.id], message.parent or ""
        state = "writing" if message.state == "open" else state
        blocks.append(TurnBlock(tokens, state, number, number, question, asked.get(question, "")))
        start += tokens
    if pending:
        number, question = len(answers) + 1, messages[-1].id
        blocks.append(TurnBlock(pending, "again", number, number, question, asked[question]))
    while len(blocks) > _MOST_BLOCKS:  # a long chat is drawn with fewer: neighbours of one state are joined
        place = next((at for at in range(len(blocks) - 1) if blocks[at].state == blocks[at + 1].state), None)
        if place is None:
            break
        one, next_one = blocks[place : place + 2]
        blocks[place : place + 2] = [replace(one, tokens=one.tokens + next_one.tokens, last=next_one.last)]
    return tuple(blocks)


def _answers(messages: Iterable[Message]) -> tuple[list[_Answer], int]:
    """The answers, and a guess of a last question without one."""
    answers: list[_Answer] = []
    pending = 0
    for message in turn_jobs.answerable(messages):
        pending += max(1, estimate(message.content)) + sum(estimate_bytes(file.bytes) for file in message.attachments)
        if message.role == "assistant":
            answers.append(_Answer(message, pending))
            pending = 0
    return answers, pending


def _counted(answers: Iterable[_Answer]) -> list[int]:
    """The tokens of each turn as the engine counted them; 0 if that is not known.

    The figures of an answer say where its turn ended in its prompt. Turns without figures before it, such as imported
    ones, share what it is longer than the prompt before. Between both, turns may have been left out: a difference that
    cannot be that of these texts says nothing.
    """
    sizes: list[int] = []
    guesses: list[int] = []
    before = 0
    for message, guess in answers:
        guesses.append(guess)
        if end := figures.tokens_until(message.usage):
            length, guessed = end - before, sum(guesses)
            is_possible = guessed <= _MISJUDGED * length and length <= _MISJUDGED * guessed + _TEMPLATE_TOKENS
            sizes += _shared(length, guesses) if is_possible else [0] * len(guesses)
            before, guesses = end, []
    return sizes + [0] * len(guesses)


def _fitted(counted: Sequence[tuple[_Answer, int]], total: int) -> list[int]:
    """The tokens of each turn. Together they are `total` if that is known, else 0."""
    sizes, guesses = [size for _, size in counted], [answer.guess for answer, _ in counted]
    unknown = [guess for guess, size in zip(guesses, sizes, strict=True) if not size]
    if not total:
        return [size or guess for size, guess in zip(sizes, guesses, strict=True)]
    rest = total - sum(sizes)
    if rest < len(unknown):  # the figures are of other prompts
        return _shared(total, guesses if unknown else sizes)
    shares = iter(_shared(rest, unknown))
    fitted = [size or next(shares) for size in sizes]
    if fitted and not unknown:
        fitted[0] += rest  # the instructions, which the first turn of a whole chat has
    return fitted


def _shared(total: int, weights: Sequence[int]) -> list[int]:
    """`total` in parts like these weights. Each is 1 at least."""
    shares, weight, before, everything = [], 0, 0, sum(weights)
    for one in weights:
        weight += one
        shares.append(max(total * weight // everything - before, 1))
        before += shares[-1]
    return shares


class ShownBranch(NamedTuple):
    """The messages of the branch that is shown. The first `left_out` of them are not in the model's context."""

    conversation: str
    messages: tuple[Message, ...]
    left_out: int = 0


_VERSIONS: Final = mark(
    "On disk are also other versions of this chat, such as other answers or former instructions, until their space is "
    "needed."
)


def view(
    branch: ShownBranch,
    status: ChatStatus,
    sizes: Sequence[CacheSize] | None,
    reading_rate: float,
    lines: Sequence[str],
) -> ChatMemoryView:
    """The view for the inspector. `sizes` is what the disk has of the conversation: one entry, or none if it has
    nothing; None until the engine has told. What it has of a chat without messages is of words that a copy of the
    library took away. `reading_rate` is in tokens per second, `lines` say how the loaded model works.
    """
    held = sizes[0] if sizes and branch.messages else None
    blocks = turns(branch.messages, status, branch.left_out)
    total = status.context_tokens or sum(block.tokens for block in blocks)
    state, words = _headline(status, total)
    usage = figures.usage_of(branch.messages[-1]) if branch.messages else Usage()
    on_disk = _UNKNOWN if sizes is None and branch.messages else _on_disk(held)
    restored = tuple(_restored(branch.messages, status))
    return ChatMemoryView(
        branch.conversation,
        state,
        words,
        blocks,
        (*restored, *_facts(status, on_disk, total, 0.0 if restored else reading_rate)),
        (*_details(status, usage), *(("", line) for line in (tr(_VERSIONS) if held else "", *lines) if line)),
        can_clear=held is not None or status.warmth is Warmth.WARM,
    )


def _headline(status: ChatStatus, total: int) -> tuple[str, str]:
    if status.phase is not ChatPhase.IDLE:
        return "accent", activity(status)
    words = ""
    if status.warmth is Warmth.WARM:
        words = tr("Ready at once")
    elif status.warmth is Warmth.COLD and status.never_read:
        words = tr("Will be read")
    elif status.warmth is Warmth.COLD and total:
        words = tr("Will be read again")
    return TONES[status.warmth], words


def _restored(messages: Sequence[Message], status: ChatStatus) -> Iterable[tuple[str, str]]:
    """How long it took to bring the chat back from disk, for the next answer or else for the last one."""
    restore_ms, instead_s = status.restore_ms, status.instead_seconds
    if status.warmth is Warmth.COLD:  # what came back is freed again
        return
    if not restore_ms and messages:
        wait = figures.saved_wait(messages[-1])
        restore_ms, instead_s = wait.restored_ms, wait.instead_s
    if restore_ms:
        yield tr("Restored"), restore_time(restore_ms, instead_s or 0.0)


def _facts(status: ChatStatus, on_disk: str, total: int, rate: float) -> Iterable[tuple[str, str]]:
    """`total` is an estimate if the engine has counted nothing of the chat yet."""
    all_of_it = number(total) if status.context_tokens or not total else tr("about {number}", number=total)
    is_known = status.warmth is not Warmth.UNKNOWN or status.phase is not ChatPhase.IDLE
    if total:
        part = number(min(status.cached_tokens, total)) if is_known else _UNKNOWN
        yield tr("Tokens kept"), tr("{part} of {total}", part=part, total=all_of_it)
    if total and rate > 0:
        told = status.reread_seconds if status.warmth is Warmth.COLD and not status.cached_tokens else None
        yield tr("Reading all of it"), about_time(told or total / rate)  # the footer says how long, too
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


def _details(status: ChatStatus, usage: Usage) -> Iterable[tuple[str, str]]:
    if usage.ttft_ms:
        yield tr("First word after"), duration(usage.ttft_ms)
    if status.tokens_per_second is not None:
        yield tr("Written at"), writing_rate(status.tokens_per_second)
    if status.cause:
        is_over = status.phase is ChatPhase.IDLE and status.warmth is Warmth.WARM
        yield tr("Was read again because") if is_over else tr("Read again because"), cause_words(status.cause)


_MOST: Final = 4000
"""Messages that the map is made of."""


class ChatMemory:
    """`watched` is the chat in the pane, "" if that is closed."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self.watched = ""
        self._branch: ShownBranch | None = None
        self._told: ChatStatus | None = None
        self._sizes: tuple[CacheSize, ...] | None = None

    def leave(self, conversation: str) -> None:
        """This conversation is not looked at any more."""
        if conversation == self.watched:
            self.watched, self._branch, self._sizes = "", None, None

    def watch(self, conversation: str) -> None:
        """Show this conversation from now on."""
        if conversation != self.watched:
            self.watched, self._branch = conversation, None
            self._sizes = () if self._chats.is_private(conversation) else None
        self.refresh()

    def refresh(self) -> None:
        """The conversation may have changed."""

        def loaded(branch: ShownBranch) -> None:
            if branch.conversation == self.watched:
                self._branch = branch
                self.show()

        if chat := self.watched:
            self.show()
            ports = self._chats.of(chat)
            ports.tasks.run(partial(_branch, conversation=chat), loaded, lambda _: None)
            if not ports.private:
                ports.engine.send(ListCacheSizes(chat))

    def engine_event(self, event: Event) -> None:
        """Follow what the engine keeps of the conversation."""
        if not self.watched or getattr(event, "conversation", self.watched) != self.watched:
            return
        if isinstance(event, Deltas) and self._chats.sessions.of(self.watched).status is not self._told:
            self.show()  # the figures of the footer have changed
        elif isinstance(event, CacheSizes):
            self._sizes = event.rows
            self.show()
        elif isinstance(event, Warmed | TurnStored):
            self.refresh()
        elif isinstance(event, Progress):
            self.show()

    def engine_lost(self) -> None:
        """Nothing is in memory any more."""
        self.refresh()

    def show(self) -> None:
        """Show what is known. What is about to be cleared is shown as if it were gone."""
        if self._branch is None:
            return
        ports, session = self._chats.of(self.watched), self._chats.sessions.of(self.watched)
        store, rate = self._chats.window.store, ports.reading_rate()
        self._told = session.status
        sizes, lines = () if store.is_clearing(self.watched) else self._sizes, store.capabilities.now.lines
        store.chat_memory.put(view(self._branch, session.status, sizes, rate, lines))


def _branch(library: Library, conversation: str) -> ShownBranch:
    """The newest messages of the chat."""
    messages = library.messages.page(conversation, None, _MOST).messages
    left_out = turn_jobs.count_left_out(library.conversations.get(conversation), messages)
    return ShownBranch(conversation, messages, left_out or 0)
