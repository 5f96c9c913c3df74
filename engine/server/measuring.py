"""Measuring: how many tokens a text takes, and from where on a conversation fits into the context.

On the MLX thread. The tokens are found on the tokenizer thread, in short jobs, so that the prompt of a request waits
for one of them at most.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from engine.prompt.tokenization import pieces
from engine.protocol.errors import ContextFull, EngineError, RequestError
from engine.protocol.messages import CountTokens, FitPrompt, Generate, PromptFitted, TokensCounted
from engine.turn.prepare import rendered_question
from resources.language.text import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.model.loader import LoadedModel
    from engine.protocol.messages import Event
    from engine.turn.prepare import PreparedPrompt
    from engine.turn.tokenizer_thread import TokenizerThread

log = logging.getLogger(__name__)

_UNFORESEEN = mark("The engine could not measure this conversation.")


class Measuring:
    """Answers the questions about the tokens of one model."""

    def __init__(self, model: LoadedModel, tokenizer: TokenizerThread, emit: Callable[[Event], None]) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._emit = emit
        self._newest: dict[str, CountTokens] = {}

    def begin(self, command: CountTokens | FitPrompt) -> None:
        """Start to measure. The outcome is emitted later."""
        if isinstance(command, CountTokens):
            self._newest[command.subject] = command
            self._count(command, pieces(command.text), 0)
        else:
            self._guard(command, partial(self._fit, command, 0, len(command.starts), {}))

    def _count(self, command: CountTokens, rest: Iterator[str], counted: int) -> None:
        """Count the next piece, unless a newer text has the same subject."""
        if self._newest.get(command.subject) is not command:
            return
        if (piece := next(rest, None)) is None:
            del self._newest[command.subject]
            self._emit(TokensCounted(command.subject, counted))
            return

        def done(ids: Callable[[], list[int]]) -> None:
            try:
                found = len(ids())
            except Exception:  # the edge of a count: the app keeps its estimate
                log.exception("counting %s", command.subject)
                return
            self._count(command, rest, counted + found)

        self._tokenizer.submit(partial(self._model.encode, piece), done)

    def _guard(self, command: FitPrompt, act: Callable[[], None]) -> None:
        """The edge of measuring: it ends with the command's answer, whatever a template or a tokenizer raises."""
        try:
            act()
        except EngineError as error:
            self._emit(refused(command, error))
        except Exception:
            log.exception("measuring %s", command.conversation)
            self._emit(refused(command, RequestError(tr(_UNFORESEEN))))

    def _fit(self, command: FitPrompt, low: int, high: int, tokens: dict[int, int]) -> None:
        """Look for the first start from which the prompt fits, halving those that may be it: `low` to `high`. `tokens`
        are those of the prompts that were tried.
        """
        if low == high:
            self._emit(_outcome(command, low, tokens))
            return
        place, limit = (low + high) // 2, self._model.context_limit

        def tried(prepared: Callable[[], PreparedPrompt]) -> None:
            try:
                tokens[place] = len(prepared().prompt.ids)
                fits = not limit or tokens[place] + command.room <= limit
            except ContextFull:
                fits = False
            self._fit(command, low if fits else place + 1, place if fits else high, tokens)

        job = rendered_question(self._model, _part(command, place))
        self._tokenizer.submit(job, lambda prepared: self._guard(command, partial(tried, prepared)))


def _part(command: FitPrompt, place: int) -> Generate:
    """The question that begins at a start. It is only counted."""
    system = command.messages[: 1 if command.messages[0].role == "system" else 0]
    messages = (*system, *command.messages[max(command.starts[place], len(system)) :])
    asked = Generate(command.request, command.conversation, messages, cached=False)
    return msgspec.structs.replace(asked, thinking=command.thinking, tools=command.tools)


def _outcome(command: FitPrompt, place: int, tokens: dict[int, int]) -> PromptFitted:
    place = min(place, len(command.starts) - 1)
    if place not in tokens:
        return PromptFitted(command.request, command.conversation)
    return PromptFitted(command.request, command.conversation, command.starts[place], tokens[place])


def refused(command: FitPrompt, error: EngineError) -> PromptFitted:
    """The outcome of a command that could not be carried out."""
    return PromptFitted(command.request, command.conversation, code=error.code, message=str(error))
