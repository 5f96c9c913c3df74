"""Failures of requests and of the model, through the real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Many
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from msgspec.structs import replace

from engine.decode import batch, prefill
from engine.decode.drafts import speculation
from engine.decode.drafts.budget import DraftBudget
from engine.decode.sampling import RowSampler, draw_all
from engine.model.loader import LoadedModel
from engine.output.parser import ChannelText, OutputParser
from engine.prompt.ledger import unpack
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


@pytest.fixture
def overflow(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], AbstractContextManager[None]]:
    """Within it, rows of this seed have no finite logits after so many tokens of their answer."""

    @contextmanager
    def overflow(seed: int, written: int) -> Iterator[None]:
        starts = set[int]()

        def spoiled(
            logits: mx.array, samplers: Many[RowSampler], positions: Many[int], before: Any = (), fed: Any = None
        ) -> mx.array:
            rows = [sampler.seed == seed and at for sampler, at in zip(samplers, positions, strict=True)]
            starts.update(filter(None, rows))
            is_bad = mx.array([at and at >= min(starts) + written for at in rows])[:, None]
            return draw_all(mx.where(is_bad, mx.nan, logits), samplers, positions, before, fed)

        with monkeypatch.context() as patch:
            for module in (batch, prefill, speculation):
                patch.setattr(module, "draw_all", spoiled)
            yield

    return overflow


@pytest.mark.parametrize("greedy", [True, False])
@pytest.mark.parametrize("written", [0, 5])
@pytest.mark.parametrize("alone", [True, False])
def test_an_answer_ends_where_the_model_computes_no_number(
    engine: Start, overflow: Callable[..., AbstractContextManager[None]], written: int, *, greedy: bool, alone: bool
) -> None:
    """Half-precision models overflow in some texts. The answer keeps what was written until then and fails with an
    error, in place of repeating token 0. The answers beside it are written to their end, even if two overflow at once.
    """
    sampling = Sampling(temperature=0.0 if greedy else 0.9, seed=13, max_tokens=12)
    bad, other = (Chat(name).ask("Hello there.", sampling) for name in ("bad", "too"))
    good = Chat("good").ask("Hello there, engine.")
    with overflow(13, written):
        life = engine().live(*([bad] if alone else [bad, other, good]), stores=0 if alone else 1)
    for ended in (life.finished(one.request) for one in ([bad] if alone else [bad, other])):
        assert (ended.reason, ended.code, ended.usage.completion_tokens) == ("failed", "row_failed", written)
        assert "not a number" in ended.message
        assert life.cold(bad).startswith(life.text(ended.request))
    assert alone or life.text(good.request) == life.cold(good)


def test_an_answer_that_ends_before_an_overflow_keeps_its_tokens(
    engine: Start, overflow: Callable[..., AbstractContextManager[None]]
) -> None:
    """The next token could not be drawn, and is not noted. So the next question reads nothing of the answer again."""
    chat = Chat("a")
    asked = chat.ask("Hello there.", Sampling(temperature=0.0, seed=13, max_tokens=5))
    with overflow(13, 5):
        ended = engine().live(asked).finished(asked.request)
    entry = unpack(ended.ledger)
    assert entry is not None
    assert (ended.reason, entry.drawn) == ("length", None)
