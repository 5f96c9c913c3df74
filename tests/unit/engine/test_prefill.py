"""Reading a long message, and being stopped in the middle of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine.cache import segment
from engine.cache.manager import CacheManager
from engine.protocol import Cancel, Generate, Progress
from tests.fakes.engine_life import SYSTEM, Chat, Engine, own_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from engine import protocol

STRIDE = 256
LONG = "word " * (3 * STRIDE // 5)


@pytest.fixture(autouse=True)
def _short_stride(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that is long for a tiny model."""
    monkeypatch.setattr(segment, "STRIDE", STRIDE)


def stopped(home: Path, model: Path, command: Generate, tokens: int) -> Engine:
    """A life in which the request is cancelled as soon as `tokens` of it are read."""
    life = Engine(home, model)

    def stop(event: protocol.Event) -> None:
        if isinstance(event, Progress) and event.phase == "prefill" and event.done >= tokens:
            life.inbox.put(Cancel(command.request))

    return life.live(command, on=stop)


def states(home: Path) -> int:
    return len(list((home / "segments").glob("??/*.state.safetensors")))


def test_a_cancelled_prefill_goes_on_at_the_last_inner_bound(tmp_path: Path, model_folder: Path) -> None:
    """Stopped while a long message is read and asked again, even by a new engine: only what comes after the last bound
    is read; once the turn is done, its end is the only checkpoint left of it on disk."""
    chat = Chat("c")
    command = chat.ask(LONG)
    done = stopped(tmp_path, model_folder, command, 2 * STRIDE).finished(command.request)
    assert done.reason == "cancelled"
    assert states(tmp_path) == 2, "the shared start's and that of the last bound that was crossed"
    again = Generate("c2", "c", command.messages, command.sampling)
    life = Engine(tmp_path, model_folder).live(again)
    usage = life.finished("c2").usage
    shared = usage.cached_tokens - 2 * STRIDE
    assert len(SYSTEM.content) < shared < len(SYSTEM.content) + 30
    assert usage.cached_from == "disk"
    assert usage.prefill_tokens < STRIDE + STRIDE // 2
    assert states(tmp_path) == 2, "the shared start's and the reply's"
    cold = Engine(tmp_path / "cold", model_folder)
    cold.home.mkdir()
    assert life.text("c2") == cold.live(Generate("x", "x", command.messages, command.sampling, cached=False)).text("x")


def test_a_long_message_costs_the_next_turn_nothing(tmp_path: Path, model_folder: Path) -> None:
    """The pieces of a long message are found again under the same names; the next turn reads only itself."""
    chat = Chat("c")
    first = chat.ask(LONG)
    chat.hear(Engine(tmp_path, model_folder).live(first), first)
    second = chat.ask("And now?")
    usage = Engine(tmp_path, model_folder).live(second).finished(second.request).usage
    assert (usage.cached_from, usage.miss_cause) == ("disk", "")
    assert usage.prefill_tokens == own_tokens("And now?")


def test_of_a_long_message_one_inner_state_is_held_at_a_time(
    tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the message, each bound that is crossed gives up the state of the one before it, and the end of the
    message that of the last: keys and values are all there."""
    inner: list[list[bool]] = []
    commit = CacheManager.commit

    def told(self: CacheManager, *given: Any) -> None:
        checkpoints = given[2]
        assert all("kv" in c.records for c in checkpoints)
        inner.append(["state" in c.records for c in checkpoints if c.segment.inner])
        commit(self, *given)

    monkeypatch.setattr(CacheManager, "commit", told)
    stopped(tmp_path, model_folder, Chat("a").ask(LONG), 2 * STRIDE)
    Engine(tmp_path, model_folder).live(Chat("b").ask(f"Or: {LONG}"))
    assert inner == [[False, True], [False, False, False]]
