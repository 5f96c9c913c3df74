"""Answers with drafts, through the real server: texts, ends and stored states are those without drafts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.decode.batch import Batch
from engine.decode.drafts import whole_buffers
from engine.decode.drafts.budget import DraftBudget
from engine.decode.drafts.drafter import Drafter
from engine.decode.drafts.whole_buffers import ROOM
from engine.memory.footprint import HEADROOM_BYTES
from engine.memory.machine import Machine
from engine.model.identity import WeightDigests
from engine.model.loader import load_model
from engine.protocol import messages as protocol
from engine.protocol.messages import Generate, LoadModel
from engine.protocol.sampling_settings import Sampling
from engine.server.generation import Generation
from tests.fakes import tiny_models
from tests.fakes.engine_life import Chat, Engine, wrote

PLAIN = Machine(clock=lambda: 0.0)
"""Steps of no time: nothing is drafted."""
LENGTH = 60
DRAWN = Sampling(temperature=0.8, seed=4, max_tokens=LENGTH)

Drafting = Callable[[Generate], tuple[Engine, Engine]]


@pytest.fixture(params=["qwen3_5", "lfm2", "llama"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Two hybrids, and attention alone."""
    return tiny_models.build(tmp_path / request.param, request.param)


def plain(home: Path, folder: Path, *commands: Generate) -> Engine:
    """A life without drafts, cold."""
    uncached = [replace(command, cached=False) for command in commands]
    return Engine(home / "plain", folder, machine=PLAIN).live(*uncached)


@pytest.fixture
def drafting(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Drafting:
    """Starts lives whose steps all take the same time, over one disk. Their drafts come from what the model answers to
    `command` without drafts, with some errors. That life is returned too.
    """

    def start(command: Generate) -> tuple[Engine, Engine]:
        seen: list[Drafter] = []

        def watched(tokens: Sequence[int]) -> Drafter:
            seen.append(Drafter(tokens))
            return seen[-1]

        monkeypatch.setattr("engine.decode.drafts.speculation.Drafter", watched)
        answered = plain(tmp_path, folder, command)
        hints = [(t + 1) % 250 if place % 19 == 2 else t for place, t in enumerate(seen[0]._tokens)]

        def hinted(tokens: Sequence[int]) -> Drafter:
            drafter = Drafter([*hints, *tokens])
            drafter.known = len(tokens)
            return drafter

        monkeypatch.setattr("engine.decode.drafts.speculation.Drafter", hinted)
        return Engine(tmp_path, folder, machine=Machine(clock=itertools.count().__next__)), answered

    return start


def assert_warm_equals_cold(home: Path, folder: Path, chat: Chat, more_than: int = LENGTH) -> None:
    """The next turn continues on the stored state, of more tokens than this, and answers as a cold engine does."""
    following = chat.ask("And then?", replace(DRAWN, max_tokens=12))
    warm = Engine(home, folder, machine=PLAIN).live(following)
    usage = warm.usage(following.request)
    assert usage.cached_from == "disk"
    assert usage.cached_tokens > more_than
    assert warm.text(following.request) == plain(home, folder, following).text(following.request)


@pytest.mark.parametrize(("names", "part"), [("a", 0.75), ("ab", 0.85)], ids=["alone", "beside another"])
def test_answers_with_drafts_are_those_without_and_are_stored(
    tmp_path: Path, folder: Path, drafting: Drafting, names: str, part: float
) -> None:
    """The same texts in far fewer steps, ended at the limit, of one chat and of two that ask at once. After a restart,
    the next turn is warm and right.
    """
    chats = [Chat(name) for name in names]
    asked = [chat.ask("Copy this.", DRAWN) for chat in chats]
    life, answered = drafting(asked[0])
    expected = answered.text("a1")
    life.live(*asked)
    for chat, command in zip(chats, asked, strict=True):
        assert life.text(command.request) == expected
        done = chat.hear(life, command)
        assert (done.reason, done.usage.completion_tokens) == ("length", LENGTH)
        assert sum(map(wrote(command.request, 0), life.events)) < LENGTH * part
    assert_warm_equals_cold(tmp_path, folder, chats[-1])


def test_memory_is_granted_for_whole_buffers(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a device whose drafts attend to whole buffers, an answer starts only if those fit into memory."""
    monkeypatch.setattr(whole_buffers, "prepares_each_length", lambda: True)
    asked = Chat("a").ask("Copy this.", DRAWN)
    layout = load_model(LoadModel(str(folder)), WeightDigests(tmp_path / "weights.json")).layout
    assert layout is not None
    need = HEADROOM_BYTES + ROOM * layout.footprint.token_bytes + layout.footprint.state_bytes
    reasons = list[str]()
    for free in (need, need - 1):
        machine = Machine(itertools.repeat(free).__next__, itertools.count().__next__)
        life = Engine(tmp_path / str(free), folder, machine=machine).live(asked, stores=0)
        reasons.append(life.finished("a1").reason)
    assert reasons == ["length", "failed"]


def test_no_draft_goes_beyond_the_context_limit(
    folder: Path, drafting: Drafting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer ends at the limit of the loaded model, and no token was fed beyond it."""
    first, reached = Chat("a").ask("Copy this.", DRAWN), list[int]()
    life, expected = drafting(first)
    drafted = Drafter.continuation

    def watched(self: Drafter, length: int) -> list[int]:
        draft = drafted(self, length)
        reached.append(self.known + len(draft))
        return draft

    monkeypatch.setattr(Drafter, "continuation", watched)
    limit = expected.usage("a1").prompt_tokens + 33
    life.first = protocol.LoadModel(str(folder), context_limit=limit)
    life.live(first)
    assert life.finished("a1").reason == "context"
    assert life.usage("a1").completion_tokens == 33
    assert expected.text("a1").startswith(life.text("a1"))
    assert limit - 16 < max(reached) <= limit


class Device:
    """A clock. A step takes a second, unless its token was computed while other work was waited for."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now, self.overlapped = 0.0, 0
        self._computed = False
        self._step, self._serve = Batch.step, Generation._serve_waiting
        patch.setattr(Batch, "step", lambda batch: self.step(batch))  # noqa: PLW0108 # a bound method gets no batch
        patch.setattr(Generation, "_serve_waiting", lambda served: self.serve(served))  # noqa: PLW0108 # as above

    def step(self, batch: Batch) -> object:
        self.now += 0.01 if self._computed else 1.0
        self.overlapped += self._computed
        self._computed = False
        return self._step(batch)

    def serve(self, generation: Generation) -> bool:
        self._computed = self._serve(generation)
        return self._computed


def test_a_step_is_measured_only_if_the_device_was_waited_for(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer is written while the prompts of others are prefilled: no step after a chunk counts as a fast one."""
    measured: list[float] = []
    device = Device(monkeypatch)
    monkeypatch.setattr(DraftBudget, "ordinary", lambda _, seconds: measured.append(seconds))
    others = iter([Chat(name).ask("word " * 120, replace(DRAWN, max_tokens=1)) for name in "bcd"])

    def then(event: protocol.Event) -> Generate | None:
        return next(others, None) if wrote("a1", 10)(event) else None

    Engine(tmp_path, folder, machine=Machine(clock=lambda: device.now)).live(Chat("a").ask("Hello.", DRAWN), then=then)
    assert device.overlapped > 3
    assert len(measured) > 10
    assert measured == pytest.approx([1.0] * len(measured))


def test_a_stop_sequence_inside_a_draft_ends_the_answer_there(tmp_path: Path, folder: Path, drafting: Drafting) -> None:
    """Neither the text nor the stored state has anything of the tokens accepted after it."""
    chat = Chat("a")
    first = chat.ask("Copy this.", DRAWN)
    text = plain(tmp_path, folder, first).text("a1")
    for at in (28, 31, 34):
        stop = text[at : at + 2]
        stopped = replace(first, request=f"a{at}", sampling=replace(DRAWN, stop=(stop,)))
        life, lone = drafting(stopped)
        life.live(stopped, stores=int(at == 28))  # later ones leave the same question, and no more
        assert life.text(stopped.request) == text[: text.index(stop)] == lone.text(stopped.request)
        assert life.finished(stopped.request).reason == "stop"
        assert life.usage(stopped.request).completion_tokens == lone.usage(stopped.request).completion_tokens
    chat.hear(life, stopped)
    assert_warm_equals_cold(tmp_path, folder, chat, more_than=0)
