"""The same prompt again, through the real server: it draws its first token without a forward pass, and draws what an
engine without a cache would.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import TurnStored
from engine.protocol.messages import ChatMessage, Focus, Generate
from engine.protocol.sampling_settings import Sampling
from tests.fakes import tiny_models
from tests.fakes.chat_tokenizers import TEMPLATES
from tests.fakes.engine_life import GREEDY, Chat, Engine, counted_passes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

LONG = "Tell me something long enough that its end is worth a checkpoint of its own, please."
OTHERS = {
    "as before": GREEDY,
    "drawn": Sampling(temperature=1.2, top_p=0.9, seed=4, max_tokens=9),
    "penalised": Sampling(temperature=0.0, repetition_penalty=1.5, max_tokens=9),
}


def answered(life: Engine, *steps: Callable[[], Generate | None]) -> Engine:
    """Each request is made when the one before it is stored. The last step makes none."""
    left = [*steps]

    def go_on(event: protocol.Event) -> Generate | None:
        return left.pop(0)() if isinstance(event, TurnStored) and left else None

    first = left.pop(0)()
    assert first
    return life.live(first, then=go_on)


def cold(home: Path, folder: Path, commands: Iterable[Generate]) -> list[str]:
    """The answers of an engine without a cache."""
    (home / "cold").mkdir(exist_ok=True)
    return [
        Engine(home / "cold", folder).live(replace(c, request="x", alternatives=(), cached=False)).text("x")
        for c in commands
    ]


@pytest.mark.sweep
@pytest.mark.parametrize("sampling", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("family", [*tiny_models.CONFIGS, "mamba"])
def test_the_same_prompt_again_needs_no_prefill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str, sampling: Sampling
) -> None:
    """Whatever the kind of caches and the settings: every pass feeds a token that was drawn, and the answer is that of
    an engine without a cache. So is the one after that, again.
    """
    folder = tiny_models.build(tmp_path / family, family)
    read = counted_passes(monkeypatch, family.removesuffix("_text") if family == "llama4" else family)
    chat, life = Chat("c"), Engine(tmp_path, folder)
    first = chat.ask("Hello there.")
    asked = [replace(first, request=name, sampling=sampling) for name in ("again", "and again")]

    def then(command: Generate) -> Callable[[], Generate]:
        def make() -> Generate:
            read.clear()
            return command

        return make

    answered(life, lambda: first, then(asked[0]), then(asked[1]))
    assert set(read) == {1}
    for command, text in zip(asked, cold(tmp_path, folder, asked), strict=True):
        usage = life.finished(command.request).usage
        assert (usage.prefill_tokens, usage.cached_from, usage.miss_cause) == (0, "hot", "")
        assert life.text(command.request) == text


@pytest.mark.parametrize("text", ["Hi.", LONG])
def test_alternatives_draw_from_the_end_too(tmp_path: Path, model_folder: Path, text: str) -> None:
    """Three more answers to the newest question start at the end of its prompt, each with its own seed."""
    chat, life = Chat("c"), Engine(tmp_path, model_folder)
    first = chat.ask(text)
    three = replace(
        first,
        request="a",
        alternatives=("b", "d"),
        sampling=Sampling(temperature=1.0, seed=5, max_tokens=8),
    )
    asked = iter([three])

    def ask(event: protocol.Event) -> None:
        if isinstance(event, TurnStored):
            life.inbox.put(next(asked, Focus("c")))

    life.live(first, on=ask, stores=4)
    singles = [replace(three, sampling=replace(three.sampling, seed=5 + n)) for n in range(3)]
    assert [life.text(r) for r in ("a", "b", "d")] == cold(tmp_path, model_folder, singles)
    assert {life.finished(r).usage.prefill_tokens for r in ("a", "b", "d")} == {0}


def test_an_alternative_outlives_the_leader_that_found_the_end(tmp_path: Path, model_folder: Path) -> None:
    """If the first of two answers is cancelled before it draws, the other one draws from the same logits."""
    life = Engine(tmp_path, model_folder)
    first = Chat("c").ask("Hello there.")
    two = replace(first, request="a", alternatives=("b",), sampling=Sampling(temperature=1.0, seed=5, max_tokens=8))
    asked = iter([two])

    def ask(event: protocol.Event) -> None:
        if isinstance(event, TurnStored):
            life.inbox.put(next(asked, Focus("c")))
        if isinstance(event, protocol.Progress) and event.request == "a" and event.phase == "prefill":
            life.inbox.put(protocol.Cancel("a"))

    life.live(first, on=ask, stores=2)
    assert life.finished("a").reason == "cancelled"
    seeded = replace(two, sampling=replace(two.sampling, seed=6))
    assert [life.text("b")] == cold(tmp_path, model_folder, [seeded])


def test_later_turns_move_the_end(tmp_path: Path, model_folder: Path) -> None:
    """Only the newest prompt has an end. The one before it goes back to a checkpoint."""
    chat, life, made = Chat("c"), Engine(tmp_path, model_folder), list[Generate]()

    def ask(text: str) -> Callable[[], Generate]:
        def make() -> Generate:
            if made:
                chat.hear(life, made[-1])
            made.append(chat.ask(text))
            return made[-1]

        return make

    answered(
        life,
        ask("Hello there."),
        ask("Go on, please."),
        lambda: replace(made[0], request="older"),
        lambda: replace(made[1], request="newest"),
    )
    assert life.finished("older").usage.prefill_tokens > 0
    assert [life.text("older"), life.text("newest")] == cold(tmp_path, model_folder, made)


@pytest.mark.parametrize("reason", ["stop", "length"])
def test_a_template_that_strips_replies_keeps_the_end(tmp_path: Path, reason: str) -> None:
    """No checkpoint of the reply is taken then, and the end of the prompt is in memory by itself."""
    template = (TEMPLATES / "qwen3.jinja").read_text()
    folder = tiny_models.let_write(tiny_models.build(tmp_path / "stripping"), template)
    command = Chat("c").ask("Hello there.")
    if reason == "stop":
        whole = cold(tmp_path, folder, [command])[0]
        command = replace(command, sampling=replace(GREEDY, stop=(whole[-2:],)))
    again = replace(command, request="again")
    life = answered(Engine(tmp_path, folder), lambda: command, lambda: again)
    assert life.finished("c1").reason == reason
    assert life.finished("again").usage.prefill_tokens == 0
    assert life.text("again") == life.text("c1")


def test_another_prompt_does_not_match(tmp_path: Path, model_folder: Path) -> None:
    """An edit, another system prompt and another conversation start where their own text allows."""
    chat, life = Chat("c"), Engine(tmp_path, model_folder)
    first = chat.ask("Hello there.")
    edited = replace(first, request="edited", messages=(*first.messages[:-1], ChatMessage("user", "Hello then.")))
    system = replace(first, request="system", messages=(ChatMessage("system", "Be."), first.messages[-1]))
    others = [edited, system]
    answered(life, lambda: first, *(lambda command=command: command for command in others))
    assert all(life.finished(command.request).usage.prefill_tokens for command in others)
    assert [life.text(command.request) for command in others] == cold(tmp_path, model_folder, others)


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

    answered(life, lambda: command, lose)
    assert life.finished("again").usage.prefill_tokens > 0
    assert life.text("again") == life.text("c1")
