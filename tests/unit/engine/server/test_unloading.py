"""Unloading, switching and cancelling loads, through the real server."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from msgspec.structs import replace

from engine.memory.footprint import HEADROOM_BYTES
from engine.memory.machine import Machine
from engine.model import loader
from engine.model.loader import LoadedModel, load_model
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import Memory, TurnStored
from engine.protocol.messages import LoadModel, ModelFailed, ModelLoaded, ModelUnloaded, TurnFinished
from tests.fakes import tiny_models
from tests.fakes.engine_life import Chat, Engine, both, of, wrote

NO_END = 1 << 30
"""More stored turns than any script waits for: the script itself ends the engine."""


def kinds(life: Engine) -> list[str]:
    """The loads and unloads of a life, in order."""
    return [type(e).__name__ for e in life.events if isinstance(e, ModelLoaded | ModelFailed | ModelUnloaded)]


def test_an_unloaded_model_leaves_no_memory_behind(tmp_path: Path, model_folder: Path) -> None:
    """The app knows from the start that a silent engine is busy with this load. When the model is unloaded, weights and
    caches in memory are free once the caches are on disk. The chat is warm when the model is loaded again.
    """
    before = mx.get_active_memory()
    chat = Chat("a")
    life = Engine(tmp_path, model_folder, load=load_model)

    def is_told(event: protocol.Event) -> bool:
        return isinstance(event, Memory) and "ModelUnloaded" in kinds(life) and len(life.heard(Memory)) > 4

    unloading = life.once(of(TurnFinished), protocol.UnloadModel())
    ending = life.once(is_told, protocol.Shutdown())
    life.live(chat.ask("Hello."), on=both(unloading, ending), stores=NO_END)
    assert life.events[0] == protocol.LoadProgress(str(model_folder), "checking")
    assert life.heard(ModelUnloaded) == [ModelUnloaded(str(model_folder), "", "")]
    last = life.heard(Memory)[-1]
    assert last.active_bytes <= before + 1000
    assert (last.hot_bytes, last.hot_conversations) == (0, 0)
    assert TurnStored("a") in life.events
    again = Engine(tmp_path, model_folder).live(chat.then(life, "Go on."))
    assert again.usage("a2").cached_from == "disk"


def test_a_model_that_fails_twice_in_a_row_is_unloaded(
    tmp_path: Path, model_folder: Path, fail_on: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    """Each failure is reported once. After the second the model is not called any more. Its weights are free before the
    app hears that it was unloaded.
    """
    caplog.set_level(logging.CRITICAL)  # a recorded error would hold the model
    before = mx.get_active_memory()
    fail_on("a", "b")
    life = Engine(tmp_path, model_folder, load=load_model)
    active: list[int] = []

    def on(event: protocol.Event) -> None:
        if isinstance(event, ModelUnloaded):
            active.append(mx.get_active_memory() + mx.get_cache_memory())

    life.live(*(Chat(name).ask("Hello.") for name in "abc"), stores=0, on=on)
    assert [life.finished(request).code for request in ("a1", "b1")] == ["row_failed", "row_failed"]
    assert [event.code for event in life.heard(ModelUnloaded)] == ["model_unstable"]
    assert life.finished("c1").code in {"model_unstable", "no_model"}
    assert [size <= before + 1000 for size in active] == [True]


def test_an_unload_waits_for_answers(tmp_path: Path, model_folder: Path) -> None:
    """No answer is cut off. Without a model there is nothing to unload."""
    life = Engine(tmp_path, model_folder)
    commands = protocol.UnloadModel(), protocol.UnloadModel()
    unloading = life.once(wrote("b1", 0), *commands)
    ending = life.once(lambda e: isinstance(e, ModelUnloaded) and not e.path, protocol.Shutdown())
    life.live(Chat("a").ask("Hello."), Chat("b").ask("Hi."), on=both(unloading, ending), stores=NO_END)
    assert (life.finished("a1").reason, life.finished("b1").reason) == ("length", "length")
    ends = [type(e).__name__ for e in life.events if isinstance(e, TurnFinished | ModelUnloaded)]
    assert ends == ["TurnFinished", "TurnFinished", "ModelUnloaded", "ModelUnloaded"]


def test_a_chat_stays_warm_with_each_model_that_answered_it(tmp_path: Path, model_folder: Path) -> None:
    """From model A to B and back to A: what A computed is restored, the words between are prefilled, and B's state is
    never used for A.
    """
    other = tiny_models.build(tmp_path / "lfm2", "lfm2")
    chat, used = Chat("a"), []
    for model in (model_folder, other, model_folder, other):
        life = Engine(tmp_path / "disk", model)
        used.append(chat.turn(life, f"Question {chat.turns}.").usage)
        assert chat.messages[-1].content == life.cold(chat.asked[-1])
    assert [usage.cached_from for usage in used] == ["none", "none", "disk", "disk"]
    assert used[2].cached_tokens >= used[0].prompt_tokens
    assert used[3].cached_tokens >= used[1].prompt_tokens


def cancelling(life: Engine, stage: str) -> Callable[..., LoadedModel]:
    """Loads models. In `stage` of the second load, the app cancels it and asks for a sign of life."""

    def load(command: LoadModel, digests: Any, tell: Any) -> LoadedModel:
        def watched(at: Any, done: int, total: int) -> None:
            if at == stage and kinds(life) == ["ModelLoaded"]:
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
    ending = life.once(of(protocol.Pong), protocol.Shutdown())
    life.live(LoadModel(str(other)), on=ending, stores=NO_END, ends_on_failure=False)
    (failed,) = life.heard(ModelFailed)
    assert (failed.path, failed.code) == (str(other), "load_cancelled")
    assert kinds(life) == ["ModelLoaded", "ModelFailed"] + ["ModelLoaded"] * (room == "after")
    assert life.events[-1] == protocol.Pong()


def test_a_load_that_waits_for_answers_can_be_cancelled(tmp_path: Path, model_folder: Path) -> None:
    """It never begins, and the answers continue."""
    life = Engine(tmp_path, model_folder)
    cancelled = life.once(of(protocol.Deltas), LoadModel(str(tmp_path / "nowhere")), protocol.CancelLoad())
    life.live(Chat("a").ask("Hello."), on=cancelled, ends_on_failure=False)
    assert [e.code for e in life.heard(ModelFailed)] == ["load_cancelled"]
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
    ending = first.once(lambda _: len(kinds(first)) == 3, protocol.Shutdown())
    first.live(*wanted, on=ending, stores=NO_END, ends_on_failure=False)
    assert kinds(first) == ["ModelLoaded", "ModelFailed", "ModelLoaded"]
    assert [e.code for e in first.heard(ModelFailed)] == ["model_too_large"]
    monkeypatch.setattr(loader, "total_bytes", lambda: 10**5)
    second = Engine(tmp_path, model_folder, load=load_model).live(LoadModel(str(other), anyway=True))
    failed = second.heard(ModelFailed)[0]
    assert failed.code == "model_beyond_machine"
    assert failed.message.endswith("and this machine has 0 MB of memory.")


def test_the_smaller_context_limit_holds(tmp_path: Path, model_folder: Path) -> None:
    """The user can lower a model's limit, and not raise it. The state of the chat is the same with any limit."""
    chat = Chat("a")
    chat.turn(Engine(tmp_path, model_folder), "Hello.")
    follow = chat.ask("A much longer question than all that came before it, so that it needs room.")
    loads = [LoadModel(str(model_folder), context_limit=limit) for limit in (0, 10_000, 100)]
    life = Engine(tmp_path, model_folder, first=loads[0])
    life.live(*(command for load in loads[1:] for command in (load, replace(follow, request=f"{load.context_limit}"))))
    assert [event.context_limit for event in life.heard(ModelLoaded)] == [4096, 4096, 100]
    assert life.usage("10000").cached_tokens > 0
    assert life.finished("100").code == "context_full"
    assert "tokens; this model reads 100 at most" in life.finished("100").message
