"""Restoring a chat, through the real server: from memory, from disk, and after the records were lost or damaged."""

from __future__ import annotations

import itertools
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.cache import lookup
from engine.cache.disk import disk_tier
from engine.memory.machine import Machine
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import Forget, Memory, ReportStore, StoreReport, TurnStored
from engine.protocol.messages import Deltas, Generate, TurnFinished
from engine.protocol.sampling_settings import Sampling
from engine.server import open_requests
from engine.turn.prepare import rendered_question
from storage.segments.store import SegmentStore
from tests.fakes.engine_life import GREEDY, SYSTEM, Chat, Engine, Start, own_tokens
from tests.fakes.segments import without_a_layer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from engine.turn.prepare import PreparedPrompt


def test_a_chat_continues_from_disk_in_a_new_process(engine: Start) -> None:
    """Every later turn restores all that was computed before, prefills only what is new, and gets the answer of a cold
    engine without a cache.
    """
    warm, cold = Chat("c"), Chat("c")
    for turn, text in enumerate(["Hello there, engine.", "Go on, please.", "And now the end."]):
        command, control = warm.ask(text), cold.ask(text, cached=False)
        usage = warm.hear(engine().live(command), command).usage
        plain = cold.hear(engine().live(control), control).usage
        assert warm.messages == cold.messages
        assert (plain.cached_from, plain.cached_tokens, plain.miss_cause) == ("none", 0, "off")
        if turn:
            assert usage.cached_from == "disk"
            assert usage.prefill_tokens == own_tokens(text)
            assert usage.miss_cause == ""
        assert usage.cached_tokens + usage.prefill_tokens == usage.prompt_tokens == plain.prompt_tokens


def test_other_rows_decode_while_a_long_chat_is_restored(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache is filled between decode steps, some portions each time (here: one). The other row never waits for the
    whole restoration, and the answer is the same.
    """
    monkeypatch.setattr("engine.cache.codec.codec.PORTION_BYTES", 256)
    monkeypatch.setattr("engine.schedule.scheduler.MOST_TURNS", 0.0)
    long = Chat("l")
    first = long.ask("word " * 60)
    long.hear(engine().live(first), first)
    second, other = long.ask("And then?"), Chat("o").ask("Hello.", Sampling(temperature=0.0, max_tokens=200))
    alone = engine().live(replace(second, cached=False)).text(second.request)
    asked: list[Generate] = []

    def then(event: protocol.Event) -> Generate | None:
        if not isinstance(event, Deltas) or asked:
            return None
        asked.append(second)
        return second

    life = engine(machine=Machine(clock=itertools.count().__next__)).live(other, then=then)
    assert life.text(second.request) == alone
    seen = [e for e in life.events if isinstance(e, Deltas | protocol.Progress)]
    begun = next(i for i, e in enumerate(seen) if isinstance(e, protocol.Progress) and e.request == second.request)
    filled = next(i for i, e in enumerate(seen) if isinstance(e, protocol.Progress) and e.cached_tokens and i > begun)
    assert sum(isinstance(e, Deltas) for e in seen[begun:filled]) > 3


def test_a_chat_is_read_while_its_tokens_are_found(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart the disk does not wait for the tokenizer: the tokens come only once the chat was read. A chat in
    memory and a new one are not read early.
    """
    chat = Chat("c")
    first = chat.ask("Hello there, engine.")
    chat.hear(engine().live(first), first)
    second = chat.ask("Go on, please.")
    alone = engine().live(replace(second, cached=False)).text(second.request)
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
    monkeypatch.setattr(open_requests, "rendered_question", waiting)
    life = engine().live(second)
    assert life.finished(second.request).usage.cached_from == "disk"
    assert life.text(second.request) == alone


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

    monkeypatch.setattr(open_requests, "read_ahead", noted)
    chat, life = Chat("c"), engine()
    first = chat.ask("Hello.")

    def go_on(event: protocol.Event) -> Generate | None:
        if not isinstance(event, TurnStored) or chat.turns > 1:
            return None
        chat.hear(life, first)
        return chat.ask("More.")

    life.live(first, then=go_on)
    engine().live(replace(chat.ask("And more."), cached=False))
    engine().live(protocol.Warm("c", tuple(chat.messages[:-1])), Generate("c3", "c", tuple(chat.messages), GREEDY))
    assert early == []
    engine().live(Generate("c4", "c", tuple(chat.messages), GREEDY))
    assert early == ["c"]


def test_a_shared_system_prompt_is_prefilled_once(engine: Start) -> None:
    """A new chat under the same system prompt starts warm."""
    first, second = Chat("a").ask("Hello."), Chat("b").ask("Something else.")
    engine().live(first)
    usage = engine().live(second).finished(second.request).usage
    assert usage.cached_from == "disk"
    assert usage.cached_tokens > len(SYSTEM.content)
    assert usage.miss_cause == ""


def test_opening_a_conversation_brings_it_into_memory(engine: Start) -> None:
    """Prewarming reads the disk before the question, so the answer starts from memory."""
    chat, life = Chat("c"), engine()
    first = chat.ask("Hello.")
    chat.hear(engine().live(first), first)
    warm = protocol.Warm("c", tuple(chat.messages))
    life.live(warm, then=lambda e: chat.ask("More.") if isinstance(e, protocol.Warmed) else None)
    warmed = next(e for e in life.events if isinstance(e, protocol.Warmed))
    assert warmed.miss_cause == ""
    assert warmed.restore_ms > 0
    assert 0 < warmed.prompt_tokens - warmed.cached_tokens <= 2, "only what the template adds after a reply is left"
    assert life.finished("c2").usage.cached_from == "hot"
    after = life.events[life.events.index(warmed) + 1]
    assert isinstance(after, Memory)
    assert after.hot_conversations == 1


def test_a_conversation_leaves_memory_and_stays_on_disk(engine: Start) -> None:
    """As a deleted chat does: it does not count as loaded any more, and is warm again if it comes back."""
    chat, life = Chat("c"), engine()
    first = chat.ask("Hello.")

    def leave(event: protocol.Event) -> None:
        if isinstance(event, TurnStored):
            life.inbox.put(Forget("c", on_disk=False))

    chat.hear(life.live(first, on=leave), first)
    last = [event for event in life.events if isinstance(event, Memory)][-1]
    assert (last.hot_bytes, last.hot_conversations) == (0, 0)
    second = chat.ask("More.")
    assert engine().live(second).finished(second.request).usage.cached_from == "disk"


def test_a_forgotten_conversation_leaves_nothing(engine: Start) -> None:
    """After Forget nothing of the conversation is on disk, and nothing of it is found again."""
    chat = Chat("c")
    first = chat.ask("Hello.")
    chat.hear(engine().live(first), first)
    engine().live(Forget("c"))
    report = next(e for e in engine().live(ReportStore()).events if isinstance(e, StoreReport))
    assert (report.held_bytes, report.records) == (0, 0)
    second = chat.ask("More.")
    usage = engine().live(second).finished(second.request).usage
    assert (usage.cached_from, usage.miss_cause) == ("none", "absent")


def test_an_unreadable_cache_is_not_reported_as_absent(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart, prewarming and the next answer both report that reading failed, and the store report counts it.
    The answer is the one that the cache would have led to.
    """
    chat = Chat("c")
    first = chat.ask("Hello there, this is the beginning of a chat.")
    chat.hear(engine().live(first), first)
    second = chat.ask("And then?")

    def failing(*_: object) -> None:
        raise ValueError("cannot reshape array of size 0")

    with monkeypatch.context() as patch:
        patch.setattr(lookup, "read_records", failing)
        opened = engine().live(protocol.Warm("c", second.messages[:-1]))
        broken = engine()

        def report(event: protocol.Event) -> Generate | None:
            if not (isinstance(event, TurnFinished) and event.request == second.request):
                return None
            broken.inbox.put(ReportStore())
            return Chat("other").ask("Hello?")

        broken.live(second, then=report)
    (warmed,) = (event for event in opened.events if isinstance(event, protocol.Warmed))
    assert (warmed.cached_tokens, warmed.miss_cause) == (0, "unreadable")
    usage = broken.finished(second.request).usage
    assert (usage.cached_tokens, usage.miss_cause) == (0, "unreadable")
    (told,) = (event.failures for event in broken.events if isinstance(event, StoreReport))
    assert told.keys() == {"internal"}, "one failure, or two if the other chat's beginning was looked up before"
    whole = engine().live(second)
    assert whole.text(second.request) == broken.text(second.request)


def test_an_opened_fork_outlives_the_chat_it_came_from(engine: Start) -> None:
    """Opening a fork makes it a holder of the common segments, before its first question."""
    chat, fork = Chat("a"), Chat("fork")
    first = chat.ask("Hello there, this is where two chats begin.")
    life = engine()

    def open_and_forget(event: protocol.Event) -> None:
        if isinstance(event, TurnStored):
            chat.hear(life, first)
            fork.messages = list(chat.messages)
            life.inbox.put(protocol.Warm("fork", tuple(fork.messages)))
            life.inbox.put(Forget("a"))

    life.live(first, on=open_and_forget)
    usage = engine().live(fork.ask("And then?")).finished("fork1").usage
    assert usage.cached_from == "disk"
    assert usage.miss_cause == ""


def test_a_damaged_record_is_a_miss_with_its_cause(engine: Start, tmp_path: Path) -> None:
    """After one flipped bit in every file the chat starts cold, reports the cause, answers right, and is warm again
    afterwards.
    """
    warm, cold = Chat("c"), Chat("c")
    command, control = warm.ask("Hello."), cold.ask("Hello.", cached=False)
    warm.hear(engine().live(command), command)
    cold.hear(engine().live(control), control)
    for file in (tmp_path / "segments").rglob("*.safetensors"):
        content = bytearray(file.read_bytes())
        content[-1] ^= 1
        file.write_bytes(content)
    command, control = warm.ask("More."), cold.ask("More.", cached=False)
    usage = warm.hear(engine().live(command), command).usage
    cold.hear(engine().live(control), control)
    assert warm.messages == cold.messages
    assert (usage.cached_from, usage.miss_cause) == ("none", "damaged")
    command = warm.ask("Again.")
    assert warm.hear(engine().live(command), command).usage.cached_from == "disk"


def test_records_of_another_model_are_put_aside(engine: Start, tmp_path: Path) -> None:
    """Valid records with other layers lie under the keys of this chat. The chat starts cold and reports the cause. It
    is warm again afterwards, since the records it could not use are gone.
    """
    chat = Chat("c")
    command = chat.ask("Hello.")
    chat.hear(engine().live(command), command)
    without_a_layer(tmp_path / "segments")
    command = chat.ask("More.")
    usage = chat.hear(engine().live(command), command).usage
    assert (usage.cached_from, usage.miss_cause) == ("none", "damaged")
    with closing(SegmentStore.open(tmp_path / "segments")) as store:
        assert store.index.stats().causes["layout"] > 0
    command = chat.ask("Again.")
    assert chat.hear(engine().live(command), command).usage.cached_from == "disk"


def test_without_a_disk_chats_are_answered(tmp_path: Path, model_folder: Path) -> None:
    """A store that cannot be opened costs warmth, never an answer. The event says why."""
    (tmp_path / "segments").write_text("a file where the folder should be")
    life = Engine(tmp_path, model_folder).live(Chat("c").ask("Hello."))
    assert life.finished("c1").reason == "length"
    stored = next(e for e in life.events if isinstance(e, TurnStored))
    assert stored.error


def test_little_memory_makes_nothing_wrong(tmp_path: Path, model_folder: Path) -> None:
    """If the hot tier has next to no memory, everything is found on disk."""
    chat, life = Chat("c"), Engine(tmp_path, model_folder, hot_bytes=1000)
    first = chat.ask("Hello.")

    def go_on(event: protocol.Event) -> Generate | None:
        if not isinstance(event, TurnStored) or len(chat.messages) > 3:
            return None
        chat.hear(life, first)
        return chat.ask("More.")

    usage = life.live(first, then=go_on).finished("c2").usage
    assert (usage.cached_from, usage.prefill_tokens) == ("disk", own_tokens("More."))


def test_a_chat_that_the_disk_has_lost_is_written_again_from_memory(
    engine: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store may lose a running chat at any moment: the next turn stores all of it again."""
    chat, life = Chat("c"), engine()
    first = chat.ask("Hello.")
    lost: list[int] = []
    save = disk_tier.save

    def lose_and_save(store: SegmentStore, *rest: Any) -> disk_tier.Saved:
        lost.append(store.forget("c"))
        return save(store, *rest)

    def go_on(event: protocol.Event) -> Generate | None:
        if not isinstance(event, TurnStored) or chat.turns > 1:
            return None
        chat.hear(life, first)
        return chat.ask("More.")

    monkeypatch.setattr(disk_tier, "save", lose_and_save)
    life.live(first, then=go_on)
    assert [size > 0 for size in lost] == [False, True]
    assert [e.error for e in life.events if isinstance(e, TurnStored)] == ["", ""]
    second = Generate("c2", "c", tuple(chat.messages), GREEDY)
    chat.hear(life, second)
    third = chat.ask("And more.")
    usage = engine().live(third).finished("c3").usage
    assert (usage.cached_from, usage.prefill_tokens) == ("disk", own_tokens("And more."))
