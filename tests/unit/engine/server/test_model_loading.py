"""Loading, replacing and refusing models, through the real server."""

from __future__ import annotations

import logging
import pkgutil
import queue
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mlx.core as mx
import pytest

from engine.memory.footprint import HEADROOM_BYTES
from engine.memory.machine import Machine
from engine.model import loader
from engine.model.identity import WeightDigests, weight_bytes
from engine.model.loader import LoadedModel
from engine.prompt.tokenization import tokenize_prompt
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import CacheSizes, ListCacheSizes
from engine.protocol.messages import Deltas, LoadModel, TurnFinished
from engine.server.model_loads import Arrivals, ModelLoads
from tests.fakes import tiny_models
from tests.fakes.engine_life import Chat, Engine, Start, both, of


def without_a_template(folder: Path) -> None:
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda folder: folder.joinpath("config.json").unlink(), "model_incomplete"),
        (lambda folder: folder.joinpath("config.json").write_text("[]"), "model_unreadable"),
        (lambda folder: folder.joinpath("config.json").write_text('{"model_type": "unheard_of"}'), "model_unsupported"),
        (lambda folder: folder.joinpath("model.safetensors").write_bytes(b"rubbish"), "model_incomplete"),
        (lambda folder: folder.joinpath("model.safetensors").unlink(), "model_unreadable"),
        (lambda folder: folder.joinpath("tokenizer.json").write_text("{"), "model_unreadable"),
        (lambda folder: folder.rename(folder.with_name("elsewhere")), "model_missing"),
        (without_a_template, "no_chat_template"),
    ],
)
def test_a_broken_model_folder_is_one_clear_error(tmp_path: Path, spoil: Callable[[Path], object], code: str) -> None:
    """Whatever is wrong with the files, the engine reports it in one event and continues. A base model, which has no
    chat template, cannot hold a conversation.
    """
    folder = tiny_models.build(tmp_path / "model")
    spoil(folder)
    life = Engine(tmp_path, folder).live()
    (failed,) = life.heard(protocol.ModelFailed)
    assert failed.code == code
    assert failed.message


def test_every_stage_of_a_load_is_reported_and_little_in_between(
    engine: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A load with thousands of portions does not fill the pipe."""
    now = [100.0]
    monkeypatch.setattr("engine.server.model_loads.time", SimpleNamespace(monotonic=lambda: now[0]))

    def load(_command: LoadModel, _digests: object, tell: Callable[[str, int, int], None]) -> LoadedModel:
        tell("building", 0, 0)
        for done in range(100):
            tell("reading", done, 100)
            now[0] += 0.01
        tell("hashing", 0, 100)
        raise OSError("the disk is gone")

    told = [e for e in engine(load=load).live().events if isinstance(e, protocol.LoadProgress)]
    stages = [("building", 0, 0), ("reading", 0, 100), ("reading", 50, 100), ("hashing", 0, 100)]
    assert [(e.stage, e.done, e.total) for e in told] == stages


def test_a_new_model_waits_for_running_answers(engine: Start, model_folder: Path) -> None:
    """Loading a model never cuts an answer off. Later requests wait for the new model."""
    life = engine()
    switch = life.once(of(Deltas), LoadModel(str(model_folder)))
    life.play(lambda: Chat("a").ask("Hello."), lambda: Chat("b").ask("Hi."), after=Deltas, on=switch)
    order = [type(e).__name__ for e in life.events if isinstance(e, protocol.ModelLoaded | TurnFinished)]
    assert order == ["ModelLoaded", "TurnFinished", "ModelLoaded", "TurnFinished"]


def one_model_only(home: Path, model: Path, load: Callable[..., LoadedModel]) -> Engine:
    """A life on a machine on which the old model must be released before each load. Answers always fit."""

    def free() -> int:
        begun = {e.request for e in life.heard(protocol.Progress)}
        ended = {e.request for e in life.heard(TurnFinished)}
        return 1 << 40 if begun - ended else HEADROOM_BYTES

    life = Engine(home, model, load=load, machine=Machine(free_bytes=free))
    return life


@pytest.mark.parametrize("spoil", [lambda folder: (folder / "config.json").write_text("[]"), without_a_template])
def test_if_two_models_do_not_fit_the_old_one_is_released_first(
    tmp_path: Path, model_folder: Path, caplog: pytest.LogCaptureFixture, spoil: Callable[[Path], object]
) -> None:
    """Its memory is free before the new one is loaded. If the new one is no model, or fails after its weights were
    read, the old one is loaded again and answers.
    """
    caplog.set_level(logging.CRITICAL)  # a recorded error would hold the model
    held: list[int] = []

    def watched(*arguments: Any) -> LoadedModel:
        held.append(mx.get_active_memory())
        return loader.load_model(*arguments)

    before = mx.get_active_memory()
    spoilt = tiny_models.build(tmp_path / "spoilt")
    spoil(spoilt)
    life = one_model_only(tmp_path, model_folder, watched)
    life.live(protocol.LoadModel(str(spoilt)), Chat("a").ask("Hello."), ends_on_failure=False)
    loads = [type(e).__name__ for e in life.events if isinstance(e, protocol.ModelLoaded | protocol.ModelFailed)]
    assert loads == ["ModelLoaded", "ModelFailed", "ModelLoaded"]
    assert life.finished("a1").reason == "length"
    assert all(size <= before + 1000 for size in held), "nothing of a model was there when another was read"


@pytest.mark.parametrize("machines", [1, 2])
def test_the_old_model_is_released_for_a_share_that_fits_then(tmp_path: Path, machines: int) -> None:
    """A model that would not fit even then is refused, and the old one stays."""
    weights = weight_bytes(folder := tiny_models.build(tmp_path / "large"), None)
    machine = Machine(free_bytes=lambda: HEADROOM_BYTES, count=machines)
    loads = ModelLoads(
        loader.load_model, WeightDigests(tmp_path / "w.json"), Arrivals(queue.SimpleQueue()), machine, print
    )
    old: Any = SimpleNamespace(weight_bytes=weights // 2 + 1)
    assert loads.must_go_first(old, 0, protocol.LoadModel(str(folder))) is (machines == 2)


@pytest.mark.parametrize("known", [1 << 30, 1 << 60])
def test_a_machine_that_has_the_files_elsewhere_counts_their_size(tmp_path: Path, known: int) -> None:
    """The leader names the folder as it is there. If no machine has the files, the load says so, beside the old one."""
    machine = Machine(free_bytes=lambda: HEADROOM_BYTES, count=2, agree=lambda _name, own: min(own, known))
    loads = ModelLoads(
        loader.load_model, WeightDigests(tmp_path / "w.json"), Arrivals(queue.SimpleQueue()), machine, print
    )
    old: Any = SimpleNamespace(weight_bytes=1 << 30)
    assert loads.must_go_first(old, 0, protocol.LoadModel(str(tmp_path / "there"))) is (known == 1 << 30)


@dataclass
class WatchedLoads:
    """Loads models. `alive` notes for each load whether the earlier models are still in memory."""

    alive: list[bool] = field(default_factory=list)
    _loaded: list[weakref.ref[Any]] = field(default_factory=list)

    def __call__(self, *arguments: Any) -> LoadedModel:
        self.alive += [model() is not None for model in self._loaded]
        model = loader.load_model(*arguments)
        self._loaded.append(weakref.ref(model.model))
        return model


@pytest.mark.parametrize("waits_for", ["engine.turn.prepare.tokenize_prompt", "engine.cache.manager.fetch"])
def test_a_chat_that_is_being_opened_keeps_no_old_model(
    tmp_path: Path, engine: Start, model_folder: Path, monkeypatch: pytest.MonkeyPatch, waits_for: str
) -> None:
    """Its tokens, or its lookup, are dropped when another model is loaded. The memory of the old model is free at once,
    and nothing of it becomes hot.
    """
    chat = Chat("c")
    chat.turn(engine(), "Hello.")
    loads = WatchedLoads()
    life = one_model_only(tmp_path, model_folder, loads)
    step: Callable[..., Any] = pkgutil.resolve_name(waits_for)

    def replacing(*arguments: Any) -> Any:
        life.inbox.put(LoadModel(str(model_folder)))
        return step(*arguments)

    monkeypatch.setattr(waits_for, replacing)
    asking = life.once(lambda _: len(life.heard(protocol.ModelLoaded)) == 2, ListCacheSizes())
    ending = life.once(of(CacheSizes), protocol.Shutdown())
    opening = protocol.Warm("c", tuple(chat.messages))
    life.live(opening, on=both(asking, ending), stores=9)
    assert not life.heard(protocol.Warmed)
    assert loads.alive == [False]
    assert life.manager.hot.bytes == 0


def test_a_prompt_at_the_tokenizer_keeps_no_old_model(
    tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two questions are cancelled, one while it is tokenized, one while it waits for that. Each ends once, as
    cancelled, and its tokens are ignored when they come. Another model is loaded: the memory of the old one is free at
    once, and the next question is answered.
    """
    cancelled, asked, after = threading.Event(), list[bool](), Chat("c").ask("Hello again.")

    def tokenize(*arguments: Any) -> Any:
        if not asked:
            asked.append(True)
            for command in (protocol.Cancel("a1"), protocol.Cancel("b1"), LoadModel(str(model_folder))):
                life.inbox.put(command)
        assert cancelled.wait(20)
        return tokenize_prompt(*arguments)

    def on(event: protocol.Event) -> None:
        if isinstance(event, TurnFinished) and event.request == "b1":
            cancelled.set()
        if isinstance(event, protocol.ModelLoaded) and asked:
            life.inbox.put(after)

    monkeypatch.setattr("engine.turn.prepare.tokenize_prompt", tokenize)
    loads = WatchedLoads()
    life = one_model_only(tmp_path, model_folder, loads)
    life.live(Chat("a").ask("Hello."), Chat("b").ask("Hi."), on=on, stores=1)
    ends = [(end.request, end.reason) for end in life.heard(TurnFinished)]
    assert sorted(ends) == [("a1", "cancelled"), ("b1", "cancelled"), ("c1", "length")]
    assert {event.request for event in life.heard(protocol.Progress)} == {"c1"}
    assert loads.alive == [False]


def tokenizers() -> set[threading.Thread]:
    """The tokenizer threads that run."""
    return {thread for thread in threading.enumerate() if thread.name.startswith("tokenizer")}


def test_a_model_that_has_answered_leaves_nothing_behind(tmp_path: Path, model_folder: Path) -> None:
    """Nothing that is remembered of its chats keeps its weights in memory when another model is loaded. Its tokenizer
    thread ends then, and that of the last one with the engine.
    """
    others, running, loads = tokenizers(), list[int](), WatchedLoads()

    def note(event: protocol.Event) -> None:
        if isinstance(event, protocol.ModelLoaded | TurnFinished):
            running.append(len(tokenizers() - others))

    life = one_model_only(tmp_path, model_folder, loads)
    life.live(Chat("a").ask("Hello."), LoadModel(str(model_folder)), Chat("b").ask("Hi."), on=note)
    assert loads.alive == [False]
    assert running == [0, 1, 0, 1]
    assert tokenizers() <= others
