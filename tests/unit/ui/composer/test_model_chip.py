from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QMenu, QStyle
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard, is_a
from tests.fakes.views import LARGE, TINY, chat
from ui.composer.button_row import ModelChip
from ui.intents.chat import FindWarmModels
from ui.intents.models import FreeModel, ShowModels
from ui.state.engine import EngineState, EngineView, ModelView
from ui.theme.theme import ui_font
from ui.widgets.menu import MARGIN_PX
from ui.window.main_window import MainWindow

UNUSED = ModelView("unused", "Unused")


@pytest.fixture
def chip(qtbot: QtBot) -> ModelChip:
    made = ModelChip(context())
    qtbot.addWidget(made)
    made.set_models((TINY, LARGE), "tiny")
    return made


def words(chip: ModelChip) -> list[str]:
    return [action.text() for action in chip.choices.actions()]


def test_the_menu_has_models_and_nothing_of_the_engine(chip: ModelChip) -> None:
    """The inspector shows how a model works; the models page changes it."""
    assert words(chip) == ["Tiny\nfor tests", "Large && slow\nfor patience", "", "Manage models…", "Unload model"]


def test_models_that_are_warm_for_the_chat_are_marked(chip: ModelChip) -> None:
    """In words, whichever comes first: the models or the marks. One that was never loaded is not marked."""
    chip.set_warm(frozenset({"a", "b"}))
    chip.set_models((replace(TINY, identity="a"), replace(LARGE, detail="", identity="b"), UNUSED), "tiny")
    marked = ["Tiny\nready for this chat · for tests", "Large && slow\nready for this chat", "Unused"]
    assert words(chip)[:3] == marked
    assert [action.isChecked() for action in chip.choices.actions()[:3]] == [True, False, False]
    chip.set_warm(frozenset({"b"}))
    assert words(chip)[:3] == ["Tiny\nfor tests", *marked[1:]]


def test_a_mark_is_never_elided(chip: ModelChip) -> None:
    """It takes its room from the detail, so that the menu is not wider for it."""
    long = ModelView("long", "Long", "a very long detail " * 12, "a")
    chip.set_models((long,), "long")
    width = QFontMetrics(ui_font(12)).horizontalAdvance(words(chip)[0].partition("\n")[2])
    chip.set_warm(frozenset({"a"}))
    assert words(chip)[0].startswith("Long\nready for this chat · a very")
    a_letter = 10  # Qt elides whole letters
    assert QFontMetrics(ui_font(12)).horizontalAdvance(words(chip)[0].partition("\n")[2]) <= width + a_letter
    assert f"ready for this chat · {long.detail}" in chip.choices.actions()[0].toolTip()


def test_the_menu_asks_for_the_marks_and_shows_them_while_it_is_open(chip: ModelChip, qtbot: QtBot) -> None:
    """The marks are never older than the menu, and no entry is replaced under the pointer."""
    chip.set_models((replace(TINY, identity="a"), replace(LARGE, identity="b")), "tiny")
    chip.show()
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(FindWarmModels)):
        chip.click()
    entries = chip.choices.actions()
    chip.set_warm(frozenset({"b"}))
    assert chip.choices.isVisible()
    assert chip.choices.actions() == entries
    assert entries[1].text() == "Large && slow\nready for this chat · for patience"
    chip.choices.hide()


def test_many_models_leave_room_for_the_other_entries(chip: ModelChip) -> None:
    """The menu offers the current model, then those that are ready for this chat or for others, then the first of the
    others, and leads to the rest.
    """
    models = tuple(ModelView(f"m{at}", f"Model {at}", "", f"i{at}", int(at == 20)) for at in range(26))
    chip.set_models(models, "m22")
    chip.set_warm(frozenset({"i24"}))
    assert words(chip) == [
        *("Model 22", "Model 24\nready for this chat", "Model 20", *(f"Model {at}" for at in range(7))),
        *("16 more in “Manage models…”", "", "Manage models…", "Unload model"),
    ]
    asked = heard(sent())
    chip.choices.actions()[10].trigger()
    assert asked == [ShowModels()]


def test_a_name_may_be_of_any_length(window: MainWindow) -> None:
    """The menu stays inside the narrowest window, and a tooltip gives the whole name as plain text."""
    window.resize(window.minimumSize())
    window.chats.open(chat("a"))
    long = ModelView("long", "A <b>long</b> name " * 12, "4 bits · " * 30)
    tab = window.chats.tab("a")
    assert tab is not None
    chip = tab.composer.model_chip
    chip.set_models((long, TINY), "long")
    chip.click()
    menu = chip.choices
    shadow = MARGIN_PX
    whole = QRect(window.mapFromGlobal(menu.pos()), menu.size())
    place = whole.adjusted(shadow, shadow, -shadow, -shadow)
    assert 0 <= place.left() < place.right() < window.width()
    entry, other = menu.actions()[:2]
    assert entry.text().startswith("A <b>long</b>")
    assert entry.toolTip().startswith("<p>A &lt;b&gt;long&lt;/b&gt; name A")
    assert other.toolTip() == other.text(), "the default: Qt shows no such tooltip"
    menu.hide()


def test_a_menu_that_is_higher_than_the_screen_scrolls(window: MainWindow) -> None:
    """Not by a second column, whose entries may lie beyond the screen."""
    menu = QMenu(window)
    menu.ensurePolished()
    assert menu.style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, None, menu)


def test_the_menu_leads_to_the_models_page(chip: ModelChip) -> None:
    """By its last entries."""
    asked = heard(sent())
    next(action for action in chip.choices.actions() if action.text() == "Manage models…").trigger()
    assert asked == [ShowModels()]


def test_a_model_in_memory_can_be_unloaded(chip: ModelChip) -> None:
    """And only such a one; a menu that is filled again does not forget it."""
    asked = heard(sent())
    store().engine.put(EngineView(EngineState.UNLOADED))
    chip.choices.actions()[-1].trigger()
    store().engine.put(EngineView(EngineState.READY))
    chip.choices.actions()[-1].trigger()
    chip.set_models((TINY,), "tiny")
    assert chip.choices.actions()[-1].isEnabled()
    store().engine.put(EngineView(EngineState.LOADING))
    assert not chip.choices.actions()[-1].isEnabled()
    assert asked == [FreeModel()]
