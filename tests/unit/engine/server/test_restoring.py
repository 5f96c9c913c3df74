"""Restoring a chat, through the real server: from memory, from disk, and after the records were lost or damaged."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.cache import lookup, manager
from engine.cache.disk import disk_tier
from engine.memory.machine import Machine
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import Forget, Forgotten, Memory, ReportStore, StoreReport, TurnStored
from engine.protocol.messages import ChatMessage, Deltas, TurnFinished
from engine.protocol.sampling_settings import Sampling
from engine.server import open_requests
from engine.turn.prepare import PreparedPrompt, rendered_question
from storage.segments.store import SegmentStore
from tests.fakes.engine_life import Chat, Engine, Start, both, of, own_tokens
from tests.fakes.segments import flip, without_a_layer


def test_a_chat_continues_from_disk_in_a_new_process(engine: Start) -> None:
    """Every later turn restores all that was computed before, prefills only what is new, and gets the answer of a cold
    engine without a cache.
    """
    warm, cold = Chat("c"), Chat("c")
    for turn, text in enumerate(["Hello there, engine.", "Go on, please.", "And now the end."]):
        usage, plain = warm.turn(engine(), text).usage, cold.turn(engine(), text, cached=False).usage
        assert warm.messages == cold.messages
        assert (plain.cached_from, plain.cached_tokens, plain.miss_cause) == ("none", 0, "off")
        if turn:
            assert (usage.cached_from, usage.prefill_tokens, usage.miss_cause) == ("disk", own_tokens(text), "")
        assert usage.cached_tokens + usage.prefill_tokens == usage.prompt_tokens == plain.prompt_tokens


def test_other_rows_decode_while_a_long_chat_is_restored(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache is filled between decode steps, some portions each time (here: one). The other row never waits for the
    whole restoration, and the answer is the same.
    """
    monkeypatch.setattr("engine.cache.codec.codec.PORTION_BYTES", 256)
    monkeypatch.setattr("engine.schedule.scheduler.MOST_TURNS", 0.0)
    long = Chat("l")
    long.turn(engine(), "word " * 30)
    second, other = long.ask("And then?"), Chat("o").ask("Hello.", Sampling(temperature=0.0, max_tokens=120))
    life = engine(machine=Machine(clock=itertools.count().__next__))
    life.play(lambda: other, lambda: second, after=Deltas)
    assert life.text(second.request) == life.cold(second)
    seen = [e for e in life.events if isinstance(e, Deltas | protocol.Progress)]
    begun = next(i for i, e in enumerate(seen) if isinstance(e, protocol.Progress) and e.request == second.request)
    filled = next(i for i, e in enumerate(seen) if isinstance(e, protocol.Progress) and e.cached_tokens and i > begun)
    assert sum(isinstance(e, Deltas) for e in seen[begun:filled]) > 3


def test_a_chat_is_read_while_its_tokens_are_found(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart the disk does not wait for the tokenizer: here the tokens come only once the chat was read."""
    chat = Chat("c")
    chat.turn(engine(), "Hello there, engine.")
    second = chat.ask("Go on, please.")
    was_read = threading.Event()
    read, rendered = lookup.read_records, rendered_question

    def noted(*given: Any) -> Any:
        try:
            return read(*given)
        finally:
            was_read.set()

    def waiting(*given: Any) -> Callable[[], PreparedPrompt]:
        tokenized = rendered(*given)

        def tokens() -> PreparedPrompt:
            assert was_read.wait(60)
            return tokenized()

        return tokens

    monkeypatch.setattr(lookup, "read_records", noted)
    with monkeypatch.context() as patch:
        patch.setattr(open_requests, "rendered_question", waiting)
        life = engine().live(second)
    assert life.usage(second.request).cached_from == "disk"
    assert life.text(second.request) == life.cold(second)


def test_only_a_chat_with_replies_that_memory_lacks_is_read_early(
    engine: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new chat, one in memory, one that is being opened, and one without a cache read nothing before their tokens are
    known.
    """
    early: list[str] = []

    def noted(_: object, conversation: str, *__: object) -> dict[object, object]:
        early.append(conversation)
        return {}

    def looked_up(*arguments: Any) -> lookup.Fetched:
        if asked:
            opened.inbox.put(asked.pop())
        return lookup.fetch(*arguments)

    monkeypatch.setattr(open_requests, "read_ahead", noted)
    chat, life, opened = Chat("c"), engine(), engine()
    life.play(lambda: chat.ask("Hello."), lambda: chat.then(life, "More."))
    engine().live(replace(chat.ask("And more."), cached=False))
    asked = [chat.rest("c3")]
    with monkeypatch.context() as patch:
        patch.setattr(manager, "fetch", looked_up)
        opened.live(protocol.Warm("c", tuple(chat.messages[:-1])), stores=1)
    assert early == []
    engine().live(chat.rest("c4"))
    assert early == ["c"]


def test_a_changed_system_prompt_starts_cold_and_stays_right(engine: Start) -> None:
    """From one prompt to another, to none, and back. Each reply is that of a cold engine. Only the prompt that was
    there before is restored; the others restore what stands before the first difference at most.
    """
    found = []
    for prompt in ("Be brief.", "Be very kind, and never brief.", "", "Be brief."):
        chat, life = Chat("a", [ChatMessage("system", prompt)] if prompt else []), engine()
        chat.messages += [ChatMessage("user", "What is a tide?"), ChatMessage("assistant", "The sea that rises.")]
        found.append(chat.turn(life, "And why?").usage.cached_tokens)
        assert chat.messages[-1].content == life.cold(chat.asked[-1])
    shared = len("<system\nBe ")
    assert [tokens <= shared for tokens in found] == [True, True, True, False]


def test_a_chat_counts_as_loaded_while_its_first_answer_is_written(engine: Start) -> None:
    """And after it. A chat whose only answer was cancelled before its first word does not."""
    chat, life = Chat("c"), engine()
    life.live(chat.ask("Hello."))
    assert [told.hot_conversations for told in life.heard(Memory)] == [0, 1, 1], "loaded, asked, answered"
    gone, again = Chat("d"), engine()
    asked = gone.ask("Hello.")
    again.live(asked, protocol.Cancel(asked.request), stores=0)
    assert [told.hot_conversations for told in again.heard(Memory)][-1] == 0


def test_a_chat_is_opened_leaves_memory_and_is_forgotten(engine: Start) -> None:
    """Opening it reads the disk before the question, so the answer starts from memory. When it leaves memory, as a
    deleted chat does, it does not count as loaded any more, and the disk still has it. After Forget nothing of it is
    on disk, and nothing of it is found again.
    """
    chat, life = Chat("c"), engine()
    chat.turn(engine(), "Hello.")
    warm, leaving = protocol.Warm("c", tuple(chat.messages)), life.once(of(TurnStored), Forget("c", on_disk=False))
    life.live(warm, then=lambda e: chat.ask("More.") if isinstance(e, protocol.Warmed) else None, on=leaving)
    (warmed,) = life.heard(protocol.Warmed)
    assert warmed.miss_cause == ""
    assert warmed.restore_ms > 0
    assert 0 < warmed.prompt_tokens - warmed.cached_tokens <= 2, "only what the template adds after a reply is left"
    assert (life.usage("c2").cached_from, life.usage("c2").restore_ms) == ("hot", 0.0), "nothing came from disk now"
    after, last = life.events[life.events.index(warmed) + 1], life.heard(Memory)[-1]
    assert isinstance(after, Memory)
    assert (after.hot_conversations, last.hot_conversations, last.hot_bytes) == (1, 0, 0)
    chat.hear(life, chat.asked[-1])
    assert chat.turn(engine(), "And then?").usage.cached_from == "disk"
    engine().live(Forget("c"))
    (report,) = engine().live(ReportStore()).heard(StoreReport)
    assert (report.held_bytes, report.records) == (0, 0)
    usage = chat.turn(engine(), "And more.").usage
    assert (usage.cached_from, usage.miss_cause) == ("none", "absent")


def test_an_unreadable_cache_is_not_reported_as_absent(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart, prewarming and the next answer both report that reading failed, and the store report counts it.
    The answer is the one that the cache would have led to.
    """
    chat = Chat("c")
    chat.turn(engine(), "Hello there, this is the beginning of a chat.")
    second = chat.ask("And then?")

    def failing(*_: object) -> None:
        raise ValueError("cannot reshape array of size 0")

    with monkeypatch.context() as patch:
        patch.setattr(lookup, "read_records", failing)
        opened = engine().live(protocol.Warm("c", second.messages[:-1]))
        broken = engine()
        ask_for_report = broken.once(of(TurnFinished), ReportStore())
        asked = [Chat("other").ask("Hello?"), second]
        broken.live(
            asked.pop(), on=ask_for_report, then=lambda e: asked.pop() if asked and of(TurnFinished)(e) else None
        )
    (warmed,) = opened.heard(protocol.Warmed)
    assert (warmed.cached_tokens, warmed.miss_cause) == (0, "unreadable")
    usage = broken.usage(second.request)
    assert (usage.cached_tokens, usage.miss_cause) == (0, "unreadable")
    (told,) = (event.failures for event in broken.heard(StoreReport))
    assert told.keys() == {"internal"}, "one failure, or two if the other chat's beginning was looked up before"
    assert engine().live(second).text(second.request) == broken.text(second.request)


def test_an_opened_fork_outlives_the_chat_it_came_from(engine: Start) -> None:
    """Opening a fork makes it a holder of the common segments, before its first question."""
    chat, life = Chat("a"), engine()
    first = chat.ask("Hello there, this is where two chats begin.")
    fork = Chat("fork")

    def open_and_forget(event: protocol.Event) -> None:
        if isinstance(event, TurnStored):
            chat.hear(life, first)
            fork.messages = list(chat.messages)
            life.inbox.put(protocol.Warm("fork", tuple(fork.messages)))
        if isinstance(event, protocol.Warmed):
            life.inbox.put(Forget("a"))

    life.live(first, on=both(open_and_forget, life.once(of(Forgotten), protocol.Shutdown())), stores=9)
    usage = fork.turn(engine(), "And then?").usage
    assert (usage.cached_from, usage.miss_cause) == ("disk", "")


def test_an_unusable_record_is_a_miss_with_its_cause(engine: Start, tmp_path: Path) -> None:
    """With valid records of another model under its keys, or after one flipped bit in every file, the chat starts cold,
    reports the cause and answers right. It is warm again afterwards, since the records it could not use are gone.
    """
    chat, root = Chat("c"), tmp_path / "segments"
    chat.turn(engine(), "Hello.")

    def flip_a_bit_of_each_file() -> None:
        for file in root.rglob("*.safetensors"):
            flip(file, -1)

    for spoil, cause in ((partial(without_a_layer, root), "layout"), (flip_a_bit_of_each_file, "checksum")):
        spoil()
        life = engine()
        usage = chat.turn(life, "More.").usage
        assert chat.messages[-1].content == life.cold(chat.asked[-1])
        assert (usage.cached_from, usage.miss_cause) == ("none", "damaged")
        with closing(SegmentStore.open(root)) as store:
            assert store.index.stats().causes[cause] > 0
        assert chat.turn(engine(), "Again.").usage.cached_from == "disk"


def test_little_memory_makes_nothing_wrong(tmp_path: Path, model_folder: Path) -> None:
    """If the hot tier has next to no memory, everything is found on disk."""
    chat, life = Chat("c"), Engine(tmp_path, model_folder, hot_bytes=1000)
    usage = life.play(lambda: chat.ask("Hello."), lambda: chat.then(life, "More.")).usage("c2")
    assert (usage.cached_from, usage.prefill_tokens) == ("disk", own_tokens("More."))


def test_a_chat_that_the_disk_has_lost_is_written_again_from_memory(
    engine: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store may lose a running chat at any moment: the next turn stores all of it again."""
    chat, life = Chat("c"), engine()
    lost: list[int] = []
    save = disk_tier.save

    def lose_and_save(store: SegmentStore, *rest: Any) -> disk_tier.Saved:
        lost.append(store.forget("c"))
        return save(store, *rest)

    monkeypatch.setattr(disk_tier, "save", lose_and_save)
    life.play(lambda: chat.ask("Hello."), lambda: chat.then(life, "More."))
    assert [size > 0 for size in lost] == [False, True]
    assert [e.error for e in life.heard(TurnStored)] == ["", ""]
    usage = engine().live(chat.then(life, "And more.")).usage("c3")
    assert (usage.cached_from, usage.prefill_tokens) == ("disk", own_tokens("And more."))
