from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel

from tests.fakes.intents import heard, is_a
from tests.fakes.views import LARGE, TINY
from ui.composer.model_chip import ModelChip
from ui.model_intents import PickKvBits, ShowModels, UnloadModel
from ui.state import ModelCapabilities
from ui.theme.theme import LIGHT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

CAPABILITIES = ModelCapabilities(lines=("Chats are kept warm.", "Answers alone."), kv_bits=8)


@pytest.fixture
def chip(qtbot: QtBot) -> ModelChip:
    made = ModelChip(LIGHT)
    qtbot.addWidget(made)
    made.set_models((TINY, LARGE), "tiny")
    return made


def words(chip: ModelChip) -> list[str]:
    return [action.text() for action in chip.choices().actions()]


def test_before_a_model_is_loaded_only_models_are_offered(chip: ModelChip) -> None:
    """Its capabilities are not known yet."""
    assert words(chip) == ["Tiny  —  for tests", "Large && slow  —  for patience", "", "Manage models…", "Unload model"]
    assert chip.precisions() == []


def test_the_loaded_model_is_described_below(chip: ModelChip) -> None:
    """In lines that cannot be clicked, also after the models have changed."""
    chip.set_capabilities(CAPABILITIES)
    chip.set_models((TINY,), "tiny")
    assert words(chip) == [
        *("Tiny  —  for tests", "", "Chats are kept warm.\nAnswers alone.", ""),
        *("Cache precision", "Full", "8-bit", "4-bit", "", "Manage models…", "Unload model"),
    ]
    labels = [label.text() for label in chip.choices().findChildren(QLabel)]
    assert labels == ["Chats are kept warm.\nAnswers alone.", "Cache precision"]


def test_a_precision_is_checked_once_the_app_says_so(chip: ModelChip, qtbot: QtBot) -> None:
    """The choice is only requested: the model may have to be loaded again."""
    chip.set_capabilities(CAPABILITIES)
    with qtbot.waitSignal(chip.requested, check_params_cb=is_a(PickKvBits)) as picked:
        chip.precisions()[2].trigger()
    assert picked.args == [PickKvBits(4)]
    assert [action.isChecked() for action in chip.precisions()] == [False, True, False]
    chip.set_capabilities(ModelCapabilities(kv_bits=4))
    assert [action.isChecked() for action in chip.precisions()] == [False, False, True]


def test_warm_models_are_marked(chip: ModelChip) -> None:
    """With the number of chats that need no prefill."""
    chip.set_models((replace(TINY, warm_chats=2), replace(LARGE, detail="", warm_chats=1)), "tiny")
    assert words(chip)[:2] == ["Tiny  —  for tests · warm in 2 chats", "Large && slow  —  warm in 1 chat"]
    assert [action.isChecked() for action in chip.choices().actions()[:2]] == [True, False]


def test_the_menu_leads_to_the_models_page(chip: ModelChip) -> None:
    """By its last entries."""
    asked = heard(chip)
    next(action for action in chip.choices().actions() if action.text() == "Manage models…").trigger()
    assert asked == [ShowModels()]


def test_a_model_in_memory_can_be_unloaded(chip: ModelChip) -> None:
    """And only such a one; a menu that is filled again does not forget it."""
    asked = heard(chip)
    chip.choices().actions()[-1].trigger()
    chip.set_can_unload(True)
    chip.choices().actions()[-1].trigger()
    chip.set_models((TINY,), "tiny")
    assert chip.choices().actions()[-1].isEnabled()
    chip.set_can_unload(False)
    assert not chip.choices().actions()[-1].isEnabled()
    assert asked == [UnloadModel()]
