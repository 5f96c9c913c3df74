"""The scripts of the training dialogues: how they are read, and what their marks mean."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

import pytest

from resources.demo_training.dialogue import TOPICS, Dialogue
from resources.demo_training.phrasing import ask, fill
from resources.demo_training.script import Player, outline, steps_of
from resources.demo_training.words import Split


def player(seed: int = 0) -> Player:
    """A player on the side of the training."""
    return Player(Random(seed), Split.TRAIN)  # noqa: S311  # dialogues are no secrets


def test_indentation_makes_a_tree() -> None:
    """A line belongs to the line above that is indented less."""
    text = "# a comment\nname\n    30%: = [names]\n    70%\n        > hi\n\nage\n    = 7\\n"
    (name, below), age = outline(text)
    assert (name, age) == ("name", ("age", "= 7\\n"))
    assert outline(below) == [("30%: = [names]", ""), ("70%", "> hi\n\n")]


def test_forms_of_a_slot() -> None:
    """A slot can begin with a capital, be all capitals, or have an article. One without a value is an error."""
    assert (
        fill("<animal>, <Animal>, <ANIMAL>, <a_animal>, <A_animal>", {"animal": "owl"})
        == "owl, Owl, OWL, an owl, An owl"
    )
    with pytest.raises(KeyError):
        fill("<animal>", {})


def test_what_can_be_drawn() -> None:
    """An entry of lists, a number of a range, the row that has a cell, the value of a scene, what a function makes."""
    assert player().draw("seasons+days:1") in {"spring", "summer", "autumn", "winter", "Monday"}
    assert 3 <= int(player().draw("3-5")) <= 5
    assert player().draw("planets of Mars")[1] == "fourth"
    assert player().fill("[phone_number]").replace(" ", "").isdigit()
    assert player().draw("counted 3 to 1") == "3, 2, 1"
    assert len(set(player().draw("two seasons"))) == 2
    assert player().draw("other seasons but spring, summer, autumn") == "winter"


def test_condition_chooses_a_block() -> None:
    """The first block whose text is like one of its patterns is played, else the one without a condition."""
    steps = steps_of("if <message> like is *|are *: = Yes.\nif <message> like *why*: = Because.\nelse\n    = No.")
    for message, reply in (("Is it?", "Yes."), ("Are you?", "Yes."), ("But why?", "Because."), ("Isn't it?", "No.")):
        script = [(">>", message), *steps]
        assert player().run(script) == [(message, reply)]


def test_inserted_text_keeps_its_choices_open() -> None:
    """What `$name` inserts has its choices made, and its slots filled, where it stands."""
    steps = steps_of('$about = " about {a|the} <hero>"\nhero = owl\n>> A story$about\nhero = fox\n= One$about')
    ((user, reply),) = player().run(steps)
    assert user in {"A story about a owl", "A story about the owl"}
    assert reply in {"One about a fox", "One about the fox"}


def test_a_played_scene_keeps_what_it_sets() -> None:
    """A scene that is played has the values of the other scene, which does not see its changes."""
    own = player()
    own.run(steps_of("play counting"))
    assert "large" not in own.values
    own.run(steps_of("do counting"))
    assert "large" in own.values


def test_only_typed_values_lose_their_capitals() -> None:
    """Users are careless about a name that they type, but not about a word that must be kept as it is."""
    rng = Random(1)  # noqa: S311  # as above
    values = {"name": "Ada", "kept": "ZorBikan"}
    said = {ask(rng, Split.TRAIN, ["it belongs to <name>: <kept>"], values, ["name"]) for _ in range(300)}
    assert all("ZorBikan" in text for text in said)
    assert any("ada" in text for text in said)
    assert any("Ada" in text for text in said)


def test_every_topic_can_be_played() -> None:
    """A misspelt name would end a training run when its scene is first played."""
    for topic in TOPICS:
        for seed in range(60):
            assert player(seed).play(topic)


@pytest.mark.parametrize("split", list(Split))
def test_no_mark_of_the_script_is_left(split: Split) -> None:
    """Every choice is made and every slot is filled."""
    for seed in range(40):
        for turn in islice(Dialogue(f"marks {seed}", split).turns(), 30):
            assert not [text for text in turn if re.search(r"\$\w|<\w+>|\[\w+!?\]", text)]
