"""Answers written together, through the real server: batches, alternatives, limits of memory and context."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mlx.core as mx
import pytest
from msgspec.structs import replace

from engine.decode import prefill
from engine.decode.last_logits import LastLogits
from engine.memory.machine import Machine
from engine.prompt.chat_template import Rendered
from engine.prompt.tokenization import PromptTokens, tokenize_prompt
from engine.protocol import messages as protocol
from engine.protocol.messages import ChatMessage, Deltas, Generate, TurnFinished
from engine.protocol.sampling_settings import Sampling
from engine.schedule import scheduler
from engine.schedule.scheduler import Pace
from engine.schedule.sequence import Sequence
from engine.server import generation
from engine.turn import prepare
from tests.fakes import tiny_models
from tests.fakes.engine_life import Chat, Engine, Start, at


def test_more_chats_than_rows_wait_their_turn(engine: Start) -> None:
    """Chats of unequal lengths share a batch. The ninth is shown as queued. They answer as they do alone."""
    long = Sampling(temperature=0.0, max_tokens=60)
    commands = [Chat(f"r{index}-").ask(f"Chat {index}." * (1 + 3 * index), long) for index in range(9)]
    life = engine().live(*commands)
    assert {life.finished(c.request).reason for c in commands} == {"length"}
    assert 2 <= max(len(e.rows) for e in life.heard(Deltas)) <= 8
    late = [e.phase for e in life.heard(protocol.Progress) if e.request == commands[-1].request]
    assert (late[0], late[-1]) == ("restoring", "decode")
    assert "queued" in late
    assert [life.text(c.request) for c in commands[::4]] == [life.cold(c) for c in commands[::4]]


def test_rows_decode_while_a_long_prompt_is_tokenized(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tokenizer has a thread of its own: here it does not return before the other row has emitted three tokens."""
    written = threading.Event()
    long, other = Chat("l").ask("word " * 60), Chat("o").ask("Hello.", Sampling(temperature=0.0, max_tokens=60))

    def slowly(rendered: Rendered, *others: Any) -> PromptTokens:
        if "word" in rendered.text:
            assert written.wait(20), "no row decoded meanwhile"
        return tokenize_prompt(rendered, *others)

    life = engine()
    with monkeypatch.context() as patch:
        patch.setattr(prepare, "tokenize_prompt", slowly)
        life.play(
            lambda: other,
            lambda: long,
            after=Deltas,
            on=lambda _: written.set() if len(life.heard(Deltas)) == 4 else None,
        )
    assert life.text(long.request) == life.cold(long)


def test_spare_buffers_are_freed_at_once_only_if_no_row_decodes(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Meanwhile MLX keeps no more of them than its limit allows."""
    decoding, freed = set[str](), list[set[str]]()
    noted = SimpleNamespace(clear_cache=lambda: freed.append(set(decoding)))
    monkeypatch.setattr("engine.server.open_requests.mx", noted)
    long = Chat("a").ask("Hello.", Sampling(temperature=0.0, max_tokens=4000))
    short = Chat("b").ask("Hi.")
    life = engine()

    def heard(event: protocol.Event) -> None:
        if isinstance(event, protocol.Progress) and event.phase == "decode":
            decoding.add(event.request)
        if isinstance(event, TurnFinished):
            decoding.discard(event.request)
        if isinstance(event, TurnFinished) and event.request == short.request:
            life.inbox.put(protocol.Cancel(long.request))

    life.play(lambda: long, lambda: short, after=Deltas, on=heard)
    assert [life.finished(c.request).reason for c in (short, long)] == ["length", "cancelled"]
    assert freed == [set(), set()], "before the first join, and after the last row has left"
    limit = mx.set_cache_limit(generation.MOST_SPARE_BYTES)
    assert limit == generation.MOST_SPARE_BYTES


def test_alternatives_share_one_prefill_and_each_draws_its_own(engine: Start) -> None:
    """Three alternatives equal the answers that the same seeds give one by one; their prompt is prefilled once."""
    drawn = Sampling(temperature=1.0, seed=5, max_tokens=16)
    wish = Chat("a").ask("say something", drawn)
    many = engine().live(replace(wish, alternatives=("b1", "c1")))
    singles = [many.cold(replace(wish, sampling=replace(drawn, seed=5 + n))) for n in range(3)]
    assert [many.text(r) for r in ("a1", "b1", "c1")] == singles
    assert len(set(singles)) == 3
    assert {e.request for e in many.heard(protocol.Progress) if e.phase == "prefill"} == {"a1"}


PREFILL: list[tuple[protocol.Phase, float]] = [("prefill", 0), ("prefill", 0.1), ("prefill", 1)]


@pytest.mark.parametrize(
    ("family", "moments"),
    [("qwen3_5", [("queued", 0), ("restoring", 0), *PREFILL]), ("llama", PREFILL[1:2])],
    ids=["at once, restored, before, within and after", "within, in growing caches"],
)
def test_an_alternative_outlives_its_leader(
    tmp_path: Path, family: str, moments: list[tuple[protocol.Phase, float]]
) -> None:
    """If the first of three alternatives is cancelled before or during the prefill or right after it, and the third
    too, the second one is still answered, and right: the hot tier and the second one have the caches of the first.
    """
    drawn = Sampling(temperature=1.0, seed=5, max_tokens=8)
    long, folder = Chat("a").ask("word " * 120, drawn), tiny_models.build(tmp_path / "model", family)
    alone = Engine(tmp_path, folder).cold(replace(long, sampling=replace(drawn, seed=6)))
    for stage, read in moments:
        life = Engine(tmp_path / f"{stage} {read}", folder)
        cancels = protocol.Cancel("a1"), protocol.Cancel("c1")
        at_once = cancels if stage == "queued" else ()
        reached = life.once(at("a1", stage, part=read), *cancels)
        life.live(replace(long, alternatives=("b1", "c1")), *at_once, on=reached, stores=1)
        ends = {end.request: end.reason for end in life.heard(TurnFinished)}
        assert ends == {"a1": "cancelled", "b1": "length", "c1": "cancelled"}
        assert {event.request for event in life.heard(protocol.Progress)} <= {"a1", "b1"}, "the third took no row"
        assert life.text("b1") == alone


@pytest.mark.parametrize("alternatives", [("b1",), ()])
def test_a_request_can_end_within_a_chunk(
    engine: Start, monkeypatch: pytest.MonkeyPatch, alternatives: tuple[str, ...]
) -> None:
    """While another row decodes, a chunk is prefilled in portions. If the request is cancelled between two of them, its
    alternative is answered right, and so is the next turn of the chat.
    """
    monkeypatch.setattr(Pace, "has_time", lambda *_: False)
    drawn = Sampling(temperature=1.0, seed=5, max_tokens=8)
    chat = Chat("a", messages=[])
    short = chat.ask("Hello.", drawn)
    after = Generate("c1", "a", (*short.messages, ChatMessage("assistant", "Hi."), ChatMessage("user", "So?")), drawn)
    decoded = list[int]()

    def stopping(forward: LastLogits, sequence: Sequence, decoding: int) -> prefill.Chunk:
        chunk = prefill.begin_chunk(forward, sequence, decoding)
        if sequence.request == short.request and not decoded:
            assert len(chunk.portions) > 1
            decoded.append(decoding)
            life.inbox.put(protocol.Cancel(short.request))
        return chunk

    asked = [after, replace(short, alternatives=alternatives)]
    life, other = engine(), Chat("o").ask("Hello.", Sampling(temperature=0.0, max_tokens=80))

    def then(event: protocol.Event) -> Generate | None:
        cancelled = isinstance(event, TurnFinished) and event.request == short.request
        return asked.pop() if (isinstance(event, Deltas) and len(asked) == 2) or cancelled else None

    with monkeypatch.context() as patch:
        patch.setattr("engine.server.generation.begin_chunk", stopping)
        life.live(other, then=then, stores=len(alternatives))
    assert decoded == [1], "it was cancelled beside the other row"
    assert life.finished(short.request).reason == "cancelled"
    alone = life.cold(replace(short, sampling=replace(drawn, seed=6)))
    assert [life.text(request) for request in alternatives] == [alone] * len(alternatives)
    assert life.text(after.request) == life.cold(after)


def test_a_long_chunk_is_computed_in_portions(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long chunk of a large model takes many seconds. If a shutdown arrives, the engine ends after the portion that
    it computes, and the next one answers the same prompt right. The user sees the chunk advance, layer by layer, and
    never go back.
    """
    monkeypatch.setattr(scheduler, "LEAST_INTERRUPTED", 8)
    command, life, computed = Chat("a").ask("Hello there, this is a rather long opening."), engine(), list[int]()

    def ending(forward: LastLogits, sequence: Sequence, decoding: int) -> prefill.Chunk:
        chunk = prefill.begin_chunk(forward, sequence, decoding)
        computed.append(len(chunk.portions))
        life.inbox.put(protocol.Shutdown())
        return chunk

    with monkeypatch.context() as while_it_ends:
        while_it_ends.setattr("engine.server.generation.begin_chunk", ending)
        life.live(command)
    assert len(computed) == 1
    assert computed[0] > 1
    ended = life.finished(command.request)
    assert (ended.reason, ended.usage.completion_tokens) == ("cancelled", 0)
    later = engine().live(command)
    assert later.text(command.request) == later.cold(command)
    told = [e.done for e in later.heard(protocol.Progress) if e.phase == "prefill"]
    assert told == sorted(told)
    assert 0 < told[1] < later.usage(command.request).prompt_tokens == told[-1]


def room_for_one(life: Engine) -> int:
    """The free bytes of a machine with memory for one answer."""
    begun = {e.request for e in life.heard(protocol.Progress) if e.done}
    ended = {e.request for e in life.heard(TurnFinished)}
    return 0 if begun - ended else 1 << 40


def test_a_chat_that_does_not_fit_beside_another_waits(engine: Start) -> None:
    """With memory for one, two chats are answered one after the other, each as it is alone."""
    asks = [Chat(name).ask(f"Hello {name}.", Sampling(temperature=0.0, max_tokens=24)) for name in "ab"]
    life = engine(machine=Machine(free_bytes=lambda: room_for_one(life)))
    life.live(*asks)
    assert [life.text(ask.request) for ask in asks] == [life.cold(ask) for ask in asks]
    order = [row.request for e in life.heard(Deltas) for row in e.rows]
    assert order == sorted(order)


def test_a_chat_is_read_on_although_the_visible_one_waits_for_memory(engine: Start) -> None:
    """The user asks in a second chat while the first one is read. The second one waits for the end of the first."""
    first, second = Chat("a").ask("x" * 3000), Chat("b").ask("Hello.")
    is_reading, left = at("a1", "prefill", part=0.1), [second]
    life = engine(machine=Machine(free_bytes=lambda: room_for_one(life)))
    life.live(
        first,
        on=life.once(is_reading, protocol.Focus("b")),
        then=lambda e: left.pop() if left and is_reading(e) else None,
    )
    assert [end.request for end in life.heard(TurnFinished)] == ["a1", "b1"]
    assert life.text("b1") == life.cold(second)


def test_a_row_that_outgrows_the_memory_keeps_its_text(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """An endless answer gets its memory in grants. If there is no memory for another one, it ends with an error, and
    its text stays.
    """
    monkeypatch.setattr("engine.schedule.admission.MOST_GRANTED_AHEAD", 20)
    free = iter([1 << 40])
    endless = Sampling(temperature=0.0, max_tokens=1 << 20)
    life = engine(machine=Machine(free_bytes=lambda: next(free, 0))).live(Chat("a").ask("Hello.", endless), stores=0)
    assert life.finished("a1").code == "memory_full"
    assert 20 <= life.finished("a1").usage.completion_tokens < 300
    assert life.text("a1")


def test_quantised_chats_continue_from_disk_and_in_one_batch(tmp_path: Path) -> None:
    """With 8-bit caches, three chats in one batch and after a restart answer as each does cold and alone. With other
    bits nothing of theirs is found.
    """
    folder = tiny_models.build(tmp_path / "wide", "llama", hidden_size=128)
    chats = [Chat(name) for name in "abc"]
    first = [chat.ask(f"Hello {chat.name}." * (place + 1)) for place, chat in enumerate(chats)]
    life = Engine(tmp_path, folder, kv_bits=8).live(*first)
    assert life.heard(protocol.ModelLoaded)[0].kv_bits == 8
    second = [chat.then(life, "And then?") for chat in chats]
    warm = Engine(tmp_path, folder, kv_bits=8).live(*second)
    assert {warm.usage(ask.request).cached_from for ask in second} == {"disk"}
    assert [warm.text(ask.request) for ask in second] == [warm.cold(ask) for ask in second]
    other = Engine(tmp_path, folder).live(second[0]).usage(second[0].request)
    assert (other.cached_tokens, other.miss_cause) == (0, "absent")
