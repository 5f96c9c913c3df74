from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent
from tests.fakes.intents import heard
from ui.intents.models import ConfigureModel
from ui.models.model_settings import ModelSettingsDialog
from ui.state.models import FitView, ModelRow, ModelSettingsView
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT

TINY = ModelRow("/models/tiny", "Tiny", fit=FitView(longest=60_000))
OWN = ModelSettingsView(most_context=100_000, own_name="LFM2 2.6B", own_temperature=0.6)


def opened(qtbot: QtBot, view: ModelSettingsView = OWN) -> ModelSettingsDialog:
    made = ModelSettingsDialog(context(), TINY, view, None)
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.open()
    return made


def saved(dialog: ModelSettingsDialog) -> ModelSettingsView:
    asked = heard(sent())
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    (intent,) = asked
    assert isinstance(intent, ConfigureModel)
    assert intent.model == TINY.id
    return intent.settings


@pytest.mark.parametrize(
    "view",
    [
        OWN,
        ModelSettingsView(),
        ModelSettingsView("Alias", 5000, 100_000, 8, "Be brief.", True, 0.33, 0.9),  # noqa: FBT003 - a view's field
        ModelSettingsView("", 4096, 0, 4, "", False, 0.0, 1.0),  # noqa: FBT003 - a view's field
        ModelSettingsView(context_limit=200_000, most_context=100_000),
    ],
)
def test_saving_without_a_change_changes_nothing(qtbot: QtBot, view: ModelSettingsView) -> None:
    """Also values that the sliders would not offer stay as they are."""
    assert saved(opened(qtbot, view)) == view


def test_everything_can_be_changed_by_mouse_and_keyboard(qtbot: QtBot) -> None:
    """And is returned at once."""
    dialog = opened(qtbot)
    dialog.alias.setText(" My model ")
    dialog.context.slider.setValue(0)
    QTest.mouseClick(dialog.precision.segments[1], Qt.MouseButton.LeftButton)
    QTest.mouseClick(dialog.reasoning.segments[2], Qt.MouseButton.LeftButton)
    QTest.keyClick(dialog.temperature.slider, Qt.Key.Key_End)
    QTest.keyClick(dialog.top_p.slider, Qt.Key.Key_Left)
    dialog.system.setPlainText("Be brief.\n")
    assert saved(dialog) == replace(
        OWN,
        alias="My model",
        context_limit=4096,
        kv_bits=8,
        system="Be brief.",
        thinking=False,
        temperature=2.0,
        top_p=0.95,
    )


def test_the_defaults_are_shown(qtbot: QtBot) -> None:
    """The model's own where it has one, and the longest chat that fits. A slider stands at the value in force."""
    dialog = opened(qtbot)
    assert dialog.temperature.text.text() == "The model's own: 0.6"
    assert dialog.top_p.text.text() == "The app's"
    assert dialog.temperature.slider.value() == 6
    assert dialog.top_p.slider.value() == dialog.top_p.slider.maximum()
    assert dialog.context.text.text() == "Up to 100,000 tokens"
    assert dialog.alias.placeholderText() == "LFM2 2.6B"
    assert "Up to 60,000 tokens fit now." in [label.text() for label in dialog.findChildren(QLabel)]


@pytest.mark.parametrize("reasons", [True, False])
def test_reasoning_is_offered_to_models_that_can(qtbot: QtBot, *, reasons: bool) -> None:
    """A choice that changes nothing is not shown, and what was chosen before is kept."""
    dialog = opened(qtbot, ModelSettingsView(thinking=True, reasons=reasons))
    labels = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert (dialog.reasoning.isVisible(), "Reasoning" in labels) == (reasons, reasons)
    assert saved(dialog).thinking is True


def test_no_limit_is_offered_above_what_fits(qtbot: QtBot) -> None:
    """The right end of the slider is the most."""
    dialog = opened(qtbot)
    dialog.context.slider.setValue(dialog.context.slider.maximum() - 1)
    assert dialog.context.text.text() == "65,536 tokens"


def test_escape_changes_nothing(qtbot: QtBot) -> None:
    """Like Cancel."""
    dialog = opened(qtbot)
    dialog.alias.setText("x")
    asked = heard(sent())
    with qtbot.waitSignal(dialog.rejected):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert asked == []


def test_every_control_has_a_name(qtbot: QtBot) -> None:
    """And a slider says its value in words."""
    dialog = opened(qtbot)
    named = [dialog.alias, dialog.system, dialog.context.slider, dialog.temperature.slider, *dialog.precision.segments]
    assert all(control.accessibleName() for control in named)
    assert dialog.temperature.slider.accessibleDescription() == "The model's own: 0.6"


def test_nothing_is_cut_off(qtbot: QtBot) -> None:
    """The buttons stand below the last field, in both themes."""
    for theme in (LIGHT, DARK):
        appearance.turn_to(theme)
        dialog = ModelSettingsDialog(context(), TINY, OWN, None)
        qtbot.addWidget(dialog)
        dialog.setStyleSheet(theme.qss())
        dialog.show()
        QApplication.processEvents()
        bottom = dialog.system.mapTo(dialog, dialog.system.rect().bottomLeft()).y()
        assert bottom < dialog.save_button.geometry().top()
        assert dialog.rect().contains(dialog.save_button.geometry())


TWO = (("s", "studio"), ("m", "mini"))


def test_a_model_without_other_macs_has_no_choice_of_them(qtbot: QtBot) -> None:
    """Nothing is said of what is not there."""
    assert not opened(qtbot).place.isVisible()


def test_a_model_runs_where_the_user_chooses(qtbot: QtBot) -> None:
    """On this Mac, with one other, or with all."""
    dialog = opened(qtbot, replace(OWN, other_macs=TWO))
    assert dialog.place.text() == "This Mac"
    entries = {entry.text(): entry for entry in dialog.place.choices.actions()}
    assert list(entries) == ["This Mac", "This Mac and studio", "This Mac and mini", "3 Macs"]
    entries["This Mac and mini"].trigger()
    assert dialog.place.text() == "This Mac and mini"
    assert saved(dialog).macs == ("m",)


def test_the_same_macs_are_offered_once(qtbot: QtBot) -> None:
    """One of them was paired again and is last now. In another order they would read each chat again."""
    dialog = opened(qtbot, replace(OWN, macs=("m", "s"), other_macs=TWO))
    assert [entry.text() for entry in dialog.place.choices.actions()].count("3 Macs") == 1
    assert saved(dialog).macs == ("m", "s")


def test_macs_that_are_no_longer_paired_stay_until_the_user_changes_them(qtbot: QtBot) -> None:
    """Other settings can be saved meanwhile."""
    view = replace(OWN, macs=("gone",), other_macs=TWO)
    assert saved(opened(qtbot, view)) == view
