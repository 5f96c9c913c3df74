"""Answers to commands: how many tokens a text takes, from where on a conversation fits into the context, what the disk
has, and what the app hears if a command could not be carried out.

A command that has no outcome, or whose sender does not wait for it, needs no answer. On the MLX thread. Tokens are
counted on the tokenizer thread, in short jobs, so that the prompt of a request waits for one of them at most.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import msgspec

from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.manager import CacheManager
from engine.cache.segment import MissCause
from engine.model.identity import Identity
from engine.model.loader import LoadedModel
from engine.prompt.tokenization import pieces
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import (
    CacheChecked,
    CacheMoved,
    CacheSizes,
    CheckCache,
    ImportCache,
    ListCacheSizes,
    ListWarmModels,
    WarmModels,
)
from engine.protocol.errors import ContextFull, EngineError, RequestError
from engine.turn.prepare import PreparedPrompt, TokenizerThread, rendered_question
from engine.turn.speculative_prefill import not_warmed
from resources.language.text import mark, tr
from storage.segments.store import SegmentStore

Emit = Callable[[protocol.Event], None]


log = logging.getLogger(__name__)

_UNFORESEEN = mark("The engine could not measure this conversation.")


class Measuring:
    """Answers the questions about the tokens of one model."""

    def __init__(self, model: LoadedModel, tokenizer: TokenizerThread, emit: Emit) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._emit = emit
        self._newest: dict[str, protocol.CountTokens] = {}

    def begin(self, command: protocol.CountTokens | protocol.FitPrompt) -> None:
        """Start to measure. The outcome is emitted later."""
        if isinstance(command, protocol.CountTokens):
            self._newest[command.subject] = command
            self._count(command, pieces(command.text), 0)
        else:
            self._guard(command, partial(self._fit, command, 0, len(command.starts), set()))

    def _count(self, command: protocol.CountTokens, rest: Iterator[str], counted: int) -> None:
        """Count the next piece, unless a newer text has the same subject."""
        if self._newest.get(command.subject) is not command:
            return
        if (piece := next(rest, None)) is None:
            del self._newest[command.subject]
            self._emit(protocol.TokensCounted(command.subject, counted))
            return

        def done(ids: Callable[[], list[int]]) -> None:
            try:
                found = len(ids())
            except Exception:  # the edge of a count: the app keeps its estimate
                log.exception("counting %s", command.subject)
                return
            self._count(command, rest, counted + found)

        self._tokenizer.submit(partial(self._model.encode, piece), done)

    def _guard(self, command: protocol.FitPrompt, act: Callable[[], None]) -> None:
        """The edge of measuring: it ends with the command's answer, whatever a template or a tokenizer raises."""
        try:
            act()
        except EngineError as error:
            self._emit(refused(command, error))
        except Exception:
            log.exception("measuring %s", command.conversation)
            self._emit(refused(command, RequestError(tr(_UNFORESEEN))))

    def _fit(self, command: protocol.FitPrompt, low: int, high: int, readable: set[int]) -> None:
        """Look for the first start from which the prompt fits, halving those that may be it: `low` to `high`.
        `readable` are the tried ones whose prompt is not longer than the context.
        """
        if low == high:
            self._emit(_outcome(command, low, readable))
            return
        place, limit = (low + high) // 2, self._model.context_limit

        def tried(prepared: Callable[[], PreparedPrompt]) -> None:
            try:
                tokens = len(prepared().prompt.ids)
                readable.add(place)
                fits = not limit or tokens + command.room <= limit
            except ContextFull:
                fits = False
            self._fit(command, low if fits else place + 1, place if fits else high, readable)

        job = rendered_question(self._model, _part(command, place))
        self._tokenizer.submit(job, lambda prepared: self._guard(command, partial(tried, prepared)))


def _part(command: protocol.FitPrompt, place: int) -> protocol.Generate:
    """The question that begins at a start. It is only counted."""
    system = command.messages[: 1 if command.messages[0].role == "system" else 0]
    messages = (*system, *command.messages[max(command.starts[place], len(system)) :])
    asked = protocol.Generate(command.request, command.conversation, messages, cached=False)
    return msgspec.structs.replace(asked, thinking=command.thinking, tools=command.tools, day=command.day)


def _outcome(command: protocol.FitPrompt, place: int, readable: set[int]) -> protocol.PromptFitted:
    place = min(place, len(command.starts) - 1)
    if place not in readable:
        return protocol.PromptFitted(command.request, command.conversation)
    return protocol.PromptFitted(command.request, command.conversation, command.starts[place])


def refused(command: protocol.FitPrompt, error: EngineError) -> protocol.PromptFitted:
    """The outcome of a command that could not be carried out."""
    return protocol.PromptFitted(command.request, command.conversation, code=error.code, message=str(error))


def _not_moved(command: ImportCache | protocol.ExportCache, error: EngineError) -> CacheMoved:
    return CacheMoved(command.request, code=error.code, message=str(error))


_ENDS: Final[dict[type[protocol.Command], Callable[[Any, EngineError], protocol.Event]]] = {
    protocol.Warm: lambda command, _: not_warmed(command, MissCause.ABSENT),
    protocol.FitPrompt: refused,
    ImportCache: _not_moved,
    protocol.ExportCache: _not_moved,
    protocol.LoadModel: lambda command, error: protocol.ModelFailed(command.subject, error.code, str(error)),
    protocol.UnloadModel: lambda _command, _error: protocol.ModelUnloaded("", "", ""),
    ListCacheSizes: lambda command, _: CacheSizes(command.conversation),
    CheckCache: lambda _, error: CacheChecked(trouble=str(error)),
    ListWarmModels: lambda command, _: WarmModels(command.conversation, ()),
}


def without_outcome(command: protocol.Command, error: EngineError) -> protocol.Event | None:
    """The event that ends the app's wait for `command`, which failed with `error`. Generate has a `TurnFinished` for
    each of its requests instead.
    """
    end = _ENDS.get(type(command))
    return end(command, error) if end else None


def ask_disk(
    command: protocol.Command, job: Callable[[SegmentStore], protocol.Event], manager: CacheManager, emit: Emit
) -> None:
    """Emit what `job` finds on disk, once it has run there."""

    def answered(result: protocol.Event | Failure) -> None:
        end = without_outcome(command, EngineError(result.message)) if isinstance(result, Failure) else result
        assert end is not None, "the app waits for it"
        emit(end)

    manager.ask(Priority.WRITE, job, answered)


def list_warm_models(
    conversation: str, manager: CacheManager, emit: Emit, loaded: Callable[[], Identity | None]
) -> None:
    """Emit which models have a cache of a conversation. `loaded` gives the identity of the loaded model when the answer
    is made. The query overtakes waiting writes: state that waits for the disk is in memory, too.
    """

    def listed(result: tuple[str, ...] | Failure) -> None:
        identities = set(() if isinstance(result, Failure) else result)
        own = loaded()
        if own and (own.model in identities or conversation in manager.hot.conversations):
            identities.add(own.model)
        emit(WarmModels(conversation, tuple(identities)))

    manager.ask(Priority.RESTORE, lambda store: store.index.identities(conversation), listed)
