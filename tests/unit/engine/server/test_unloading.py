"""Unloading, switching and cancelling loads, through the real server."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest

from engine.memory.footprint import HEADROOM_BYTES
from engine.memory.machine import Machine
from engine.model import loader
from engine.model.identity import weight_bytes
from engine.model.loader import load_model
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import Memory, TurnStored
from engine.protocol.messages import LoadModel, ModelFailed, ModelLoaded, ModelUnloaded, TurnFinished
from tests.fakes import tiny_models
from tests.fakes.engine_life import Chat, Engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine.model.loader import LoadedModel

NO_END = 1 << 30
"""More stored turns than any script waits for: the script itself ends the engine."""


def end_after(life: Engine, last: Callable[[protocol.Event], bool]) -> Callable[[protocol.Event], None]:
    """Ends the engine once `last` is true for an event."""

    def on(event: protocol.Event) -> None:
        if last(event):
            life.inbox.put(protocol.Shutdown())

    return on


def kinds(life: Engine) -> list[str]:
    """The loads and unloads of a life, in order."""
    return [type(e).__name__ for e in life.events if isinstance(e, ModelLoaded | ModelFailed | ModelUnloaded)]


def test_an_unloaded_model_leaves_no_memory_behind(tmp_path: Path, model_folder: Path) -> None:
    """Weights and caches in memory are free once the caches are on disk. The chat is warm when the model is loaded
    again.
    """
    before = mx.get_active_memory()
    chat = Chat("a")
    first = chat.ask("Hello.")
    life = Engine(tmp_path, model_folder, load=load_model)

    def on(event: protocol.Event) -> None:
        if isinstance(event, TurnFinished):
            life.inbox.put(protocol.UnloadModel())
        memory = [e for e in life.events if isinstance(e, Memory)]
        if isinstance(event, Memory) and "ModelUnloaded" in kinds(life) and len(memory) > 3:
            life.inbox.put(protocol.Shutdown())

    life.live(first, on=on, stores=NO_END)
    assert [e for e in life.events if isinstance(e, ModelUnloaded)] == [ModelUnloaded(str(model_folder), "", "")]
    last = [e for e in life.events if isinstance(e, Memory)][-1]
    assert last.active_bytes <= before + 1000
    assert (last.hot_bytes, last.hot_conversations) == (0, 0)
    assert TurnStored("a") in life.events
    chat.hear(life, first)
    again = Engine(tmp_path, model_folder)
    second = chat.ask("Go on.")
    again.live(second)
    assert again.finished(second.request).usage.cached_from == "disk"


def test_a_model_that_keeps_failing_leaves_no_memory_behind(
    tmp_path: Path, model_folder: Path, fail_on: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    """Its weights are free before the app hears that it was unloaded."""
    caplog.set_level(logging.CRITICAL)  # a recorded error would hold the model
    before = mx.get_active_memory()
    fail_on("a", "b")
    life = Engine(tmp_path, model_folder, load=load_model)
    active: list[int] = []

    def on(event: protocol.Event) -> None:
        if isinstance(event, ModelUnloaded):
            active.append(mx.get_active_memory() + mx.get_cache_memory())

    life.live(*(Chat(name).ask("Hello.") for name in ("a", "b")), stores=0, on=on)
    assert [size <= before + 1000 for size in active] == [True]


def test_an_unload_waits_for_answers_and_ends_paused_ones(tmp_path: Path, model_folder: Path) -> None:
    """No answer is cut off. A paused one keeps its words and counts as stopped. Without a model there is nothing to
    unload.
    """
    life = Engine(tmp_path, model_folder)
    paused: list[str] = []

    def on(event: protocol.Event) -> None:
        begun = isinstance(event, protocol.Deltas) and "b1" in {row.request for row in event.rows}
        if begun and not paused:
            paused.append("b1")
            for command in (protocol.Pause("b1"), protocol.UnloadModel(), protocol.UnloadModel()):
                life.inbox.put(command)
        if isinstance(event, ModelUnloaded) and not event.path:
            life.inbox.put(protocol.Shutdown())

    life.live(Chat("a").ask("Hello."), Chat("b").ask("Hi."), on=on, stores=NO_END)
    assert (life.finished("a1").reason, life.finished("b1").reason) == ("length", "cancelled")
    ends = [e for e in life.events if isinstance(e, TurnFinished | ModelUnloaded)]
    assert [type(e).__name__ for e in ends] == ["TurnFinished", "TurnFinished", "ModelUnloaded", "ModelUnloaded"]


def test_a_chat_stays_warm_with_each_model_that_answered_it(tmp_path: Path, model_folder: Path) -> None:
    """From model A to B and back to A: what A computed is restored, the words between are prefilled, and B's state is
    never used for A.
    """
    other = tiny_models.build(tmp_path / "lfm2", "lfm2")
    chat, used = Chat("a"), []
    for model in (model_folder, other, model_folder, other):
        life = Engine(tmp_path / "disk", model)
        asked = chat.ask(f"Question {chat.turns}.")
        chat.hear(life.live(asked), asked)
        cold = Engine(tmp_path / f"cold{chat.turns}", model).live(asked)
        assert life.text(asked.request) == cold.text(asked.request)
        used.append(life.finished(asked.request).usage)
    assert [usage.cached_from for usage in used] == ["none", "none", "disk", "disk"]
    assert used[2].cached_tokens >= used[0].prompt_tokens
    assert used[3].cached_tokens >= used[1].prompt_tokens


class SmallMachine:
    """A machine with room for one of two models. `most` is the memory that models took at the same time."""

    def __init__(self, *folders: Path) -> None:
        sizes = [weight_bytes(folder) for folder in folders]
        self._others = mx.get_active_memory()
        self.room = max(sizes) + min(sizes) // 2
        mx.reset_peak_memory()

    @property
    def machine(self) -> Machine:
        return Machine(lambda: self.room + HEADROOM_BYTES - (mx.get_active_memory() - self._others))

    @property
    def most(self) -> int:
        return mx.get_peak_memory() - self._others


def large(folder: Path) -> Path:
    """A model whose weights are much larger than what its probes compute: each token needs one of its many experts."""
    text = tiny_models.CONFIGS["llama4"]["text_config"]
    return tiny_models.build(folder, "llama4", text_config=text | {"num_local_experts": 1024})


def test_a_small_machine_never_holds_two_models(tmp_path: Path) -> None:
    """The old model is released before the new one is loaded. A control shows that a machine with room holds both."""
    one, two = large(tmp_path / "one"), large(tmp_path / "two")
    small = SmallMachine(one, two)
    life = Engine(tmp_path, one, load=load_model, machine=small.machine)
    life.live(LoadModel(str(two)), on=end_after(life, lambda _: kinds(life) == ["ModelLoaded"] * 2), stores=NO_END)
    assert small.most < small.room
    roomy = SmallMachine(one, two)
    life = Engine(tmp_path, one, load=load_model)
    life.live(LoadModel(str(two)), on=end_after(life, lambda _: kinds(life) == ["ModelLoaded"] * 2), stores=NO_END)
    assert roomy.most > roomy.room


def test_the_old_model_returns_to_a_small_machine(tmp_path: Path) -> None:
    """If the new model fails after its weights were read, the old one is loaded again and answers."""
    one, two = large(tmp_path / "one"), large(tmp_path / "two")
    (two / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')
    small = SmallMachine(one, two)
    life = Engine(tmp_path, one, load=load_model, machine=small.machine)

    def on(event: protocol.Event) -> None:
        if isinstance(event, ModelLoaded) and kinds(life) == ["ModelLoaded", "ModelFailed", "ModelLoaded"]:
            small.room = 1 << 40  # for the answer
            life.inbox.put(Chat("a").ask("Hello."))
        if isinstance(event, TurnFinished):
            life.inbox.put(protocol.Shutdown())

    life.live(LoadModel(str(two)), on=on, stores=NO_END, ends_on_failure=False)
    assert kinds(life) == ["ModelLoaded", "ModelFailed", "ModelLoaded"]
    assert life.finished("a1").reason == "length"


def cancelling(life: Engine, stage: str) -> Callable[..., LoadedModel]:
    """Loads models. In `stage` of the second load, the app cancels it and asks for a sign of life."""
    begun: list[str] = []

    def load(command: LoadModel, digests: Any, tell: Any) -> LoadedModel:
        begun.append(command.path)

        def watched(at: Any, done: int, total: int) -> None:
            if at == stage and len(begun) == 2:
                life.inbox.put(protocol.CancelLoad())
                life.inbox.put(protocol.Ping())
            tell(at, done, total)

        return loader.load_model(command, digests, watched)

    return load


@pytest.mark.sweep(2)
@pytest.mark.parametrize("stage", ["checking", "reading", "rendering"])
@pytest.mark.parametrize("room", ["beside", "after"])
def test_a_cancelled_load_leaves_the_former_model(tmp_path: Path, model_folder: Path, stage: str, room: str) -> None:
    """The engine drops what was loaded so far and continues with the former model. Commands that arrived meanwhile are
    executed in their order.
    """
    other = tiny_models.build(tmp_path / "other", "llama")
    machine = Machine(lambda: 1 << 40 if room == "beside" else HEADROOM_BYTES)
    life = Engine(tmp_path, model_folder, machine=machine)
    life.load = cancelling(life, stage)
    life.live(
        LoadModel(str(other)),
        on=end_after(life, lambda e: isinstance(e, protocol.Pong)),
        stores=NO_END,
        ends_on_failure=False,
    )
    (failed,) = [e for e in life.events if isinstance(e, ModelFailed)]
    assert (failed.path, failed.code) == (str(other), "load_cancelled")
    assert kinds(life) == ["ModelLoaded", "ModelFailed"] + ["ModelLoaded"] * (room == "after")
    assert life.events[-1] == protocol.Pong()


def test_a_load_that_waits_for_answers_can_be_cancelled(tmp_path: Path, model_folder: Path) -> None:
    """It never begins, and the answers continue."""
    life = Engine(tmp_path, model_folder)
    asked: list[bool] = []

    def on(event: protocol.Event) -> None:
        if isinstance(event, protocol.Deltas) and not asked:
            asked.append(True)
            life.inbox.put(LoadModel(str(tmp_path / "nowhere")))
            life.inbox.put(protocol.CancelLoad())

    life.live(Chat("a").ask("Hello."), on=on, ends_on_failure=False)
    assert [e.code for e in life.events if isinstance(e, ModelFailed)] == ["load_cancelled"]
    assert life.finished("a1").reason == "length"


def test_a_model_that_does_not_fit_is_loaded_if_the_user_insists(
    tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of free memory is skipped, and the former model goes first. A model larger than the machine is refused
    all the same.
    """
    other = tiny_models.build(tmp_path / "other", "llama")
    first = Engine(tmp_path, model_folder, load=load_model, machine=Machine(lambda: 0))
    monkeypatch.setattr(loader, "free_bytes", lambda: 10**6 if "ModelLoaded" in kinds(first) else 1 << 40)
    wanted = [LoadModel(str(other)), LoadModel(str(other), anyway=True)]
    first.live(*wanted, on=end_after(first, lambda _: len(kinds(first)) == 3), stores=NO_END, ends_on_failure=False)
    assert kinds(first) == ["ModelLoaded", "ModelFailed", "ModelLoaded"]
    assert [e.code for e in first.events if isinstance(e, ModelFailed)] == ["model_too_large"]
    monkeypatch.setattr(loader, "total_bytes", lambda: 10**5)
    second = Engine(tmp_path, model_folder, load=load_model).live(LoadModel(str(other), anyway=True))
    (failed,) = [e for e in second.events if isinstance(e, ModelFailed)][:1]
    assert failed.code == "model_beyond_machine"
    assert failed.message.endswith("and this machine has 0 MB of memory.")


@pytest.mark.parametrize(("wanted", "limit"), [(0, 4096), (100, 100), (10_000, 4096)])
def test_the_smaller_context_limit_holds(tmp_path: Path, model_folder: Path, wanted: int, limit: int) -> None:
    """The user can lower a model's limit, and not raise it. The state of the chat is the same with any limit."""
    chat = Chat("a")
    asked = chat.ask("Hello.")
    chat.hear(Engine(tmp_path, model_folder).live(asked), asked)
    life = Engine(tmp_path, model_folder)
    follow = chat.ask("A much longer question than all that came before it, so that it needs room.")

    def on(event: protocol.Event) -> None:
        if isinstance(event, ModelLoaded) and kinds(life) == ["ModelLoaded"] * 2:
            life.inbox.put(follow)

    life.live(LoadModel(str(model_folder), context_limit=wanted), on=on, stores=1)
    loaded = [e for e in life.events if isinstance(e, ModelLoaded)][-1]
    assert loaded.context_limit == limit
    done = life.finished(follow.request)
    assert done.code == "context_full" if limit == 100 else done.usage.cached_tokens > 0
