"""Memory that the hot tier hands to an answer and gets back, through the real server."""

from __future__ import annotations

import gc
import pkgutil
from typing import TYPE_CHECKING, Any
from weakref import ReferenceType, ref

import pytest
from msgspec.structs import replace

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import TurnStored
from engine.protocol.messages import ChatMessage, Deltas, Generate, TurnFinished
from engine.protocol.sampling_settings import Sampling
from engine.schedule.scheduler import Pace
from engine.schedule.sequence import Sequence
from engine.server.open_requests import OpenRequests
from tests.fakes import tiny_models
from tests.fakes.engine_life import GREEDY, Chat, Engine, own_tokens

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ["Hello there.", "Go on, please.", "And what then?", "Tell me the end."]
LAYERS = 2
LONG = "word " * 120


@pytest.fixture
def llama(tmp_path: Path) -> Path:
    """A tiny model with keys and values only."""
    return tiny_models.build(tmp_path / "llama", "llama")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[ReferenceType[Sequence]]:
    """The sequences of all requests. Python collects no garbage during a test."""
    held, admit = list[ReferenceType[Sequence]](), OpenRequests.open

    def noting(requests: OpenRequests, command: Generate, now: float) -> Sequence:
        sequence = admit(requests, command, now)
        assert sequence is not None, "its name is free"
        held.append(ref(sequence))
        return sequence

    monkeypatch.setattr(OpenRequests, "open", noting)
    assert not gc.isenabled(), "the tests collect between tests only"
    return held


def test_a_chat_is_in_memory_once(tmp_path: Path, llama: Path) -> None:
    """While an answer is written in its memory, the hot tier does not count that memory. Afterwards the hot tier holds
    all of it, as one array of keys and one of values per layer, after any number of turns, and the logits after the
    newest prompt.
    """
    chat, life = Chat("c"), Engine(tmp_path, llama)
    command = first = chat.ask(TEXTS[0])
    lent, kept = [], []

    def go_on(event: protocol.Event) -> Generate | None:
        nonlocal command
        hot = life.manager.hot
        if isinstance(event, Deltas) and command is not first:
            lent.append(hot.bytes)
        if not isinstance(event, TurnStored):
            return None
        kept.append(hot.arrays)
        chat.hear(life, command)
        if chat.turns == len(TEXTS):
            return None
        command = chat.ask(TEXTS[chat.turns])
        return command

    life.live(first, then=go_on)
    assert kept == [2 * LAYERS + 1] * len(TEXTS)
    assert set(lent) == {0}
    cold = Engine(tmp_path, llama).live(replace(command, cached=False))
    assert cold.text(command.request) == life.text(command.request)


@pytest.mark.parametrize("family", ["qwen3_5", "llama"])
def test_chats_with_a_common_prefix_continue_side_by_side(tmp_path: Path, family: str) -> None:
    """The common prefix is in the memory of the chat that is being answered. The other chat prefills nothing again."""
    folder = tiny_models.build(tmp_path / family, family)
    chats = {name: Chat(name) for name in "ab"}
    life, asked = Engine(tmp_path, folder), {name: chat.ask(f"{TEXTS[0]} {name}") for name, chat in chats.items()}

    def go_on(event: protocol.Event) -> Generate | None:
        if not isinstance(event, TurnStored) or chats[event.conversation].turns == len(TEXTS):
            return None
        chat = chats[event.conversation]
        chat.hear(life, asked[chat.name])
        asked[chat.name] = chat.ask(TEXTS[chat.turns])
        return asked[chat.name]

    life.live(*asked.values(), then=go_on)
    for name, command in asked.items():
        usage = life.finished(command.request).usage
        assert (usage.cached_from, usage.prefill_tokens) == ("hot", own_tokens(TEXTS[-1]))
        cold = Engine(tmp_path, folder).live(replace(command, request=f"cold-{name}", cached=False))
        assert cold.text(f"cold-{name}") == life.text(command.request)


@pytest.mark.parametrize("stage", ["restoring", "prefill", "decode"])
def test_a_stopped_answer_returns_its_memory(tmp_path: Path, llama: Path, stage: str) -> None:
    """In whatever phase it was stopped, the next answer starts from the end of the previous one, and is right."""
    chat, life = Chat("c"), Engine(tmp_path, llama)
    first = chat.ask(TEXTS[0])
    stopped = None

    def go_on(event: protocol.Event) -> Generate | None:
        nonlocal stopped
        if isinstance(event, TurnFinished) and event.request == first.request:
            chat.hear(life, first)
            stopped = Generate("x", "c", (*chat.messages, ChatMessage("user", LONG)), GREEDY)
            return stopped
        if isinstance(event, protocol.Progress) and event.request == "x" and event.phase == stage:
            life.inbox.put(protocol.Cancel("x"))
        if isinstance(event, TurnFinished) and event.request == "x":
            return chat.ask(TEXTS[1])
        return None

    life.live(first, then=go_on, stores=int(stage == "decode"))
    assert life.finished("x").reason == "cancelled"
    usage = life.finished("c2").usage
    assert usage.prefill_tokens == own_tokens(TEXTS[1])
    cold = Engine(tmp_path, llama).live(Generate("c2", "c", tuple(chat.messages), GREEDY, cached=False))
    assert cold.text("c2") == life.text("c2")


@pytest.mark.parametrize("work", ["engine.server.open_requests.codec.fill", "engine.server.generation.begin_chunk"])
def test_work_that_was_stopped_half_done_leaves_no_memory_behind(
    tmp_path: Path, llama: Path, monkeypatch: pytest.MonkeyPatch, opened: list[ReferenceType[Sequence]], work: str
) -> None:
    """The caches are freed with the end of the request. They do not wait for Python's garbage collector, which does not
    know how large they are.
    """
    monkeypatch.setattr(Pace, "has_time", lambda *_: False)
    chat = Chat("c")
    first = chat.ask(TEXTS[0])
    chat.hear(Engine(tmp_path, llama).live(first), first)
    life, stopped = Engine(tmp_path, llama), chat.ask(TEXTS[1])
    beside = Chat("o").ask(TEXTS[0], Sampling(temperature=0.0, max_tokens=40))
    begin, asked = pkgutil.resolve_name(work), [stopped]

    def stopping(*given: Any) -> Any:
        if not asked:
            life.inbox.put(protocol.Cancel(stopped.request))
        return begin(*given)

    monkeypatch.setattr(work, stopping)
    life.live(beside, then=lambda event: asked.pop() if asked and isinstance(event, Deltas) else None, stores=0)
    assert [sequence() for sequence in opened] == [None, None, None]
    ended = life.finished(stopped.request)
    assert (ended.reason, ended.usage.completion_tokens) == ("cancelled", 0)


def test_a_state_that_waits_for_the_disk_holds_no_caches(
    tmp_path: Path, llama: Path, opened: list[ReferenceType[Sequence]]
) -> None:
    """The request and its caches are gone before the app hears that its state is on disk."""
    life, left = Engine(tmp_path, llama), list[Sequence | None]()

    def on(event: protocol.Event) -> None:
        if isinstance(event, TurnStored):
            left.extend(sequence() for sequence in opened)

    life.live(Chat("c").ask(TEXTS[0]), on=on)
    assert left == [None]


def test_an_heir_never_writes_into_returned_memory(tmp_path: Path, llama: Path) -> None:
    """If the first of two alternatives is stopped during the prefill, the hot tier and the second one get its caches.
    What the second one writes does not change what the hot tier holds.
    """
    drawn = Sampling(temperature=1.0, seed=5, max_tokens=8)
    long = Chat("a").ask(LONG, drawn)
    alone = Engine(tmp_path, llama).live(replace(long, cached=False, sampling=replace(drawn, seed=6))).text("a1")
    life = Engine(tmp_path, llama)

    def stop(event: protocol.Event) -> None:
        if isinstance(event, protocol.Progress) and event.request == "a1" and event.done > 0:
            life.inbox.put(protocol.Cancel("a1"))

    life.live(replace(long, alternatives=("b1",)), on=stop, stores=1)
    assert life.text("b1") == alone
