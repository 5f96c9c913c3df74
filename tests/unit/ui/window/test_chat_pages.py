"""The open chats as pages: what a page that comes later has missed, and which one is turned to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from tests.fakes.views import LARGE, TINY, asked, chat
from ui.state import EngineState, EngineView, ModelCapabilities
from ui.theme.theme import DARK, LIGHT
from ui.window.chat_pages import ChatPages
from ui.window.window_signals import WindowSignals

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def window(qtbot: QtBot) -> WindowSignals:
    made = WindowSignals()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def pages(window: WindowSignals) -> ChatPages:
    made = ChatPages(window, QWidget(), LIGHT)
    window.setCentralWidget(made)
    return made


def test_a_page_that_comes_later_knows_what_all_were_told(pages: ChatPages) -> None:
    """Models, capabilities, engine and theme are as in the pages that were there."""
    pages.set_models((TINY, LARGE), "large")
    pages.set_capabilities(ModelCapabilities(thinks=True))
    pages.set_engine(EngineView(EngineState.FAILED, "It has stopped."))
    pages.set_theme(DARK)
    tab = pages.add(chat("a", asked("m")))
    assert "Large" in tab.composer.edit.placeholderText()
    assert not tab.composer.think_chip.isHidden()
    assert "It has stopped." in tab.strip.accessibleName()
    assert tab.transcript.palette() == DARK.palette()


def test_home_is_shown_where_there_is_no_page(pages: ChatPages) -> None:
    """At first, and for a conversation that is not open any more."""
    home = pages.currentWidget()
    tab = pages.add(chat("a"))
    assert pages.currentWidget() is home
    pages.turn_to("a")
    assert pages.currentWidget() is tab
    pages.remove("a")
    pages.turn_to("a")
    assert (pages.currentWidget(), pages.tab("a")) == (home, None)


def test_the_window_says_what_a_page_says(pages: ChatPages, window: WindowSignals, qtbot: QtBot) -> None:
    """With the conversation before it."""
    tab = pages.add(chat("a"))
    with qtbot.waitSignal(window.submitted) as said:
        tab.submitted.emit("Why?")
    assert said.args == ["a", "Why?"]
