"""The server's loop with a real tiny model and a real store: events, answers, and the caches found in a later life.

The server runs on the test's own thread. A script answers its events with further commands (tests.fakes.engine_life).
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest
from msgspec.structs import replace

from engine.cache.disk import reader, tier
from engine.decode import prefill
from engine.memory.footprint import HEADROOM_BYTES
from engine.model import loader
from engine.output.parser import ChannelText, OutputParser
from engine.protocol import messages as protocol
from engine.protocol.messages import ChatMessage, Deltas, Generate, LoadModel, Sampling, TurnFinished
from engine.server.completion import NOT_KEPT
from engine.server.machine import Machine
from engine.turn import finish as turns
from engine.turn import reply_parser
from storage.segments.store import SegmentStore
from tests.fakes import tiny_models
from tests.fakes.engine_life import GREEDY, QUOTA, SYSTEM, Chat, Engine, own_tokens
from tests.fakes.segments import without_a_layer

if TYPE_CHECKING:
    from pathlib import Path

    from engine.model.loader import LoadedModel
    from engine.schedule.sequence import Sequence


@pytest.fixture
def engine(tmp_path: Path, model_folder: Path) -> Start:
    """Starts a new life over the same disk."""
    return partial(Engine, tmp_path, model_folder)


Start = Callable[..., Engine]


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


def test_a_chat_continues_from_memory_in_the_same_process(engine: Start) -> None:
    """The second turn in one life is restored from the hot tier."""
    chat, life = Chat("c"), engine()
    first = chat.ask("Hello.")

    def go_on(event: protocol.Event) -> Generate | None:
        if not isinstance(event, TurnFinished) or event.request != first.request:
            return None
        chat.hear(life, first)
        return chat.ask("More.")

    usage = life.live(first, then=go_on).finished("c2").usage
    assert (usage.cached_from, usage.miss_cause) == ("hot", "")
    assert usage.prefill_tokens == own_tokens("More.")


def test_other_rows_decode_while_a_long_chat_is_restored(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache is filled between decode steps, each time for about as long as a step takes (here: one portion). The
    other row never waits for the whole restoration, and the answer is the same.
    """
    monkeypatch.setattr("engine.cache.codec.codec.PORTION_BYTES", 4096)
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


def test_four_chats_in_one_batch_answer_as_they_do_alone(engine: Start) -> None:
    """Four unequal histories in one batch, greedy: every reply equals the reply of a life of its own."""
    texts = ["Hi.", "A somewhat longer opening line than the others have.", "Three?", "Now this is number four."]
    lone = {}
    for index, text in enumerate(texts):
        command = Chat(f"s{index}-").ask(text)
        lone[text] = engine().live(command).text(command.request)
    commands = [Chat(f"t{index}-").ask(text) for index, text in enumerate(texts)]
    together = engine().live(*commands)
    assert {t: together.text(c.request) for t, c in zip(texts, commands, strict=True)} == lone
    steps = [len(e.rows) for e in together.events if isinstance(e, Deltas)]
    assert max(steps) >= 2, "they did decode together"


def test_more_chats_than_rows_wait_their_turn(engine: Start) -> None:
    """The ninth chat is shown as queued, and is answered like all others."""
    long = Sampling(temperature=0.0, max_tokens=60)
    commands = [Chat(f"r{index}-").ask(f"Chat {index}.", long) for index in range(9)]
    life = engine().live(*commands)
    assert {life.finished(c.request).reason for c in commands} == {"length"}
    assert max(len(e.rows) for e in life.events if isinstance(e, Deltas)) <= 8
    late = [e.phase for e in life.events if isinstance(e, protocol.Progress) and e.request == commands[-1].request]
    assert (late[0], late[-1]) == ("restoring", "decode")
    assert "queued" in late
    lone = engine().live(Chat("lone").ask("Chat 8.", long))
    assert life.text(commands[-1].request) == lone.text("lone1")


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
    assert isinstance(after, protocol.Memory)
    assert after.hot_conversations == 1


def test_an_edit_restores_the_turn_before(engine: Start) -> None:
    """Editing the second message keeps what the first turn computed."""
    chat = Chat("c")
    for text in ("First.", "Second."):
        command = chat.ask(text)
        chat.hear(engine().live(command), command)
    kept = chat.messages[:3]
    edited = Generate("c9", "c", (*kept, ChatMessage("user", "Second, but different.")), GREEDY)
    usage = engine().live(edited).finished("c9").usage
    assert usage.cached_from == "disk"
    assert usage.prefill_tokens < 50


def test_cancel_keeps_the_text_and_the_state(engine: Start) -> None:
    """A cancelled answer ends within a step, and the next turn starts from exactly its last token."""
    chat, life = Chat("c"), engine()
    command = chat.ask("Hello.", Sampling(temperature=0.0, max_tokens=500))

    def stop(event: protocol.Event) -> None:
        if isinstance(event, Deltas) and len(life.text("c1")) >= 5:
            life.inbox.put(protocol.Cancel("c1"))

    life.live(command, on=stop)
    done = chat.hear(life, command)
    assert done.reason == "cancelled"
    assert done.usage.completion_tokens < 100, "it did not run on to its length"
    following = chat.ask("Go on.")
    usage = engine().live(following).finished(following.request).usage
    assert usage.cached_tokens == done.usage.prompt_tokens + done.usage.completion_tokens


def test_alternatives_share_one_prefill_and_each_draws_its_own(engine: Start) -> None:
    """Three alternatives equal the answers that the same seeds give one by one; their prompt is prefilled once."""
    drawn = Sampling(temperature=1.0, seed=5, max_tokens=16)
    wish = Chat("a").ask("say something", drawn)
    three = replace(wish, alternatives=("b1", "c1"))
    many = engine().live(three)
    singles = [
        engine().live(replace(wish, request=f"{n}", sampling=replace(drawn, seed=5 + n), cached=False))
        for n in range(3)
    ]
    assert [many.text(r) for r in ("a1", "b1", "c1")] == [single.text(f"{n}") for n, single in enumerate(singles)]
    assert len({many.text(r) for r in ("a1", "b1", "c1")}) == 3
    reads = {e.request for e in many.events if isinstance(e, protocol.Progress) and e.phase == "prefill"}
    assert reads == {"a1"}


@pytest.mark.parametrize(("stage", "read"), [("restoring", 0.0), ("prefill", 0.0), ("prefill", 0.1), ("prefill", 1.0)])
def test_an_alternative_outlives_its_leader(engine: Start, stage: str, read: float) -> None:
    """If the first of two alternatives is cancelled during the prefill or right after it, the second one is still
    answered, and right.
    """
    drawn = Sampling(temperature=1.0, seed=5, max_tokens=8)
    long = Chat("a").ask("word " * 120, drawn)
    second = replace(long, cached=False, sampling=replace(drawn, seed=6))
    alone = engine().live(second).text("a1")
    halted = engine()

    def stop(event: protocol.Event) -> None:
        if not isinstance(event, protocol.Progress) or event.request != "a1":
            return
        if event.phase == stage and event.done >= read * event.total:
            halted.inbox.put(protocol.Cancel("a1"))

    halted.live(replace(long, alternatives=("b1",), request="a1"), on=stop, stores=1)
    assert halted.finished("a1").reason == "cancelled"
    assert halted.finished("b1").reason == "length"
    assert halted.text("b1") == alone


def test_more_than_four_answers_at_once_are_refused(engine: Start) -> None:
    """Each request gets one clear error, and nothing runs."""
    many = replace(Chat("a").ask("hi"), alternatives=("b1", "c1", "d1", "e1"))
    life = engine().live(many)
    assert {life.finished(r).code for r in ("a1", "b1", "c1", "d1", "e1")} == {"request_failed"}


@pytest.mark.parametrize("beside", [(), ("b",)])
def test_a_pause_changes_no_token(engine: Start, beside: tuple[str, ...]) -> None:
    """Pause and resume change nothing about tokens drawn with a seed, alone and beside another row."""
    drawn = Sampling(temperature=1.0, seed=11, max_tokens=24)
    wishes = [Chat(name).ask(f"and {name}", drawn, cached=False) for name in ("a", *beside)]
    straight = engine().live(*wishes).text("a1")
    halted, holds = engine(), list[protocol.Event]()

    def pause(event: protocol.Event) -> None:
        if (
            isinstance(event, Deltas)
            and any(row.request == "a1" and row.tokens >= 9 for row in event.rows)
            and not holds
        ):
            holds.append(event)
            halted.inbox.put(protocol.Pause("a1"))
        if isinstance(event, protocol.Progress) and event.phase == "paused":
            halted.inbox.put(protocol.Resume("a1"))

    assert halted.live(*wishes, on=pause).text("a1") == straight
    assert [e.phase for e in halted.events if isinstance(e, protocol.Progress)].count("paused") == 1


def test_a_continued_answer_is_the_answer_in_one_piece(engine: Start) -> None:
    """A greedy answer that was ended by its length and continued in another life equals the uninterrupted one."""
    whole_command = Chat("w").ask("Hello.", Sampling(temperature=0.0, max_tokens=20))
    whole = engine().live(whole_command).text("w1")
    chat = Chat("c")
    command = chat.ask("Hello.", Sampling(temperature=0.0, max_tokens=7))
    done = chat.hear(engine().live(command), command)
    assert done.reason == "length"
    rest = Generate("c2", "c", tuple(chat.messages), Sampling(temperature=0.0, max_tokens=13))
    life = engine().live(rest)
    assert chat.messages[-1].content + life.text("c2") == whole
    assert life.finished("c2").usage.cached_from == "disk"


def test_the_turn_after_a_continued_answer_starts_at_its_end(engine: Start) -> None:
    """A reply made in two pieces is one segment for all later turns: nothing of it is prefilled again."""
    chat = Chat("c")
    first = chat.ask("Hello.")
    life = engine().live(first)
    chat.hear(life, first)
    rest = Generate("c2", "c", tuple(chat.messages), GREEDY)
    life = engine().live(rest)
    begun = chat.messages[-1]
    chat.messages[-1] = replace(begun, content=begun.content + life.text("c2"), ledger=life.finished("c2").ledger)
    following = replace(chat.ask("And then?"), request="c3")
    usage = engine().live(following).finished("c3").usage
    assert usage.miss_cause == ""
    assert usage.prefill_tokens <= own_tokens("And then?") + 1


def test_a_forgotten_conversation_leaves_nothing(engine: Start) -> None:
    """After Forget nothing of the conversation is on disk, and nothing of it is found again."""
    chat = Chat("c")
    first = chat.ask("Hello.")
    chat.hear(engine().live(first), first)
    engine().live(protocol.Forget("c"))
    report = next(e for e in engine().live(protocol.ReportStore()).events if isinstance(e, protocol.StoreReport))
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
        patch.setattr(reader, "read", failing)
        opened = engine().live(protocol.Warm("c", second.messages[:-1]))
        broken = engine()

        def report(event: protocol.Event) -> Generate | None:
            if not (isinstance(event, TurnFinished) and event.request == second.request):
                return None
            broken.inbox.put(protocol.ReportStore())
            return Chat("other").ask("Hello?")

        broken.live(second, then=report)
    (warmed,) = (event for event in opened.events if isinstance(event, protocol.Warmed))
    assert (warmed.cached_tokens, warmed.miss_cause) == (0, "unreadable")
    usage = broken.finished(second.request).usage
    assert (usage.cached_tokens, usage.miss_cause) == (0, "unreadable")
    (told,) = (event.failures for event in broken.events if isinstance(event, protocol.StoreReport))
    assert told.keys() == {"internal"}, "one failure, or two if the other chat's beginning was looked up before"
    whole = engine().live(second)
    assert whole.text(second.request) == broken.text(second.request)


def test_an_opened_fork_outlives_the_chat_it_came_from(engine: Start) -> None:
    """Opening a fork makes it a holder of the common segments, before its first question."""
    chat, fork = Chat("a"), Chat("fork")
    first = chat.ask("Hello there, this is where two chats begin.")
    life = engine()

    def open_and_forget(event: protocol.Event) -> None:
        if isinstance(event, protocol.TurnStored):
            chat.hear(life, first)
            fork.messages = list(chat.messages)
            life.inbox.put(protocol.Warm("fork", tuple(fork.messages)))
            life.inbox.put(protocol.Forget("a"))

    life.live(first, on=open_and_forget)
    usage = engine().live(fork.ask("And then?")).finished("fork1").usage
    assert usage.cached_from == "disk"
    assert usage.miss_cause == ""


def test_a_failing_request_fails_alone(engine: Start) -> None:
    """A request that the template refuses ends with its error. Its neighbour is answered."""
    good = Chat("g").ask("Hello.")
    bad = Generate("b1", "b", (ChatMessage("user", "Hello."), ChatMessage("system", "late")), GREEDY)
    life = engine().live(good, bad)
    assert (life.finished("b1").reason, life.finished("b1").code) == ("failed", "prompt_refused")
    assert life.finished("g1").reason == "length"


@pytest.mark.parametrize(("text", "tokens", "code"), [("", 0, "prompt_refused"), ("x", 5, "")])
def test_one_token_is_enough_to_answer(tmp_path: Path, text: str, tokens: int, code: str) -> None:
    """A template may make a single token of a message. If it makes none, the error says so."""
    bare = "{% for m in messages %}{{ m.content }}{% endfor %}"
    folder = tiny_models.let_write(tiny_models.build(tmp_path / "bare"), bare)
    said = Generate("a", "a", (ChatMessage("user", text),), Sampling(temperature=0.0, max_tokens=5), cached=False)
    done = Engine(tmp_path, folder).live(said).finished("a")
    assert (done.usage.completion_tokens, done.code) == (tokens, code)


def _fails_on(monkeypatch: pytest.MonkeyPatch, *conversations: str) -> None:
    """Make the model fail on the prompts of these conversations."""

    def fail(model: object, sequence: Sequence, decoding: int) -> None:
        if sequence.conversation in conversations:
            raise RuntimeError("a kernel gave up")
        prefill.prefill_chunk(model, sequence, decoding)

    monkeypatch.setattr("engine.server.generation.prefill_chunk", fail)


def test_a_request_without_a_commit_releases_its_segments(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed request and one cancelled before its prefill release their segments: the disk may evict them."""
    _fails_on(monkeypatch, "a")
    failed = engine().live(Chat("a").ask("Hello."))
    assert failed.finished("a1").code == "row_failed"
    assert failed.manager.in_use == frozenset()
    life = engine()

    def stop(event: protocol.Event) -> None:
        if isinstance(event, protocol.Progress) and event.phase == "prefill" and not event.done:
            assert life.manager.in_use, "from the look-up on"
            life.inbox.put(protocol.Cancel("b1"))

    life.live(Chat("b").ask("Hello."), on=stop, stores=0)
    assert life.finished("b1").reason == "cancelled"
    assert life.manager.in_use == frozenset()


def test_segments_of_an_alternative_stay_in_use_until_it_ends(engine: Start) -> None:
    """The disk evicts none of them, although the request that looked them up has ended and its chat was opened
    meanwhile.
    """
    wish = replace(Chat("a").ask("word " * 20, Sampling(seed=5, max_tokens=200)), alternatives=("b1",))
    life, used = engine(), {}

    def look(event: protocol.Event) -> None:
        if isinstance(event, protocol.Progress) and event.request == "b1" and event.phase == "decode":
            life.inbox.put(protocol.Cancel("a1"))
            life.inbox.put(protocol.Warm("a", wish.messages))
        if isinstance(event, protocol.Warmed | protocol.TurnFinished):
            used[getattr(event, "request", "opened")] = life.manager.in_use

    life.live(wish, on=look)
    assert [*used] == ["a1", "opened", "b1"]
    assert used["a1"] == used["opened"] == used["b1"] != frozenset()
    assert life.manager.in_use == frozenset()


def test_a_model_that_fails_twice_in_a_row_is_unloaded(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each failure is reported once. After the second the model is not called any more, and an event says so."""
    _fails_on(monkeypatch, "a", "b")
    life = engine().live(*(Chat(name).ask("Hello.") for name in ("a", "b", "c")), stores=0)
    assert [life.finished(r).code for r in ("a1", "b1")] == ["row_failed", "row_failed"]
    unloaded = [e for e in life.events if isinstance(e, protocol.ModelUnloaded)]
    assert [e.code for e in unloaded] == ["model_unstable"]
    assert life.finished("c1").code in {"model_unstable", "no_model"}


def test_an_answer_between_two_failures_forgives_the_first(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """One chat on which a model fails does not take the model from the other chats."""
    _fails_on(monkeypatch, "bad")
    asks = iter([Chat("good").ask("Hi."), replace(Chat("bad").ask("Hi."), request="bad2"), Chat("last").ask("Hi.")])

    def then(event: protocol.Event) -> Generate | None:
        return next(asks, None) if isinstance(event, TurnFinished) else None

    life = engine().live(Chat("bad").ask("Hi."), then=then)
    assert life.finished("bad2").code == "row_failed"
    assert life.finished("last1").reason == "length"


def test_a_chat_too_large_for_memory_is_refused_with_the_figures(engine: Start) -> None:
    """Nothing is started that would end the process. The message names the needed and the free memory."""
    done = engine(machine=Machine(free_bytes=lambda: 0)).live(Chat("a").ask("Hello."), stores=0).finished("a1")
    assert done.code == "memory_full"
    assert "0 MB are free" in done.message


def test_a_chat_that_does_not_fit_beside_another_waits(engine: Start) -> None:
    """With memory for one, two chats are answered one after the other, each as it is alone."""
    asks = [Chat(name).ask(f"Hello {name}.", Sampling(temperature=0.0, max_tokens=40)) for name in "ab"]
    alone = [engine().live(replace(ask, cached=False)).text(ask.request) for ask in asks]

    def free() -> int:
        begun = {e.request for e in life.events if isinstance(e, protocol.Progress) and e.done}
        ended = {e.request for e in life.events if isinstance(e, TurnFinished)}
        return 0 if begun - ended else 1 << 40

    life = engine(machine=Machine(free_bytes=free))
    life.live(*asks)
    assert [life.text(ask.request) for ask in asks] == alone
    order = [row.request for e in life.events if isinstance(e, Deltas) for row in e.rows]
    assert order == sorted(order)


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


def test_a_conversation_past_the_context_is_refused_with_the_figures(engine: Start) -> None:
    """Nothing is cut silently: the error names the length and the limit."""
    command = Chat("c").ask("x" * 5000)
    done = engine().live(command).finished("c1")
    assert done.code == "context_full"
    assert "4,096" in done.message


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda folder: folder.joinpath("config.json").unlink(), "model_unreadable"),
        (lambda folder: folder.joinpath("config.json").write_text("[]"), "model_unreadable"),
        (lambda folder: folder.joinpath("config.json").write_text('{"model_type": "unheard_of"}'), "model_unsupported"),
        (lambda folder: folder.joinpath("model.safetensors").write_bytes(b"rubbish"), "model_incomplete"),
        (lambda folder: folder.joinpath("model.safetensors").unlink(), "model_unreadable"),
        (lambda folder: folder.joinpath("tokenizer.json").write_text("{"), "model_unreadable"),
        (lambda folder: folder.rename(folder.with_name("elsewhere")), "model_missing"),
    ],
)
def test_a_broken_model_folder_is_one_clear_error(tmp_path: Path, spoil: Callable[[Path], object], code: str) -> None:
    """Whatever is wrong with the files, the engine reports it in one event and continues."""
    folder = tiny_models.build(tmp_path / "model")
    spoil(folder)
    life = Engine(tmp_path, folder).live()
    failed = next(e for e in life.events if isinstance(e, protocol.ModelFailed))
    assert failed.code == code
    assert failed.message


def test_a_model_without_a_chat_template_is_refused(tmp_path: Path) -> None:
    """A base model cannot hold a conversation, and the error says so."""
    folder = tiny_models.build(tmp_path / "model")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')
    life = Engine(tmp_path, folder).live()
    assert next(e for e in life.events if isinstance(e, protocol.ModelFailed)).code == "no_chat_template"


def test_a_request_without_a_model_ends(tmp_path: Path) -> None:
    """No request is left without an end."""
    life = Engine(tmp_path, tmp_path / "nowhere")
    life.live(Chat("c").ask("Hello."))
    assert life.finished("c1").code == "no_model"


def test_alternatives_without_a_model_end_too(tmp_path: Path) -> None:
    """Each request of a command has its own end."""
    life = Engine(tmp_path, tmp_path / "nowhere")
    life.live(replace(Chat("c").ask("Hello."), alternatives=("d1", "e1")), ends_on_failure=False)
    assert [life.finished(request).code for request in ("c1", "d1", "e1")] == ["no_model"] * 3


@pytest.mark.parametrize("stopped", ["b1", "b2", "b3"])
def test_one_answer_of_a_deferred_command_can_be_stopped(engine: Start, model_folder: Path, stopped: str) -> None:
    """A command that waits for a new model can be cancelled for each of its requests. The others are answered."""
    second = replace(Chat("b").ask("Hi.", cached=False), alternatives=("b2", "b3"))
    life, left = engine(), {"a1", "b1", "b2", "b3"}
    switch = iter((LoadModel(str(model_folder)), second, protocol.Cancel(stopped)))

    def on(event: protocol.Event) -> None:
        for command in switch if isinstance(event, Deltas) else ():
            life.inbox.put(command)
        if isinstance(event, TurnFinished):
            left.discard(event.request)
        if not left:
            life.inbox.put(protocol.Shutdown())

    life.live(Chat("a").ask("Hello."), on=on, stores=9)
    reasons = {request: life.finished(request).reason for request in ("b1", "b2", "b3")}
    assert reasons == {"b1": "length", "b2": "length", "b3": "length"} | {stopped: "cancelled"}


def test_opening_a_chat_never_ends_the_engine(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever fails in prewarming, the outcome is a miss, and the chat is answered."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("in a library")

    monkeypatch.setattr("engine.server.server.prewarm", broken)
    chat = Chat("c")
    life = engine().live(chat.ask("Hello."), protocol.Warm("c", tuple(chat.messages)))
    assert [e.miss_cause for e in life.events if isinstance(e, protocol.Warmed)] == ["absent"]
    assert life.finished("c1").reason == "length"


def test_a_new_model_waits_for_running_answers(engine: Start, model_folder: Path) -> None:
    """Loading a model never cuts an answer off. Later requests wait for the new model."""
    first, second = Chat("a").ask("Hello."), Chat("b").ask("Hi.")
    asked: list[bool] = []

    def switch(event: protocol.Event) -> Generate | None:
        if not isinstance(event, Deltas) or asked:
            return None
        asked.append(True)
        life.inbox.put(LoadModel(str(model_folder)))
        return second

    life = engine()
    life.live(first, then=switch)
    order = [e for e in life.events if isinstance(e, protocol.ModelLoaded | TurnFinished)]
    assert [type(e).__name__ for e in order] == ["ModelLoaded", "TurnFinished", "ModelLoaded", "TurnFinished"]


def test_quantised_chats_continue_from_disk_and_in_one_batch(tmp_path: Path) -> None:
    """With 8-bit caches, three chats in one batch and after a restart answer as each does cold and alone. With other
    bits nothing of theirs is found.
    """
    folder = tiny_models.build(tmp_path / "wide", "llama", hidden_size=256)
    chats = [Chat(name) for name in "abc"]
    first = [chat.ask(f"Hello {chat.name}." * (place + 1)) for place, chat in enumerate(chats)]
    life = Engine(tmp_path, folder, kv_bits=8).live(*first)
    assert next(e for e in life.events if isinstance(e, protocol.ModelLoaded)).kv_bits == 8
    for chat, ask in zip(chats, first, strict=True):
        chat.hear(life, ask)
    second = [chat.ask("And then?") for chat in chats]
    warm = Engine(tmp_path, folder, kv_bits=8).live(*second)
    assert {warm.finished(ask.request).usage.cached_from for ask in second} == {"disk"}
    for ask in second:
        cold = Engine(tmp_path / "cold", folder, kv_bits=8).live(replace(ask, cached=False))
        assert warm.text(ask.request) == cold.text(ask.request)
    other = Engine(tmp_path, folder).live(second[0]).finished(second[0].request).usage
    assert (other.cached_tokens, other.miss_cause) == (0, "absent")


def one_model_only(home: Path, model: Path, load: Callable[..., LoadedModel]) -> Engine:
    """A life on a machine on which the old model must be released before each load. Answers always fit."""

    def free() -> int:
        begun = {e.request for e in life.events if isinstance(e, protocol.Progress)}
        ended = {e.request for e in life.events if isinstance(e, TurnFinished)}
        return 1 << 40 if begun - ended else HEADROOM_BYTES

    life = Engine(home, model, load=load, machine=Machine(free_bytes=free))
    return life


def test_if_two_models_do_not_fit_the_old_one_is_released_first(tmp_path: Path, model_folder: Path) -> None:
    """Its memory is free before the new one is loaded. If the new one is no model, the old one is loaded again and
    answers.
    """
    held: list[int] = []

    def watched(*arguments: Any) -> LoadedModel:
        held.append(mx.get_active_memory())
        return loader.load_model(*arguments)

    before = mx.get_active_memory()
    spoilt = tiny_models.build(tmp_path / "spoilt")
    (spoilt / "config.json").write_text("[]")
    life = one_model_only(tmp_path, model_folder, watched)
    life.live(protocol.LoadModel(str(spoilt)), Chat("a").ask("Hello."), ends_on_failure=False)
    assert [type(e).__name__ for e in life.events if isinstance(e, protocol.ModelLoaded | protocol.ModelFailed)] == [
        "ModelLoaded",
        "ModelFailed",
        "ModelLoaded",
    ]
    assert life.finished("a1").reason == "length"
    assert all(size <= before + 1000 for size in held), "nothing of a model was there when another was read"


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


def test_a_model_that_has_answered_is_freed_for_another(tmp_path: Path, model_folder: Path) -> None:
    """Nothing that is remembered of its chats keeps its weights in memory when another model is loaded."""
    loads = WatchedLoads()
    life = one_model_only(tmp_path, model_folder, loads)
    life.live(Chat("a").ask("Hello."), LoadModel(str(model_folder)), Chat("b").ask("Hi."))
    assert loads.alive == [False]


def test_a_pending_lookup_keeps_no_old_model(tmp_path: Path, engine: Start, model_folder: Path) -> None:
    """The lookup of a chat that is being opened is dropped when another model is loaded. The memory of the old model is
    free at once, and nothing of it becomes hot.
    """
    chat = Chat("c")
    first = chat.ask("Hello.")
    chat.hear(engine().live(first), first)
    loaded: list[protocol.Event] = []

    def end(event: protocol.Event) -> None:
        if isinstance(event, protocol.ModelLoaded):
            loaded.append(event)
        if isinstance(event, protocol.ModelLoaded) and len(loaded) == 2:
            life.inbox.put(protocol.ListCached())
        if isinstance(event, protocol.CachedConversations):
            life.inbox.put(protocol.Shutdown())

    loads = WatchedLoads()
    life = one_model_only(tmp_path, model_folder, loads)
    life.live(protocol.Warm("c", tuple(chat.messages)), LoadModel(str(model_folder)), on=end, stores=9)
    assert loads.alive == [False]
    assert life.manager.hot.bytes == 0


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
        assert store.stats().causes["layout"] > 0
    command = chat.ask("Again.")
    assert chat.hear(engine().live(command), command).usage.cached_from == "disk"


def test_without_a_disk_chats_are_answered(tmp_path: Path, model_folder: Path) -> None:
    """A store that cannot be opened costs warmth, never an answer. The event says why."""
    (tmp_path / "segments").write_text("a file where the folder should be")
    life = Engine(tmp_path, model_folder).live(Chat("c").ask("Hello."))
    assert life.finished("c1").reason == "length"
    stored = next(e for e in life.events if isinstance(e, protocol.TurnStored))
    assert stored.error


def test_little_memory_makes_nothing_wrong(tmp_path: Path, model_folder: Path) -> None:
    """If the hot tier has next to no memory, everything is found on disk."""
    chat, life = Chat("c"), Engine(tmp_path, model_folder, hot_bytes=1000)
    first = chat.ask("Hello.")

    def go_on(event: protocol.Event) -> Generate | None:
        if not isinstance(event, protocol.TurnStored) or len(chat.messages) > 3:
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
    save = tier.save

    def lose_and_save(store: SegmentStore, *rest: Any) -> tier.Saved:
        lost.append(store.forget("c"))
        return save(store, *rest)

    def go_on(event: protocol.Event) -> Generate | None:
        if not isinstance(event, protocol.TurnStored) or chat.turns > 1:
            return None
        chat.hear(life, first)
        return chat.ask("More.")

    monkeypatch.setattr(tier, "save", lose_and_save)
    life.live(first, then=go_on)
    assert [size > 0 for size in lost] == [False, True]
    assert [e.error for e in life.events if isinstance(e, protocol.TurnStored)] == ["", ""]
    second = Generate("c2", "c", tuple(chat.messages))
    chat.hear(life, second)
    third = chat.ask("And more.")
    usage = engine().live(third).finished("c3").usage
    assert (usage.cached_from, usage.prefill_tokens) == ("disk", own_tokens("And more."))


def test_the_store_gets_its_budget_and_reports_what_it_holds(engine: Start) -> None:
    """A report names the size and the quota. The surplus is evicted before the next report."""
    chats = [Chat(name) for name in "ab"]
    engine().live(*[chat.ask(f"Hello {chat.name}.") for chat in chats])
    told: list[protocol.Command] = [
        protocol.ReportStore(),
        protocol.SetBudget(1 << 20, ("a",)),
        protocol.SetBudget(0, ("a",)),
        protocol.SetBudget(0),
    ]
    lives = [engine().live(command) for command in told]
    reports = [e for life in lives for e in life.events if isinstance(e, protocol.StoreReport)]
    assert [r.conversations for r in reports] == [2, 2, 2, 0], "what a pinned one shares stays"
    assert [r.quota_bytes for r in reports] == [QUOTA, 1 << 20, 0, 0]
    assert reports[0].held_bytes == reports[1].held_bytes > reports[2].held_bytes > reports[3].held_bytes == 0
    assert {r.trouble for r in reports} == {""}


def test_the_store_lists_the_cached_conversations(tmp_path: Path, model_folder: Path, engine: Start) -> None:
    """Each conversation is listed once, whichever life cached it. The list is empty if the disk cannot be read."""
    engine().live(*[Chat(name).ask(f"Hello {name}.") for name in "ab"])
    assert protocol.CachedConversations(("a", "b")) in engine().live(protocol.ListCached()).events
    assert protocol.CachedConversations(("b",)) in engine().live(protocol.Forget("a"), protocol.ListCached()).events
    (tmp_path / "blind").mkdir()
    (tmp_path / "blind" / "segments").write_text("in the way")
    blind = Engine(tmp_path / "blind", model_folder).live(protocol.ListCached())
    assert protocol.CachedConversations(()) in blind.events


def test_a_state_that_cannot_be_kept_costs_the_state_alone(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the commit of a complete answer fails, the answer ends as usual, an event says that its state is not kept, and
    the next turn gets the same answer as without a cache.
    """
    chat, control = Chat("c"), Chat("c")

    def refuse(*_: object) -> None:
        raise MemoryError("no memory for the records")

    with monkeypatch.context() as patch:
        patch.setattr(turns, "commit", refuse)
        first = chat.ask("Hello there, engine.")
        life = engine().live(first)
    assert chat.hear(life, first).reason == "length"
    assert [e.error for e in life.events if isinstance(e, protocol.TurnStored)] == [NOT_KEPT]
    plain = control.ask("Hello there, engine.", cached=False)
    control.hear(engine().live(plain), plain)
    for text in ("Go on, please.", "And now the end."):
        command, cold = chat.ask(text), control.ask(text, cached=False)
        chat.hear(engine().live(command), command)
        control.hear(engine().live(cold), cold)
    assert [m.content for m in chat.messages] == [m.content for m in control.messages]


def test_a_parser_that_fails_ends_its_own_row_alone(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the output parser of one row does not reach its neighbours."""
    chats = Chat("good"), Chat("bad")
    commands = [chat.ask("Hello there, engine.") for chat in chats]
    said = OutputParser.add

    def add(speech: OutputParser, token: int) -> list[ChannelText]:
        if speech is parsers[1] and speech.answer:
            raise ValueError("unforeseen")
        return list(said(speech, token))

    parsers: list[OutputParser] = []
    made = reply_parser.reply_parser

    def noted(model: LoadedModel, sequence: Sequence) -> OutputParser:
        parsers.append(made(model, sequence))
        return parsers[-1]

    monkeypatch.setattr("engine.server.intake.reply_parser", noted)
    monkeypatch.setattr(OutputParser, "add", add)
    life = engine().live(*commands, stores=1)
    assert [life.finished(command.request).reason for command in commands] == ["length", "failed"]
