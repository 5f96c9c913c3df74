"""The same prompt again, through the real server: it draws its first token without a forward pass, and draws what an
engine without a cache would.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import TurnStored
from engine.protocol.messages import ChatMessage, Focus, Generate
from engine.protocol.sampling_settings import Sampling
from tests.fakes import tiny_models
from tests.fakes.chat_tokenizers import TEMPLATES
from tests.fakes.engine_life import GREEDY, Chat, Engine, at, both, counted_passes, of

LONG = "Tell me something long enough that its end is worth a checkpoint of its own, please."
OTHERS = {
    "as before": GREEDY,
    "drawn": Sampling(temperature=1.2, top_p=0.9, seed=4, max_tokens=9),
    "penalised": Sampling(temperature=0.0, repetition_penalty=1.5, max_tokens=9),
}


def given(command: Generate) -> Callable[[], Generate]:
    return lambda: command


@pytest.mark.sweep(3)
@pytest.mark.parametrize("sampling", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("family", [*tiny_models.CONFIGS, "mamba"])
def test_the_same_prompt_again_needs_no_prefill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str, sampling: Sampling
) -> None:
    """Whatever the kind of caches and the settings: every pass feeds a token that was drawn, and the answer is that of
    an engine without a cache. So it is when it is asked once more.
    """
    folder = tiny_models.build(tmp_path / family, family)
    read = counted_passes(monkeypatch, family.removesuffix("_text") if family == "llama4" else family)
    chat, life = Chat("c"), Engine(tmp_path, folder)
    first = chat.ask("Hello there.")
    asked = [replace(first, request=name, sampling=sampling) for name in ("again", "and again")]

    def cleared(command: Generate) -> Generate:
        read.clear()
        return command

    life.play(given(first), *(partial(cleared, command) for command in asked))
    assert set(read) == {1}
    cold = life.cold(asked[0])
    for command in asked:
        usage = life.usage(command.request)
        assert (usage.prefill_tokens, usage.cached_from, usage.miss_cause) == (0, "hot", "")
        assert life.text(command.request) == cold


@pytest.mark.parametrize("text", ["Hi.", LONG])
def test_alternatives_draw_from_the_end_too(tmp_path: Path, model_folder: Path, text: str) -> None:
    """Three more answers to the newest question start at the end of its prompt, each with its own seed."""
    chat, life = Chat("c"), Engine(tmp_path, model_folder)
    first = chat.ask(text)
    drawn = Sampling(temperature=1.0, seed=5, max_tokens=8)
    three = replace(first, request="a", alternatives=("b", "d"), sampling=drawn)
    life.live(first, on=life.once(of(TurnStored), three, Focus("c")), stores=4)
    singles = [life.cold(replace(three, sampling=replace(drawn, seed=5 + n))) for n in range(3)]
    assert [life.text(r) for r in "abd"] == singles
    assert {life.usage(r).prefill_tokens for r in "abd"} == {0}


def test_an_alternative_outlives_the_leader_that_found_the_end(tmp_path: Path, model_folder: Path) -> None:
    """If the first of two answers is cancelled before it draws, the other one draws from the same logits."""
    life = Engine(tmp_path, model_folder)
    first = Chat("c").ask("Hello there.")
    two = replace(first, request="a", alternatives=("b",), sampling=Sampling(temperature=1.0, seed=5, max_tokens=8))
    ask, cancel = life.once(of(TurnStored), two), life.once(at("a", "prefill"), protocol.Cancel("a"))
    life.live(first, on=both(ask, cancel), stores=2)
    assert life.finished("a").reason == "cancelled"
    assert life.text("b") == life.cold(replace(two, sampling=replace(two.sampling, seed=6)))


def test_later_turns_move_the_end(tmp_path: Path, model_folder: Path) -> None:
    """Only the newest prompt has an end. The one before it goes back to a checkpoint."""
    chat, life = Chat("c"), Engine(tmp_path, model_folder)
    life.play(
        lambda: chat.ask("Hello there."),
        lambda: chat.then(life, "Go on, please."),
        lambda: replace(chat.asked[0], request="older"),
        lambda: replace(chat.asked[1], request="newest"),
    )
    assert life.usage("older").prefill_tokens > 0
    assert [life.text("older"), life.text("newest")] == [life.cold(command) for command in chat.asked]


@pytest.mark.parametrize("reason", ["stop", "length"])
def test_a_template_that_strips_replies_keeps_the_end(tmp_path: Path, reason: str) -> None:
    """No checkpoint of the reply is taken then, and the end of the prompt is in memory by itself."""
    template = (TEMPLATES / "qwen3.jinja").read_text()
    folder = tiny_models.let_write(tiny_models.build(tmp_path / "stripping"), template)
    command = Chat("c").ask("Hello there.")
    if reason == "stop":
        command = replace(command, sampling=replace(GREEDY, stop=(Engine(tmp_path, folder).cold(command)[-2:],)))
    life = Engine(tmp_path, folder).play(given(command), given(replace(command, request="again")))
    assert life.finished("c1").reason == reason
    assert life.usage("again").prefill_tokens == 0
    assert life.text("again") == life.text("c1")


def test_another_prompt_does_not_match(tmp_path: Path, model_folder: Path) -> None:
    """An edit, another system prompt and another conversation start where their own text allows."""
    chat, life = Chat("c"), Engine(tmp_path, model_folder)
    first = chat.ask("Hello there.")
    edited = replace(first, request="edited", messages=(*first.messages[:-1], ChatMessage("user", "Hello then.")))
    system = replace(first, request="system", messages=(ChatMessage("system", "Be."), first.messages[-1]))
    life.play(given(first), given(edited), given(system))
    for command in (edited, system):
        assert life.usage(command.request).prefill_tokens
        assert life.text(command.request) == life.cold(command)


@pytest.mark.parametrize("gone", ["forgotten", "evicted"])
def test_an_end_that_is_gone_costs_a_prefill(tmp_path: Path, model_folder: Path, gone: str) -> None:
    """After the chat was forgotten, or the memory was needed, the same prompt is prefilled again, and the answer is the
    same.
    """
    life = Engine(tmp_path, model_folder)
    command = Chat("c").ask("Hello there.")

    def lose() -> Generate:
        hot = life.manager.hot
        assert hot._ends
        if gone == "forgotten":
            life.manager.forget("c", lambda _: None)
        else:
            hot.evict(1)
        assert not hot._ends
        return replace(command, request="again")

    life.play(given(command), lose)
    assert life.usage("again").prefill_tokens > 0
    assert life.text("again") == life.text("c1")
