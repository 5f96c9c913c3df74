"""The first token of an answer, through the real server: it is emitted when it is drawn, before any step."""

from __future__ import annotations

import copy
from dataclasses import replace as with_
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.decode.batch import Batch
from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, Tell
from engine.protocol import messages as protocol
from engine.protocol.messages import Deltas, Generate, LoadModel
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import Sequence
from tests.fakes import tiny_models
from tests.fakes.engine_life import GREEDY, Chat, Engine, Start, at, load_once, of, own_tokens

QUESTION = "Yes?"
"""The model answers it with a token that is a letter. Most of its tokens are parts of letters, which have no text."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.build(tmp_path_factory.mktemp("models") / "falcon_h1", "falcon_h1")


@pytest.fixture
def engine(tmp_path: Path, folder: Path) -> Start:
    return partial(Engine, tmp_path, folder)


def test_it_is_emitted_before_a_step_is_built(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step of the batch takes time, above all on a GPU, and the first token does not wait for it."""
    steps: list[int] = []
    step = Batch.step

    def counted(self: Batch) -> list[tuple[Sequence, int]]:
        steps.append(len(self))
        return step(self)

    monkeypatch.setattr(Batch, "step", counted)
    before: list[tuple[int, int]] = []

    def note(event: protocol.Event) -> None:
        if isinstance(event, Deltas):
            before.extend((row.tokens, len(steps)) for row in event.rows)

    life = engine().live(Chat("c").ask(QUESTION), on=note)
    assert before[0] == (1, 0), "no step before the first token"
    assert [(tokens, steps) for tokens, steps in before[1:] if tokens != steps] == [], "then a token a step"
    assert len(steps) == life.usage("c1").completion_tokens == GREEDY.max_tokens


def first_text(command: Generate, engine: Start) -> str:
    one = replace(command, sampling=Sampling(temperature=0.0, max_tokens=1), cached=False)
    return engine().live(one).text(command.request)


@pytest.mark.parametrize("moment", ["drawn", "joined"])
def test_a_request_that_is_cancelled_after_it_keeps_its_text(engine: Start, moment: str) -> None:
    """The caches do not cover the first token yet, before and after the row joins. Its text stays, and the next turn is
    right and reports no miss.
    """
    chat, life = Chat("c"), engine()
    command = chat.ask(QUESTION)
    stop = life.once(of(Deltas) if moment == "drawn" else at("c1", "decode"), protocol.Cancel("c1"))
    life.live(command, on=stop, stores=1)
    done = chat.hear(life, command)
    assert (done.reason, done.usage.completion_tokens, done.ledger) == ("cancelled", 1, "")
    assert chat.messages[-1].content == first_text(command, engine)
    following = chat.ask("Go on.")
    warm = engine().live(following)
    assert warm.usage("c2").miss_cause in ("", "absent")
    assert warm.text("c2") == warm.cold(following)


@pytest.mark.parametrize("beside", [(), ("b",)])
def test_an_answer_of_one_token_is_kept_with_it(engine: Start, beside: tuple[str, ...]) -> None:
    """An answer that its first token ends, by the limit, is stored up to that token, alone and beside another row."""
    chat = Chat("c")
    command = chat.ask(QUESTION, Sampling(temperature=0.0, max_tokens=1))
    life = engine().live(command, *(Chat(name).ask(f"And {name}?") for name in beside))
    done = chat.hear(life, command)
    assert (done.reason, done.usage.completion_tokens, len(life.text("c1"))) == ("length", 1, 1)
    usage = chat.turn(engine(), "And then?").usage
    assert (usage.miss_cause, usage.prefill_tokens) == ("", own_tokens("And then?"))


def test_an_answer_that_its_first_token_ends_is_empty(engine: Start) -> None:
    """A stop sequence of the first letter hides it, and nothing follows. An end token has no text, and is in the
    ledger.
    """
    command = Chat("c").ask(QUESTION)
    first = first_text(command, engine)

    def ending(load: LoadModel, digests: WeightDigests, tell: Tell) -> LoadedModel:
        model = load_once(load, digests, tell)
        tokenizer = copy.copy(model.tokenizer)
        tokenizer.eos_token_ids = set(model.encode(first))
        return with_(model, tokenizer=tokenizer)

    stopped = engine().live(replace(command, sampling=replace(GREEDY, stop=(first,))))
    ended = engine(load=ending).live(replace(command, conversation="other"))
    for life, is_in_ledger in ((stopped, False), (ended, True)):
        done = life.finished("c1")
        assert (done.reason, life.text("c1"), done.usage.completion_tokens) == ("stop", "", 1)
        assert bool(done.ledger) == is_in_ledger
