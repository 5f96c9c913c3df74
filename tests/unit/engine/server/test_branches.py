"""Going back in a chat: regenerate, edit, fork and step between alternatives, in the same life and after a restart.

Through the real server. Each return prefills one turn at most, if that turn's checkpoint is kept, and gets the answer
of an engine without a cache.
"""

from __future__ import annotations

import threading
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from engine.cache.disk import disk_tier
from engine.decode.prefill import FAR_TOKENS
from engine.protocol.messages import ChatMessage, Generate, TurnFinished
from engine.protocol.sampling_settings import Sampling
from tests.fakes.engine_life import own_tokens
from tests.fakes.talk import Step, Talk

BRIEF = Sampling(temperature=0.0, max_tokens=6)
OTHERWISE = Sampling(temperature=1.0, seed=3, max_tokens=6)
FOUR = ("Hello there.", "Go on, please.", "And what then?", "Tell me the end.")


def live(talk: Talk, source: str, *steps: Step) -> None:
    """All requests in one life, or the last one after a restart, if its source is the disk."""
    if source == "disk":
        talk.live(*steps[:-1])
    talk.live(*(steps[-1:] if source == "disk" else steps))


@pytest.fixture
def talk(tmp_path: Path, model_folder: Path) -> Talk:
    return Talk(tmp_path, model_folder, sampling=BRIEF)


sources = pytest.mark.parametrize("source", ["hot", "disk"])


@sources
def test_regenerating_the_last_answer_prefills_no_earlier_turn(talk: Talk, source: str) -> None:
    """The end of the prompt is in memory. After a restart only the question is prefilled again."""
    live(talk, source, *map(talk.ask, FOUR), talk.again())
    usage = talk.usage()
    assert talk.text == talk.cold()
    assert (usage.cached_from, usage.miss_cause) == (source, "")
    assert usage.prefill_tokens == (0 if source == "hot" else own_tokens(FOUR[-1]))


def test_a_long_question_is_not_prefilled_again_after_a_restart(talk: Talk) -> None:
    """The state before its answer is on disk, because no other one is near."""
    question = "Tell me the end. " * (FAR_TOKENS // 16)
    live(talk, "disk", talk.ask(question), talk.again())
    usage = talk.usage()
    assert talk.text == talk.cold()
    assert (usage.cached_from, usage.miss_cause) == ("disk", "")
    assert usage.prefill_tokens < 16


@pytest.mark.parametrize(("turns", "conversation"), [(1, "c"), (2, "fork")])
@sources
def test_an_edit_and_a_fork_prefill_their_first_message_alone(
    talk: Talk, source: str, turns: int, conversation: str
) -> None:
    """The chat before an edited message is restored, whichever message it is, and so is it if another conversation
    continues from there.
    """
    edited = talk.ask("Otherwise.", after=lambda: talk.chat.messages[: 1 + 2 * turns], conversation=conversation)
    live(talk, source, *map(talk.ask, FOUR), edited)
    usage = talk.usage()
    assert talk.text == talk.cold()
    assert (usage.cached_from, usage.prefill_tokens) == (source, own_tokens("Otherwise."))


@sources
def test_an_earlier_alternative_can_be_continued(talk: Talk, source: str) -> None:
    """The user chooses another answer, continues there and steps back: the end of the first answer is still a
    checkpoint.
    """
    first: list[list[ChatMessage]] = []

    def otherwise() -> Generate:
        first.append([*talk.chat.messages])
        return talk.again(OTHERWISE)()

    before = [*map(talk.ask, FOUR), otherwise, talk.ask("Here then."), talk.ask("And here.")]
    live(talk, source, *before, talk.ask("Back to the first.", after=lambda: first[0]))
    usage = talk.usage()
    assert talk.text == talk.cold()
    assert first[0][-1].content != talk.lives[4].text("r4"), "the alternative did say something else"
    assert (usage.cached_from, usage.prefill_tokens) == (source, own_tokens("Back to the first."))


def test_a_slow_disk_keeps_the_checkpoint_to_regenerate_from(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk stores no turn until the last one has ended, each turn continues from memory. The last answer is
    still regenerated after a restart, and only its question is prefilled.
    """
    gate, save = threading.Event(), disk_tier.save

    def slow(*arguments: Any) -> disk_tier.Saved:
        assert gate.wait(60)
        return save(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(disk_tier, "save", slow)
        ends = count(1)
        talk.live(
            *map(talk.ask, FOUR),
            after=TurnFinished,
            on=lambda event: gate.set() if isinstance(event, TurnFinished) and next(ends) == len(FOUR) else None,
        )
    usages = [talk.usage(number) for number in (1, 2, 3)]
    assert [(usage.cached_from, usage.miss_cause) for usage in usages] == [("hot", "")] * 3
    assert [usage.prefill_tokens for usage in usages] == [own_tokens(text) for text in FOUR[1:]]
    talk.live(talk.again())
    usage = talk.usage()
    assert talk.text == talk.cold()
    assert (usage.cached_from, usage.prefill_tokens) == ("disk", own_tokens(FOUR[-1]))


def test_an_edit_in_a_long_chat_starts_from_the_nearest_checkpoint(talk: Talk) -> None:
    """After a restart, an edit after a turn with a checkpoint prefills its message only. After another turn it prefills
    the turns since the nearest checkpoint.
    """
    turns = 12
    talk.live(*(talk.ask(f"Message {number}.") for number in range(turns)))
    whole = [*talk.chat.messages]
    read = {}
    for turn in range(1, turns + 1):
        kept = whole[: 1 + 2 * turn]
        talk.live(talk.ask("Edited.", after=[kept].pop, conversation=f"e{turn}"))
        assert talk.usage().cached_from == "disk"
        read[turn] = talk.usage().prefill_tokens
    one = own_tokens("Edited.")
    assert {turn for turn, tokens in read.items() if tokens == one} == {4, 6, 8, 9, 10, 11, 12}
    longest = own_tokens("Message 10.") + BRIEF.max_tokens
    assert all(tokens <= one + (turns - turn) * longest for turn, tokens in read.items())
