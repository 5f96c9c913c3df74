"""Counting tokens, and finding the part of a conversation that fits, through the real server."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.prompt.tokenization import PIECE_CHARS
from engine.protocol.errors import NoModel, RequestError
from engine.protocol.messages import (
    ChatMessage,
    CountTokens,
    FitPrompt,
    Generate,
    LoadModel,
    PromptFitted,
    Shutdown,
    TokensCounted,
    UnloadModel,
)
from tests.fakes.engine_life import GREEDY, SYSTEM, Engine, Start

LIMIT = 400


def _fitted(life: Engine) -> PromptFitted:
    return life.heard(PromptFitted)[0]


def _dialogue(turns: int) -> tuple[ChatMessage, ...]:
    messages = [SYSTEM]
    for number in range(turns):
        messages += [ChatMessage("user", f"Question {number:02}"), ChatMessage("assistant", f"Answer {number:02}")]
    return tuple(messages[:-1])


def _fit(messages: tuple[ChatMessage, ...], room: int) -> FitPrompt:
    starts = tuple(place for place, message in enumerate(messages) if message.role == "user")
    return FitPrompt("fit", "c", messages, starts, room)


def _tokens(engine: Start, *prompts: tuple[ChatMessage, ...]) -> list[int]:
    """The tokens of prompts, by the engine that answers them."""
    one = replace(GREEDY, max_tokens=1)
    asked = [Generate(f"r{number}", "c", prompt, one, cached=False) for number, prompt in enumerate(prompts)]
    life = engine().live(*asked)
    return [life.usage(command.request).prompt_tokens for command in asked]


def test_a_text_is_counted_as_the_tokenizer_counts_it(engine: Start) -> None:
    """Each letter is one token for the tests' model. A text of many pieces is counted as a whole."""
    text = "word " * PIECE_CHARS
    life = engine().live(CountTokens("draft", "Hello"), CountTokens("book", text))
    assert life.heard(TokensCounted) == [TokensCounted("draft", 5), TokensCounted("book", len(text))]


def test_a_newer_text_replaces_the_one_that_is_counted(engine: Start) -> None:
    """While the user types, only the last version of the draft is counted to its end."""
    long, last, life = CountTokens("draft", "word " * PIECE_CHARS), TokensCounted("draft", 2), engine()
    life.live(long, CountTokens("draft", "Hi"), on=life.once(lambda event: event == last, Shutdown()))
    assert life.heard(TokensCounted) == [last]


def test_the_longest_part_that_fits_is_found(engine: Start, model_folder: Path) -> None:
    """It leaves the room, and the part that begins one turn earlier would not."""
    messages, room = _dialogue(20), 100
    life = engine(first=LoadModel(str(model_folder), context_limit=LIMIT)).live(_fit(messages, room))
    found = _fitted(life)
    fits, more = _tokens(engine, *((SYSTEM, *messages[at:]) for at in (found.start, found.start - 2)))
    assert fits <= LIMIT - room < more


def test_without_the_room_the_last_turn_is_kept(engine: Start, model_folder: Path) -> None:
    """The newest question can be read, though little is left for the answer to it. One that is too long fits nowhere:
    the answer says so, and is no error.
    """
    messages = _dialogue(3)
    (alone,) = _tokens(engine, (SYSTEM, messages[-1]))
    too_long = (*messages[:-1], ChatMessage("user", "long " * LIMIT))
    asked = [_fit(messages, 50), _fit(too_long, 50)]
    life = engine(first=LoadModel(str(model_folder), context_limit=alone + 1)).live(*asked)
    assert life.heard(PromptFitted) == [PromptFitted("fit", "c", len(messages) - 1), PromptFitted("fit", "c")]


def test_what_cannot_be_measured_is_answered(engine: Start) -> None:
    """By an error: without a model, and if the template refuses the messages."""
    life = engine().live(UnloadModel(), _fit(_dialogue(2), 0))
    assert _fitted(life).code == NoModel.code
    life = engine().live(FitPrompt("fit", "c", (), (0,)))
    assert (_fitted(life).start, _fitted(life).code) == (-1, RequestError.code)


def test_a_tokenizer_that_fails_is_an_answer(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it raises, the question is answered by an error, and the next request by the model."""
    errors = [MemoryError(), RuntimeError("a tokenizer gave up"), KeyError("a token")]

    def failing(*_: object) -> Callable[[], None]:
        def job(error: Exception) -> None:
            raise error

        return partial(job, errors.pop())

    monkeypatch.setattr("engine.server.answers.rendered_question", failing)
    life = engine().live(*[_fit(_dialogue(2), 0)] * 3, Generate("r", "c", _dialogue(2), GREEDY))
    assert [answer.code for answer in life.heard(PromptFitted)] == [RequestError.code] * 3
    assert life.finished("r").reason == "length"
