"""Memory that the hot tier hands to an answer and gets back, through the real server."""

from __future__ import annotations

import gc
import pkgutil
from functools import partial
from pathlib import Path
from typing import Any
from weakref import ReferenceType, ref

import pytest

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import TurnStored
from engine.protocol.messages import ChatMessage, Deltas, Generate, TurnFinished
from engine.protocol.sampling_settings import Sampling
from engine.schedule.scheduler import Pace
from engine.schedule.sequence import Sequence
from engine.server.open_requests import OpenRequests
from tests.fakes import tiny_models
from tests.fakes.engine_life import GREEDY, Chat, Engine, at, own_tokens

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


def test_a_chat_is_in_memory_once(tmp_path: Path, llama: Path, opened: list[ReferenceType[Sequence]]) -> None:
    """While an answer is written in its memory, the hot tier does not count that memory. Afterwards the hot tier holds
    all of it, as one array of keys and one of values per layer, after any number of turns, and the logits after the
    newest prompt. The request and its caches are gone before the app hears that its state is on disk.
    """
    chat, life = Chat("c"), Engine(tmp_path, llama)
    lent, kept, left = set[int](), list[int](), list[Sequence | None]()

    def note(event: protocol.Event) -> None:
        hot = life.manager.hot
        if isinstance(event, Deltas) and chat.turns > 1:
            lent.add(hot.bytes)
        if isinstance(event, TurnStored):
            kept.append(hot.arrays)
            left.append(opened[-1]())

    later = [partial(chat.then, life, text) for text in TEXTS[1:]]
    life.play(lambda: chat.ask(TEXTS[0]), *later, on=note)
    assert kept == [2 * LAYERS + 1] * len(TEXTS)
    assert lent == {0}
    assert left == [None] * len(TEXTS)
    assert life.cold(chat.asked[-1]) == life.text(chat.asked[-1].request)


@pytest.mark.parametrize("family", ["qwen3_5", "llama"])
def test_chats_with_a_common_prefix_continue_side_by_side(tmp_path: Path, family: str) -> None:
    """The common prefix is in the memory of the chat that is being answered. The other chat prefills nothing again."""
    folder = tiny_models.build(tmp_path / family, family)
    chats = {name: Chat(name) for name in "ab"}
    life = Engine(tmp_path, folder)

    def go_on(event: protocol.Event) -> Generate | None:
        if not isinstance(event, TurnStored) or chats[event.conversation].turns == len(TEXTS):
            return None
        chat = chats[event.conversation]
        return chat.then(life, TEXTS[chat.turns])

    life.live(*(chat.ask(f"{TEXTS[0]} {name}") for name, chat in chats.items()), then=go_on)
    for chat in chats.values():
        last = chat.asked[-1]
        usage = life.usage(last.request)
        assert (usage.cached_from, usage.prefill_tokens) == ("hot", own_tokens(TEXTS[-1]))
        assert life.cold(last) == life.text(last.request)


@pytest.mark.parametrize("stage", ["restoring", "prefill", "decode"])
def test_a_stopped_answer_returns_its_memory(tmp_path: Path, llama: Path, stage: protocol.Phase) -> None:
    """In whatever phase it was stopped, the next answer starts from the end of the previous one, and is right."""
    chat, life = Chat("c"), Engine(tmp_path, llama)

    def stopped() -> Generate:
        chat.hear(life, chat.asked[0])
        return Generate("x", "c", (*chat.messages, ChatMessage("user", LONG)), GREEDY)

    cancel = life.once(at("x", stage), protocol.Cancel("x"))
    steps = (lambda: chat.ask(TEXTS[0]), stopped, lambda: chat.ask(TEXTS[1]))
    life.play(*steps, after=TurnFinished, on=cancel, stores=int(stage == "decode"))
    assert life.finished("x").reason == "cancelled"
    assert life.usage("c2").prefill_tokens == own_tokens(TEXTS[1])
    assert life.cold(chat.asked[-1]) == life.text("c2")


@pytest.mark.parametrize("work", ["engine.server.open_requests.codec.fill", "engine.server.generation.begin_chunk"])
def test_work_that_was_stopped_half_done_leaves_no_memory_behind(
    tmp_path: Path, llama: Path, monkeypatch: pytest.MonkeyPatch, opened: list[ReferenceType[Sequence]], work: str
) -> None:
    """The caches are freed with the end of the request. They do not wait for Python's garbage collector, which does not
    know how large they are.
    """
    monkeypatch.setattr(Pace, "has_time", lambda *_: False)
    chat = Chat("c")
    chat.turn(Engine(tmp_path, llama), TEXTS[0])
    life, stopped = Engine(tmp_path, llama), chat.ask(TEXTS[1])
    beside = Chat("o").ask(TEXTS[0], Sampling(temperature=0.0, max_tokens=40))
    begin = pkgutil.resolve_name(work)

    def stopping(*given: Any) -> Any:
        if len(opened) == 3:
            life.inbox.put(protocol.Cancel(stopped.request))
        return begin(*given)

    monkeypatch.setattr(work, stopping)
    life.play(lambda: beside, lambda: stopped, after=Deltas, stores=0)
    assert [sequence() for sequence in opened] == [None, None, None]
    ended = life.finished(stopped.request)
    assert (ended.reason, ended.usage.completion_tokens) == ("cancelled", 0)
