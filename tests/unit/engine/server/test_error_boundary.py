"""Failures of requests and of the model, through the real server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.decode.drafts.budget import DraftBudget
from engine.model.loader import LoadedModel
from engine.output.parser import ChannelText, OutputParser
from engine.protocol.messages import ChatMessage, Generate, TurnFinished
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import Sequence
from engine.server import open_requests
from tests.fakes import tiny_models
from tests.fakes.engine_life import Chat, Engine, Start


@pytest.mark.parametrize(("text", "tokens", "code"), [("", 0, "prompt_refused"), ("x", 5, "")])
def test_one_token_is_enough_to_answer(tmp_path: Path, text: str, tokens: int, code: str) -> None:
    """A template may make a single token of a message. If it makes none, the error says so."""
    bare = "{% for m in messages %}{{ m.content }}{% endfor %}"
    folder = tiny_models.let_write(tiny_models.build(tmp_path / "bare"), bare)
    said = Generate("a", "a", (ChatMessage("user", text),), Sampling(temperature=0.0, max_tokens=5), cached=False)
    done = Engine(tmp_path, folder).live(said).finished("a")
    assert (done.usage.completion_tokens, done.code) == (tokens, code)


def test_an_answer_between_two_failures_forgives_the_first(engine: Start, fail_on: Callable[..., None]) -> None:
    """One chat on which a model fails does not take the model from the other chats."""
    fail_on("bad")
    asks = [Chat("good").ask("Hi."), replace(Chat("bad").ask("Hi."), request="bad2"), Chat("last").ask("Hi.")]
    life = engine()
    life.play(*(lambda one=one: one for one in (Chat("bad").ask("Hi."), *asks)), after=TurnFinished)
    assert life.finished("bad2").code == "row_failed"
    assert life.finished("last1").reason == "length"


def test_an_error_of_the_draft_budget_ends_no_answer(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it occurs, it is no failure of the model: this answer and the next one are written."""

    def fail(*_: object) -> None:
        raise ValueError("no such time")

    monkeypatch.setattr(DraftBudget, "ordinary", fail)
    life = engine()
    life.play(lambda: Chat("a").ask("Hi."), lambda: Chat("next").ask("Hi."), after=TurnFinished)
    assert life.finished("a1").reason == life.finished("next1").reason == "length"


def test_a_parser_that_fails_ends_its_own_row_alone(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the output parser of one row does not reach its neighbours."""
    chats = Chat("good"), Chat("bad")
    commands = [chat.ask("Hello there, engine.") for chat in chats]
    made = open_requests.reply_parser

    def noted(model: LoadedModel, sequence: Sequence) -> OutputParser:
        parser = made(model, sequence)
        add = parser.add

        def fail_later(token: int) -> tuple[ChannelText, ...]:
            if parser.answer:
                raise ValueError("unforeseen")
            return add(token)

        if sequence.conversation == "bad":
            monkeypatch.setattr(parser, "add", fail_later)
        return parser

    monkeypatch.setattr(open_requests, "reply_parser", noted)
    life = engine().live(*commands, stores=1)
    assert [life.finished(command.request).reason for command in commands] == ["length", "failed"]
