"""The generator of training dialogues: deterministic, and without held-out words in the training split."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from resources.demo_training.dialogue import Dialogue
from resources.demo_training.memories import BY_KEY, Recollection, usable
from resources.demo_training.phrasing import ask, is_held_out_phrasing, unfold
from resources.demo_training.script import Player
from resources.demo_training.topics import pair
from resources.demo_training.words import Split, is_held_out

NAME = BY_KEY["name"]


def seeded(seed: int) -> Random:
    """A random generator with a fixed seed."""
    return Random(seed)  # noqa: S311  # dialogues are no secrets


def test_same_seed_same_dialogue() -> None:
    """A seed identifies one dialogue, so that a training run can be repeated."""
    first, second = (list(islice(Dialogue("seed", Split.TRAIN).turns(), 60)) for _ in range(2))
    assert first == second


def test_seeds_differ() -> None:
    """Different seeds give different dialogues."""
    assert list(islice(Dialogue(1, Split.TRAIN).turns(), 20)) != list(islice(Dialogue(2, Split.TRAIN).turns(), 20))


@pytest.mark.parametrize("split", list(Split))
def test_nothing_is_empty_or_padded(split: Split) -> None:
    """No message is empty, and no reply begins or ends with a space that the tokenizer might merge."""
    for seed in range(60):
        for user, reply in islice(Dialogue(seed, split).turns(), 30):
            assert user.strip()
            assert reply == reply.strip() != ""


@pytest.mark.parametrize("split", list(Split))
def test_given_values_stay_on_their_side_of_the_split(split: Split) -> None:
    """Training users never give a held-out value, and evaluation users always do."""
    player = Player(seeded(7), split)
    for memory in usable(split):
        told = [player.own(memory.value) for _ in range(5)]
        assert {is_held_out(value) for value in told} == {split is Split.HELD_OUT}


def test_training_never_uses_a_held_out_phrasing() -> None:
    """The question before its values are filled in decides. Training draws another one."""
    rng = seeded(3)
    held_out = {line for line in (unfold(rng, rng.choice(NAME.ask)) for _ in range(4000)) if is_held_out_phrasing(line)}
    asked = {ask(rng, Split.TRAIN, NAME.ask, {}, []).lower().rstrip("?. ") for _ in range(1500)}
    assert held_out
    assert not asked & {line.lower().rstrip("?. ") for line in held_out}


def test_held_out_sums_are_not_trained() -> None:
    """A pair of larger numbers is on one side of the split, in either order."""
    rng = seeded(5)
    trained = {frozenset(pair(Player(rng, Split.TRAIN), 0, 100)) for _ in range(4000)}
    asked = {frozenset(pair(Player(rng, Split.HELD_OUT), 0, 100)) for _ in range(400)}
    assert not trained & asked


def test_newest_value_wins() -> None:
    """After a change, the expected answer is the new value."""
    told = Recollection(seeded(1), Split.TRAIN)
    told.tell(NAME)
    before = told.newest(NAME)
    told.change()
    after = told.newest(NAME)
    assert before != after
    assert after in told.ask(NAME)[1]


def test_reply_says_that_a_value_was_never_given() -> None:
    """If the user asks for something that was never given, the reply says so."""
    assert "not" in Recollection(seeded(1), Split.TRAIN).ask_untold()[1]
