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
            _Fit(self._model, self._tokenizer, self._emit, command).begin()

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


class _Fit:
    """Looks for the first start from which the prompt fits, halving the starts that may be it."""

    def __init__(
        self, model: LoadedModel, tokenizer: TokenizerThread, emit: Callable[[Event], None], command: FitPrompt
    ) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._emit = emit
        self._command = command
        self._low, self._high = 0, len(command.starts)
        self._tokens: dict[int, int] = {}

    def begin(self) -> None:
        """Start to look."""
        self._edge(self._try_next)

    def _edge(self, act: Callable[[], None]) -> None:
        """The edge of measuring: it ends with the command's answer, whatever a template or a tokenizer raises."""
        try:
            act()
        except EngineError as error:
            self._emit(refused(self._command, error))
        except Exception:
            log.exception("measuring %s", self._command.conversation)
            self._emit(refused(self._command, RequestError(tr(_UNFORESEEN))))

    def _try_next(self) -> None:
        """Try the start in the middle of those that are left."""
        if self._low == self._high:
            self._emit(self._outcome())
            return
        place = (self._low + self._high) // 2
        job = rendered_question(self._model, self._part(place))
        self._tokenizer.submit(job, lambda prepared: self._edge(partial(self._tried, place, prepared)))

    def _part(self, place: int) -> Generate:
        """The question that begins there. It is only counted."""
        command, start = self._command, self._command.starts[place]
        system = command.messages[: 1 if command.messages[0].role == "system" else 0]
        messages = (*system, *command.messages[max(start, len(system)) :])
        asked = Generate(command.request, command.conversation, messages, cached=False)
        return msgspec.structs.replace(asked, thinking=command.thinking, tools=command.tools)

    def _tried(self, place: int, prepared: Callable[[], PreparedPrompt]) -> None:
        try:
            self._tokens[place] = len(prepared().prompt.ids)
        except ContextFull:
            self._low = place + 1
        else:
            limit = self._model.context_limit
            fits = not limit or self._tokens[place] + self._command.room <= limit
            self._low, self._high = (self._low, place) if fits else (place + 1, self._high)
        self._try_next()

    def _outcome(self) -> PromptFitted:
        place = min(self._low, len(self._command.starts) - 1)
        if place not in self._tokens:
            return PromptFitted(self._command.request, self._command.conversation)
        start = self._command.starts[place]
        return PromptFitted(self._command.request, self._command.conversation, start, self._tokens[place])


def refused(command: FitPrompt, error: EngineError) -> PromptFitted:
    """The outcome of a command that could not be carried out."""
    return PromptFitted(command.request, command.conversation, code=error.code, message=str(error))
