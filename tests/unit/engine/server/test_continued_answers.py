"""Answers that were stopped and go on, through the real server: nothing of them is prefilled again, and they become the
answers that they would have been without the stop.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.memory.machine import Machine
from engine.prompt.ledger import pack, unpack
from engine.protocol import messages as protocol
from engine.protocol.messages import ChatMessage, Generate
from engine.protocol.sampling_settings import Sampling
from storage.segments.records import RecordKind
from storage.segments.store import SegmentStore
from tests.fakes import tiny_models
from tests.fakes.chat_tokenizers import TEMPLATES
from tests.fakes.engine_life import GREEDY, QUOTA, Chat, Engine, counted_passes, own_tokens
from tests.fakes.talk import Talk

QUESTION = "Hello there."
SAMPLINGS = {
    "greedy": Sampling(temperature=0.0, max_tokens=30),
    "drawn": Sampling(temperature=1.2, top_p=0.9, seed=4, max_tokens=30),
    "penalised": Sampling(temperature=0.0, repetition_penalty=1.5, max_tokens=30),
}
WHOLE = SAMPLINGS["greedy"].max_tokens
Restarts = pytest.mark.parametrize("restarted", [False, True], ids=["hot", "restarted"])


def up_to(tokens: int, sampling: Sampling = GREEDY) -> Sampling:
    """Stopped after so many tokens."""
    return replace(sampling, max_tokens=tokens)


def tokens_of(ledger: str) -> list[int]:
    """The tokens of an answer. Its text may differ: a stop inside a letter of several tokens divides that letter."""
    entry = unpack(ledger)
    assert entry
    return entry.ids


def answer(talk: Talk) -> list[int]:
    """The tokens of the last answer so far."""
    return tokens_of(talk.chat.messages[-1].ledger)


def change_ledger(talk: Talk, **changes: object) -> None:
    """Change the ledger entry of the last answer."""
    last = talk.chat.messages[-1]
    entry = unpack(last.ledger)
    assert entry
    talk.chat.messages[-1] = replace(last, ledger=pack(replace(entry, **changes)))


def uninterrupted(home: Path, folder: Path, sampling: Sampling) -> list[int]:
    """The tokens of the whole answer, of an engine without a cache."""
    return tokens_of(Engine(home, folder).cold_answer(Chat("x").ask(QUESTION, sampling))[1])


@pytest.fixture
def stopped(tmp_path: Path, model_folder: Path) -> Talk:
    """A chat whose answer was stopped once. Each request is a new life."""
    talk = Talk(tmp_path, model_folder, restarted=True)
    talk.live(talk.ask(QUESTION, up_to(11)))
    return talk


@pytest.mark.sweep(3)
@Restarts
@pytest.mark.parametrize("sampling", SAMPLINGS.values(), ids=SAMPLINGS)
@pytest.mark.parametrize("family", [*tiny_models.CONFIGS, "mamba"])
def test_an_answer_goes_on_without_prefill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str, sampling: Sampling, *, restarted: bool
) -> None:
    """Whatever the kind of caches and the settings, from memory and from disk: every pass feeds a token of the rest of
    the answer, which is the one that it would have had without the stop.
    """
    folder = tiny_models.build(tmp_path / family, family)
    passes = counted_passes(monkeypatch, family.removesuffix("_text") if family == "llama4" else family)
    stopped = Talk(tmp_path, folder, restarted)
    rest = stopped.go_on(up_to(WHOLE - 11, sampling))

    def clear() -> Generate:
        passes.clear()
        return rest()

    stopped.live(stopped.ask(QUESTION, up_to(11, sampling)), clear)
    assert set(passes) == {1}
    usage = stopped.usage(1)
    assert (usage.prefill_tokens, usage.miss_cause) == (0, "")
    assert usage.cached_from == ("disk" if restarted else "hot")
    assert answer(stopped) == uninterrupted(tmp_path, folder, sampling)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("kept", ["hot", "restarted", "private"])
@pytest.mark.parametrize("family", tiny_models.CONFIGS)
def test_an_answer_goes_on_again_and_again(tmp_path: Path, family: str, kept: str) -> None:
    """Each time without prefill. The next question prefills its own tokens only. Nothing of a private answer is on
    disk.
    """
    folder = tiny_models.build(tmp_path / family, family)
    stopped = Talk(tmp_path / "home", folder, restarted=kept == "restarted", on_disk=kept != "private")
    rest = [stopped.go_on(up_to(tokens)) for tokens in (8, 1, WHOLE - 20)]
    stopped.live(stopped.ask(QUESTION, up_to(11)), *rest, stopped.ask("And then?", up_to(5)))
    assert [stopped.usage(at).prefill_tokens for at in (1, 2, 3, 4)] == [0, 0, 0, own_tokens("And then?")]
    assert [stopped.usage(at).miss_cause for at in (1, 2, 3, 4)] == [""] * 4
    assert tokens_of(stopped.chat.messages[2].ledger) == uninterrupted(tmp_path, folder, SAMPLINGS["greedy"])
    assert any((tmp_path / "home").rglob("*.safetensors")) == (kept != "private")


def test_a_cancelled_answer_goes_on_without_prefill(tmp_path: Path, model_folder: Path) -> None:
    """It ends within a step. The token that was drawn when the user stopped it is the first one of the rest, and the
    next turn starts from exactly its last token.
    """
    life, chat = Engine(tmp_path, model_folder), Chat("c")
    command = chat.ask(QUESTION, replace(GREEDY, max_tokens=500))
    life.live(command, on=life.cancelling("c1", letters=5))
    done = chat.hear(life, command)
    assert done.reason == "cancelled"
    left = WHOLE - done.usage.completion_tokens
    assert left > 0, "it did not run on to its length"
    rest = chat.rest("rest", replace(GREEDY, max_tokens=left))
    following = chat.turn(Engine(tmp_path, model_folder), "Go on.").usage
    assert following.cached_tokens == done.usage.prompt_tokens + done.usage.completion_tokens
    later = Engine(tmp_path, model_folder).live(rest)
    assert later.usage("rest").prefill_tokens == 0
    assert tokens_of(later.finished("rest").ledger) == uninterrupted(tmp_path, model_folder, SAMPLINGS["greedy"])


@pytest.mark.parametrize("family", ["qwen3_5", "llama"])
def test_the_records_of_a_stopped_answer_are_those_of_its_parts(tmp_path: Path, family: str) -> None:
    """However often the answer was stopped, no token's keys and values are on disk twice, and of the recurrent states
    only that of the shared prefix and that at the end of the answer.
    """
    folder = tiny_models.build(tmp_path / family, family)
    stopped = Talk(tmp_path, folder, sampling=up_to(3))
    stopped.live(stopped.ask(QUESTION), *[stopped.go_on()] * 6)
    with closing(SegmentStore.open(tmp_path / "segments", QUOTA)) as store:
        keys = {record.segment for record in store.index.records("c")}
        segments = sorted(store.index.lookup([*keys]), key=lambda segment: segment.start)
    end = stopped.usage(6).prompt_tokens + 3
    assert [s.start for s in segments] == [0, *(s.end for s in segments[:-1])]
    assert segments[-1].end == end
    assert {RecordKind.KV in s.records for s in segments} == {True}
    states = [s.end for s in segments if RecordKind.STATE in s.records]
    assert states == ([segments[0].end, end] if family == "qwen3_5" else [])


def test_a_fork_and_alternatives_go_on_without_prefill(tmp_path: Path, model_folder: Path) -> None:
    """A copy of the chat continues the answer in a chat of its own, in three ways. All begin with the token that was
    drawn.
    """
    stopped, sampling = Talk(tmp_path, model_folder), SAMPLINGS["drawn"]
    stopped.live(stopped.ask(QUESTION, up_to(11, sampling)))
    rest = stopped.chat.rest("a", replace(sampling, max_tokens=9))
    life = Engine(tmp_path, model_folder).live(replace(rest, conversation="fork", alternatives=("b", "d")))
    first, *others = [tokens_of(life.finished(name).ledger) for name in "abd"]
    assert {life.usage(name).prefill_tokens for name in "abd"} == {0}
    assert first == uninterrupted(tmp_path, model_folder, replace(sampling, max_tokens=20))
    assert all(other[:12] == first[:12] and other != first for other in others)


def test_another_answer_is_not_drawn_from_a_stopped_one(tmp_path: Path, model_folder: Path, stopped: Talk) -> None:
    """A stopped answer that was continued is answered anew from the end of its question, with the whole answer."""
    stopped.live(stopped.go_on(up_to(5)), stopped.again(up_to(WHOLE)))
    assert stopped.usage(2).prefill_tokens < own_tokens(QUESTION)
    assert answer(stopped) == uninterrupted(tmp_path, model_folder, SAMPLINGS["greedy"])


def test_an_answer_without_a_drawn_token_costs_a_prefill(tmp_path: Path) -> None:
    """A crash leaves none, so the answer is prefilled from the end of its question. Its tokens are the same."""
    folder = tiny_models.build(tmp_path / "llama", "llama")
    stopped = Talk(tmp_path, folder)

    def after_a_crash() -> Generate:
        change_ledger(stopped, drawn=None)
        return stopped.go_on(up_to(WHOLE - 11))()

    stopped.live(stopped.ask(QUESTION, up_to(11)), after_a_crash)
    assert stopped.usage(1).prefill_tokens == 11 + len("<assistant\n")
    assert stopped.usage(1).miss_cause == ""
    assert answer(stopped) == uninterrupted(tmp_path, folder, SAMPLINGS["greedy"])


def test_a_damaged_ledger_fails_no_request(stopped: Talk) -> None:
    """A token that the model does not have, or an impossible place, costs a prefill at most."""
    for field, value in (("drawn", 1 << 30), ("drawn", -1), ("stops", [-1]), ("stops", [1 << 30])):
        change_ledger(stopped, **{field: value})
        stopped.live(stopped.go_on(up_to(5)))
        assert stopped.lives[-1].finished(stopped.asked[-1].request).reason == "length"


def test_a_state_that_is_gone_costs_a_prefill(tmp_path: Path, model_folder: Path, stopped: Talk) -> None:
    """If the records of the stopped answer were evicted, it is prefilled, and goes on as it would have."""
    with closing(SegmentStore.open(tmp_path / "segments", QUOTA)) as store:
        store.forget("c")
    stopped.live(stopped.go_on(up_to(WHOLE - 11)))
    assert stopped.usage(1).cached_tokens == 0
    assert answer(stopped) == uninterrupted(tmp_path, model_folder, SAMPLINGS["greedy"])


@pytest.mark.parametrize("family", ["llama", "qwen3_5"])
def test_an_answer_goes_on_with_other_settings_as_without_a_cache(tmp_path: Path, family: str) -> None:
    """The first token of the rest is the one that was drawn at the stop, also if the prompt must be prefilled. Only the
    later ones are drawn with the new settings.
    """
    stopped = Talk(tmp_path, tiny_models.build(tmp_path / family, family))
    stopped.live(stopped.ask(QUESTION, up_to(11)), stopped.go_on(Sampling(temperature=3.0, seed=9, max_tokens=6)))
    assert stopped.usage().prefill_tokens == 0
    assert stopped.text == stopped.cold()


def test_another_model_does_not_begin_with_a_token_that_it_did_not_draw(tmp_path: Path, stopped: Talk) -> None:
    """It has the same vocabulary, and continues the answer from its own logits: at first, and again when its state is
    warm.
    """
    other = tiny_models.build(tmp_path / "other", "llama", intermediate_size=64)
    rest = stopped.chat.rest("rest", up_to(6))
    change_ledger(stopped, drawn=None)
    own = Engine(tmp_path, other).cold(stopped.chat.rest("rest", up_to(6)))
    for _ in range(2):
        assert Engine(tmp_path, other).live(rest).text("rest") == own


def test_memory_is_reserved_for_the_rest(tmp_path: Path, model_folder: Path, stopped: Talk) -> None:
    """An answer that needs no prefill is refused as any other one if there is no memory for it."""
    full = Engine(tmp_path, model_folder, machine=Machine(free_bytes=lambda: 0))
    done = full.live(replace(stopped.go_on(up_to(1 << 12))(), request="rest"), stores=0).finished("rest")
    assert (done.reason, done.code) == ("failed", "memory_full")


@pytest.mark.sweep(3)
@Restarts
@pytest.mark.parametrize("family", ["qwen3_5", "llama"])
def test_an_answer_that_the_template_changes_goes_on_without_prefill(
    tmp_path: Path, family: str, *, restarted: bool
) -> None:
    """The next question will find another form of the answer. That form is prefilled ahead, and the state at the end of
    the answer as it was written stays beside it.
    """
    template = (TEMPLATES / "qwen3.jinja").read_text()
    folder = tiny_models.let_write(tiny_models.build(tmp_path / family, family), template)
    stopped = Talk(tmp_path, folder)
    rest = (stopped.go_on(up_to(WHOLE - 11)),)
    stopped.live(stopped.ask(QUESTION, up_to(11)), *([] if restarted else rest), after=protocol.Warmed, stores=2)
    if restarted:
        stopped.live(*rest)
    usage = stopped.usage()
    assert (usage.prefill_tokens, usage.miss_cause) == (0, "")
    assert usage.cached_from == ("disk" if restarted else "hot")
    assert answer(stopped) == uninterrupted(tmp_path, folder, SAMPLINGS["greedy"])


def test_an_imported_chat_stays_warm_after_a_continued_answer(tmp_path: Path, model_folder: Path) -> None:
    """Its messages have no ledger. The boundaries between them that the stopped answer noted are still known."""
    stopped = Talk(tmp_path, model_folder, restarted=True)
    for number in range(3):
        stopped.chat.messages += [ChatMessage("user", f"Question {number}?"), ChatMessage("assistant", "Yes, it is.")]
    stopped.live(stopped.ask(QUESTION, up_to(11)), stopped.go_on(up_to(5)), stopped.ask("And then?", up_to(5)))
    assert [stopped.usage(at).prefill_tokens for at in (1, 2)] == [0, own_tokens("And then?")]
    assert [stopped.usage(at).miss_cause for at in (1, 2)] == ["", ""]
