"""On a device that prepares shapes, edits gain; failing drafts cost their share, and each shape once. Simulated."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.decode.drafts.budget import FIRST_CREDIT, LENGTHS, SHARE
from tests.fakes.preparing_device import SEVERAL, STEP, PreparingDevice
from tests.fakes.rigs import Rig

SLOWEST = 0.23
"""Seconds for a shape: from 0.05 to this were measured on an H200."""

FIRST_ROOM, SECOND_ROOM = 300, 1100
"""Tokens of a prompt after which the answer is in this room."""


@pytest.fixture
def hybrid(rig_of: Callable[[str], Rig]) -> Rig:
    """Keys and values beside recurrent states, which are replayed."""
    return rig_of("lfm2")


def text(tokens: int) -> list[int]:
    chance = random.Random(1)  # noqa: S311 # a text, no secret
    return [chance.randrange(1, 250) for _ in range(tokens)]


def changed(tokens: list[int], every: int) -> list[int]:
    """A text in which one of so many tokens is another one, at irregular places."""
    chance = random.Random(9)  # noqa: S311 # a text, no secret
    return [chance.randrange(1, 250) if not chance.randrange(every) else token for token in tokens]


def losable(tokens: int) -> float:
    """The time that drafts may lose in a first answer of so many tokens: SHARE, the credit after the load, and the
    first pass of each length and shape.
    """
    return SHARE + (FIRST_CREDIT + len(LENGTHS) * 2 * SEVERAL / STEP) / tokens


@pytest.mark.parametrize(("prompt", "preparation"), [(FIRST_ROOM, 0.05), (SECOND_ROOM, SLOWEST)])
def test_a_text_with_many_changes_is_hardly_slower(
    hybrid: Rig, prompt: int, preparation: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One token of eight is changed, so any number of tokens of a draft is accepted."""
    device = PreparingDevice(hybrid, preparation, monkeypatch)
    before, answer = text(prompt), changed(text(300), 8)
    at_load = device.prepared
    first, new = device.write(before, answer), device.prepared - at_load
    assert first - new * preparation / STEP / len(answer) <= 1 + losable(len(answer))
    assert new == (0 if prompt == FIRST_ROOM else len(LENGTHS))
    assert device.write(before, answer) <= 1 + SHARE + FIRST_CREDIT / len(answer)


def test_an_edit_gains_from_its_first_answer_on(hybrid: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shapes of the first room were prepared when the model was loaded."""
    device = PreparingDevice(hybrid, SLOWEST, monkeypatch)
    at_load = device.prepared
    assert device.write(text(500), changed(text(500), 60)) < 1 / 3
    assert device.prepared == at_load > 0


def test_a_long_edit_pays_for_its_next_room(hybrid: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each length of a draft prepares one shape there."""
    device = PreparingDevice(hybrid, 0.1, monkeypatch)
    prompt, at_load = text(700), device.prepared
    assert device.write(prompt, prompt) < 0.5
    assert 0 < device.prepared - at_load <= len(LENGTHS)
    assert device.write(prompt, prompt) < 0.3
