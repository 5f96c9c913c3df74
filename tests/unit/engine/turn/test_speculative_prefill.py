"""Speculative prefill through the real server, with a template that strips what it writes before a reply."""

from __future__ import annotations

import pkgutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from engine.memory.machine import Machine
from engine.prompt.chat_template import Rendered
from engine.prompt.tokenization import PromptTokens, tokenize_prompt
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import (
    CacheSizes,
    Forget,
    Forgotten,
    ListCacheSizes,
    ReportStore,
    StoreReport,
    TurnStored,
)
from engine.protocol.messages import ChatMessage, TurnFinished
from tests.fakes import tiny_models
from tests.fakes.chat_tokenizers import TEMPLATES
from tests.fakes.engine_life import GREEDY, Chat, Engine, both, of
from tests.fakes.talk import Talk

FIRST = "Hello there, tell me something long enough to be worth keeping."
NEXT = "And then?"


@pytest.fixture
def stripping(tmp_path: Path) -> Path:
    """A tiny model whose template writes an empty thought before a reply and leaves it out of the history."""
    return tiny_models.let_write(tiny_models.build(tmp_path / "stripping"), (TEMPLATES / "qwen3.jinja").read_text())


def fail(*_: object) -> None:
    raise RuntimeError("a kernel gave up")


def left_pending(home: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> Chat:
    """A chat of one turn, whose engine ended before the history form of its reply was prefilled."""
    chat = Chat("a")
    with monkeypatch.context() as patch:
        patch.setattr("engine.turn.speculative_prefill.prefill_chunk", fail)
        chat.turn(Engine(home, model), FIRST)
    return chat


def seeing_what_comes(life: Engine) -> Callable[[protocol.Event], None]:
    """For `on`: after a report of the store, ends the engine only when the store has reported thirty times more."""
    reports = iter(list[protocol.Command]([*[ReportStore()] * 30, protocol.Shutdown()]))

    def see(event: protocol.Event) -> None:
        if isinstance(event, StoreReport):
            life.inbox.put(next(reports))

    return see


@pytest.mark.parametrize("case", ["hot", "restarted", "private"])
def test_the_next_turn_prefills_its_own_message_only(tmp_path: Path, stripping: Path, case: str) -> None:
    """The stripped form of the last reply is prefilled while the engine is idle, kept on disk unless the chat is
    private, and found by the next turn.
    """
    talk = Talk(tmp_path / "home", stripping, restarted=case == "restarted", on_disk=case != "private")
    if talk.restarted:
        talk.live(talk.ask(FIRST), talk.ask(NEXT), stores=2)
    else:
        talk.live(talk.ask(FIRST), talk.ask(NEXT), after=protocol.Warmed, stores=3)
    usage, life = talk.usage(), talk.lives[-1]
    assert usage.cached_from == ("disk" if case == "restarted" else "hot")
    assert usage.prefill_tokens <= len(f"{NEXT}<assistant\n") + 40
    assert usage.miss_cause == ""
    assert talk.text == talk.cold()
    stored = [*(tmp_path / "home" / "segments").glob("??/*")]
    assert {event.on_disk for event in life.heard(TurnStored)} == {case != "private"} == {bool(stored)}


def test_a_request_comes_before_speculative_prefill(tmp_path: Path, stripping: Path) -> None:
    """A question that arrives before the form is prefilled is answered at once, and right, from the turn before."""
    chat, life = Chat("a"), Engine(tmp_path, stripping)
    life.play(lambda: chat.ask(FIRST), lambda: chat.then(life, NEXT), after=TurnFinished)
    assert life.usage("a2").cached_tokens > 0
    assert life.text("a2") == life.cold(chat.asked[-1])


def test_a_failed_speculative_prefill_costs_nothing(
    tmp_path: Path, stripping: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the failure the next answer is written, and no segment stays in use."""
    life = Engine(tmp_path, stripping)

    def fail_and_end(*_: object) -> None:
        life.inbox.put(protocol.Shutdown())
        fail()

    monkeypatch.setattr("engine.turn.speculative_prefill.prefill_chunk", fail_and_end)
    chat = Chat("a")
    life.live(chat.ask("Hello there."), stores=2)
    assert not life.manager.in_use, "what is given up may be evicted"
    done = Engine(tmp_path, stripping).live(chat.then(life, NEXT)).finished("a2")
    assert (done.reason, done.usage.completion_tokens) == ("length", GREEDY.max_tokens)


def test_opening_a_chat_prefills_a_pending_form(
    tmp_path: Path, stripping: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the app was closed before the form was prefilled, opening the chat prefills it, and not the next question."""
    chat = left_pending(tmp_path, stripping, monkeypatch)
    opened = protocol.Warm("a", tuple(chat.messages))
    life = Engine(tmp_path, stripping).live(opened, stores=1)
    assert [e.cached_tokens < e.prompt_tokens for e in life.heard(protocol.Warmed)] == [True, False]
    assert chat.turn(Engine(tmp_path, stripping), NEXT).usage.prefill_tokens <= len(f"{NEXT}<assistant\n") + 40


def test_nothing_is_prefilled_ahead_if_memory_is_short(tmp_path: Path, stripping: Path) -> None:
    """Speculative prefill takes no memory that an answer may need. The next answer is right without it."""
    chat, free = Chat("a"), iter([1 << 40])
    short = Machine(free_bytes=lambda: next(free, 0))
    life = Engine(tmp_path, stripping, hot_bytes=0, machine=short)
    asking = life.once(of(TurnStored), ReportStore())
    life.live(chat.ask("Hello there."), on=both(asking, seeing_what_comes(life)), stores=9)
    assert not life.heard(protocol.Warmed)
    second = chat.then(life, NEXT)
    assert Engine(tmp_path, stripping).live(second).text(second.request) == life.cold(second)


def test_answers_go_on_while_a_chat_is_opened(tmp_path: Path, stripping: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chat as long as a context takes a second to tokenize. Other tabs get their tokens meanwhile, and a question
    that is asked behind it does not wait.
    """
    life, ended = Engine(tmp_path, stripping), threading.Event()

    def slow(rendered: Rendered, *arguments: Any) -> PromptTokens:
        assert "long" not in rendered.text or ended.wait(20)
        return tokenize_prompt(rendered, *arguments)

    monkeypatch.setattr("engine.turn.prepare.tokenize_prompt", slow)
    opened = protocol.Warm("a", (ChatMessage("user", "A long"), ChatMessage("assistant", "one.")))
    life.live(opened, Chat("b").ask(NEXT), on=lambda event: ended.set() if of(TurnFinished)(event) else None)
    order = [
        e for e in life.events if of(TurnFinished)(e) or (isinstance(e, protocol.Warmed) and e.conversation == "a")
    ]
    assert [type(event) for event in order] == [TurnFinished, protocol.Warmed]


def overtaking(monkeypatch: pytest.MonkeyPatch, life: Engine, waits_for: str, commands: list[protocol.Command]) -> None:
    """Commands arrive while the first conversation that is opened waits for a thread."""
    step: Callable[..., Any] = pkgutil.resolve_name(waits_for)

    def overtaken(*arguments: Any) -> Any:
        while commands:
            life.inbox.put(commands.pop(0))
        return step(*arguments)

    monkeypatch.setattr(waits_for, overtaken)


TOKENIZER, DISK = "engine.turn.prepare.tokenize_prompt", "engine.cache.manager.fetch"


@pytest.mark.parametrize("waits_for", [TOKENIZER, DISK])
def test_a_chat_that_is_asked_while_it_is_opened_gets_one_outcome(
    tmp_path: Path, stripping: Path, monkeypatch: pytest.MonkeyPatch, waits_for: str
) -> None:
    """The request looks up what it needs. Nothing is prefilled for the chat as it was before."""
    chat = left_pending(tmp_path, stripping, monkeypatch)
    opened, asked, life = protocol.Warm("a", tuple(chat.messages)), chat.ask(NEXT), Engine(tmp_path, stripping)
    overtaking(monkeypatch, life, waits_for, [asked, protocol.Cancel(asked.request), ReportStore()])
    life.live(opened, on=seeing_what_comes(life), stores=9)
    assert [event.miss_cause for event in life.heard(protocol.Warmed)] == ["absent"]
    assert life.finished(asked.request).reason == "cancelled"
    assert not life.manager.in_use


def test_a_chat_that_is_opened_twice_gets_two_outcomes(
    tmp_path: Path, stripping: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both find what is kept, and its form is prefilled once."""
    chat = left_pending(tmp_path, stripping, monkeypatch)
    opened, life = protocol.Warm("a", tuple(chat.messages)), Engine(tmp_path, stripping)
    overtaking(monkeypatch, life, TOKENIZER, [structs.replace(opened)])
    life.live(opened, stores=1)
    assert [e.cached_tokens < e.prompt_tokens for e in life.heard(protocol.Warmed)] == [True, True, False]


@pytest.mark.parametrize("waits_for", ["model", TOKENIZER, DISK])
def test_a_chat_forgotten_while_it_is_opened_is_not_prefilled(
    tmp_path: Path, stripping: Path, monkeypatch: pytest.MonkeyPatch, waits_for: str
) -> None:
    """Whatever the opening still waits for, nothing of the chat comes back, in memory or on disk. Nor does the engine
    say after Forgotten that it had.
    """
    chat = left_pending(tmp_path, stripping, monkeypatch)
    opened, forget, life = protocol.Warm("a", tuple(chat.messages)), Forget("a"), Engine(tmp_path, stripping)
    if waits_for != "model":
        overtaking(monkeypatch, life, waits_for, [forget, ReportStore()])
    commands = (opened, forget, ReportStore()) if waits_for == "model" else (opened,)
    life.live(*commands, on=seeing_what_comes(life), stores=9)
    assert life.manager.hot.bytes == 0
    told_after = life.events[life.events.index(Forgotten("a")) :]
    assert not any(isinstance(event, protocol.Warmed) for event in told_after)
    [found] = Engine(tmp_path, stripping).live(ListCacheSizes()).heard(CacheSizes)
    assert found.rows == ()


def test_opening_a_chat_without_memory_for_it_costs_nothing(
    tmp_path: Path, stripping: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first allocation that fails may be that of the chat that is opened, wherever that is. Another answer goes on,
    and the next answer of the opened chat comes.
    """
    chat = left_pending(tmp_path, stripping, monkeypatch)
    for where in ("codec.restore", "miss_cause", "Sequence"):
        other, life = Chat(where).ask("Hello there."), Engine(tmp_path, stripping)
        with monkeypatch.context() as patch:
            patch.setattr(f"engine.turn.speculative_prefill.{where}", fail)
            life.live(other, protocol.Warm("a", tuple(chat.messages)), stores=1)
        assert "a" in {e.conversation for e in life.heard(protocol.Warmed)}
        assert life.usage(other.request).completion_tokens == GREEDY.max_tokens
    second = chat.ask(NEXT)
    assert Engine(tmp_path, stripping).live(second).text(second.request) == life.cold(second)


def test_a_template_that_quotes_a_chat_brings_no_word_of_it_into_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It may refuse the history of a chat whose prompts it takes, with a sentence of its own, which the log leaves out:
    that is on disk, and a chat may be private.
    """
    told = "messages[1].role == 'user' and 'quicksilver' in messages[1].content"
    quoting = f"{{% if messages | length > 2 and {told} %}}{{{{ raise_exception(messages[1].content) }}}}{{% endif %}}"
    template = quoting + (TEMPLATES / "qwen3.jinja").read_text()
    model, chat = tiny_models.let_write(tiny_models.build(tmp_path / "quoting"), template), Chat("a", on_disk=False)
    caplog.set_level("INFO")
    chat.turn(Engine(tmp_path, model), "My word is quicksilver.")
    Engine(tmp_path, model).live(protocol.Warm("a", tuple(chat.messages)))
    assert "no history form for a" in caplog.text
    assert "cannot prewarm a" in caplog.text
    assert "quicksilver" not in caplog.text
