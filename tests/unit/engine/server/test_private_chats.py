"""Chats whose state stays in memory, through the real server: as warm as others, and never on disk."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import Forget, ReportStore, StoreReport, TurnStored
from engine.protocol.messages import ChatMessage, Deltas, Generate, Shutdown, Warm
from tests.fakes import tiny_models
from tests.fakes.engine_life import GREEDY, Chat, Engine, own_tokens

Script = Iterator[tuple[list[protocol.Command], type[protocol.Event], int]]
"""Steps of a life: commands, and the events after which the next step is taken: their class and their number."""

TEXTS = ["Hello there.", "Go on, please.", "And what then?", "Tell me the end."]
LONG = "Tell me something long enough that its end is worth a checkpoint of its own, please."


@pytest.fixture
def chat() -> Chat:
    """The app's copy of a private conversation, whose state stays in memory."""
    return Chat("private", on_disk=False)


def play(life: Engine, script: Script) -> None:
    """Live through a script. It goes on when a step has ended, so its commands may contain the answers of that step."""
    first, awaited, count = next(script)

    def on(event: protocol.Event) -> None:
        nonlocal awaited, count
        count -= isinstance(event, awaited)
        if count == 0:
            commands, awaited, count = next(script, ([Shutdown()], protocol.Rejected, 1))
            for command in commands:
                life.inbox.put(command)

    life.live(*first, on=on, stores=1 << 20)


def files(home: Path) -> dict[str, bytes]:
    """Every file below a folder, with its bytes."""
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("family", tiny_models.CONFIGS)
def test_each_turn_reads_only_what_is_new(tmp_path: Path, family: str, chat: Chat) -> None:
    """Whatever the kind of caches. The answers are those of an engine without a cache."""
    life = Engine(tmp_path / "home", tiny_models.build(tmp_path / family, family))
    life.play(lambda: chat.ask(TEXTS[0]), *(partial(chat.then, life, text) for text in TEXTS[1:]))
    assert {(event.error, event.on_disk) for event in life.heard(TurnStored)} == {("", False)}
    usages = [life.usage(command.request) for command in chat.asked]
    assert [(usage.cached_from, usage.miss_cause) for usage in usages] == [("none", "new"), *[("hot", "")] * 3]
    assert [usage.prefill_tokens for usage in usages[1:]] == [own_tokens(text) for text in TEXTS[1:]]
    assert [life.text(command.request) for command in chat.asked] == [life.cold(one) for one in chat.asked]


@pytest.mark.parametrize("family", ["qwen3_5", "llama"])
def test_no_byte_reaches_the_disk(tmp_path: Path, family: str, chat: Chat) -> None:
    """Not with its turns, alternatives, a stopped answer, its opening, and not when it is forgotten. Beside it is a
    chat with the same words that is kept on disk.
    """
    folder, home = tiny_models.build(tmp_path / family, family), tmp_path / "home"
    life, seen, kept = Engine(home, folder), list[dict[str, bytes]](), Chat("kept").ask(TEXTS[0])

    def script() -> Script:
        yield [kept], TurnStored, 1
        yield [ReportStore()], StoreReport, 1
        seen.append(files(home))
        first = chat.ask(TEXTS[0])
        yield [first], TurnStored, 1
        chat.hear(life, first)
        yield [replace(chat.ask(TEXTS[1]), alternatives=("two", "three"))], TurnStored, 3
        history = (*chat.messages[:-1], ChatMessage("user", LONG))
        endless = replace(GREEDY, max_tokens=4000)
        yield [Generate("stopped", chat.name, history, endless, on_disk=False)], Deltas, 3
        yield [protocol.Cancel("stopped")], TurnStored, 1
        yield [Warm(chat.name, tuple(chat.messages[:3]), on_disk=False)], protocol.Warmed, 1
        yield [Forget(chat.name, on_disk=False), ReportStore()], StoreReport, 1
        seen.append(files(home))

    play(life, script())
    before, after = seen
    assert any(name.endswith(".safetensors") for name in before), "the other chat is kept there"
    assert after == before
    assert life.finished("stopped").reason == "cancelled"
    assert life.usage("two").cached_from == "hot"


def test_no_other_chat_is_warm_from_it(tmp_path: Path, model_folder: Path, chat: Chat) -> None:
    """The figures of a chat that is kept are saved. They do not show that a private chat had the same words, and the
    private one gains nothing from the other.
    """
    life, first = Engine(tmp_path, model_folder), chat.ask(TEXTS[0])
    kept = replace(first, request="kept", conversation="kept", on_disk=True)
    again = replace(first, request="again", conversation="other", on_disk=False)
    gone = Forget("private", on_disk=False)
    play(life, iter([([first], TurnStored, 1), ([kept], TurnStored, 1), ([gone, again], TurnStored, 1)]))
    usages = [life.usage(request) for request in (first.request, "kept", "again")]
    assert [(usage.cached_tokens, usage.cached_from, usage.miss_cause) for usage in usages] == [(0, "none", "new")] * 3
    assert len({life.text(request) for request in (first.request, "kept", "again")}) == 1


def test_it_is_forgotten_with_its_tab(tmp_path: Path, model_folder: Path, chat: Chat) -> None:
    """Also while an answer is being written. Nothing of it is in memory then."""
    life, left = Engine(tmp_path, model_folder), list[tuple[int, int, bool]]()

    def script() -> Script:
        yield [chat.ask(TEXTS[0])], TurnStored, 1
        yield [chat.then(life, TEXTS[1], replace(GREEDY, max_tokens=4000))], Deltas, 3
        yield [protocol.Cancel("private2"), Forget("private", on_disk=False), ReportStore()], StoreReport, 1
        left.append((life.manager.hot.bytes, life.manager.hot.arrays, life.manager.has("private")))

    play(life, script())
    assert life.usage("private2").cached_from == "hot", "it was there"
    assert left == [(0, 0, False)]
