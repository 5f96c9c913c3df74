"""The pages of the open chats."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard
from tests.fakes.views import LARGE, TINY, asked, chat
from ui.intents.chat import InChat, Submit
from ui.intents.models import FreeModel, PickModel
from ui.state.engine import EngineState, EngineView, ModelCapabilities, OfferedModels
from ui.theme.appearance import appearance
from ui.theme.theme import DARK
from ui.window.chat_pages import ChatPages
from ui.window.tab_strip import TabStrip


@pytest.fixture
def pages(qtbot: QtBot) -> ChatPages:
    made = ChatPages(context(), TabStrip())
    qtbot.addWidget(made)
    return made


def test_a_later_page_has_the_present_state(pages: ChatPages) -> None:
    """A new page gets the models, the capabilities, the engine's state and the theme that the others have."""
    store().models.put(OfferedModels((TINY, LARGE), "large"))
    store().capabilities.put(ModelCapabilities(thinks=True))
    store().engine.put(EngineView(EngineState.FAILED, "It has stopped."))
    appearance.turn_to(DARK)
    tab = pages.add(chat("a", asked("m")))
    assert "Large" in tab.composer.edit.placeholderText()
    assert not tab.composer.think_chip.isHidden()
    assert "It has stopped" in tab.strip.accessibleName()
    assert tab.transcript.palette() == DARK.palette()


def test_home_is_shown_where_there_is_no_page(pages: ChatPages) -> None:
    """At the start, and for a conversation whose page was removed."""
    home = pages.currentWidget()
    tab = pages.add(chat("a"))
    assert pages.currentWidget() is home
    pages.turn_to("a")
    assert pages.currentWidget() is tab
    pages.remove("a")
    pages.turn_to("a")
    assert (pages.currentWidget(), pages.open.get("a")) == (home, None)


def test_a_page_adds_its_conversation(pages: ChatPages) -> None:
    """Except to the choice of a model, which applies to all chats."""
    tab = pages.add(chat("a"))
    said = heard(sent())
    for intent in (Submit("Why?"), PickModel("large"), FreeModel()):
        tab._context.send(intent)
    assert said == [InChat("a", Submit("Why?")), PickModel("large"), FreeModel()]
