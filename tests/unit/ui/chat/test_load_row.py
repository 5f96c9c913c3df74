"""The line under the composer while a model is loaded."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard
from tests.fakes.views import chat
from ui.chat.chat_tab import ChatTab
from ui.intents.chat import Stop, Submit
from ui.intents.models import StopLoading
from ui.state.chat import ChatPhase, ChatStatus
from ui.state.engine import EngineState, EngineView
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT
from ui.theme.tooltips import plain_tip

READING = EngineView(EngineState.LOADING, "Loading m1 · reading its weights · 42%", 0.42, can_cancel=True)


@pytest.fixture
def tab(qtbot: QtBot) -> ChatTab:
    made = ChatTab(chat("c"), context())
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    return made


def test_a_load_takes_the_place_of_the_figures(tab: ChatTab) -> None:
    """Nothing else moves, and the figures return when the model is ready."""
    before = tab.composer.geometry()
    store().engine.put(READING)
    assert tab.strip.isHidden()
    assert (tab.load_row.label.text(), tab.load_row.accessibleName()) == (READING.text, READING.text)
    assert tab.load_row.height() == tab.strip.height()
    assert tab.composer.geometry() == before
    store().engine.put(EngineView(EngineState.READY))
    assert tab.load_row.isHidden()
    assert not tab.strip.isHidden()


def test_the_bar_shows_what_is_known(tab: ChatTab) -> None:
    """A stage of unknown length has words and no bar. A load that cannot be cancelled has no button."""
    store().engine.put(READING)
    full = tab.load_row.bar.grab().toImage()
    assert full.pixelColor(10, 4).name() == LIGHT.accent.lower()
    assert full.pixelColor(120, 4).name() != LIGHT.accent.lower()
    store().engine.put(EngineView(EngineState.LOADING, "Loading m1…"))
    assert tab.load_row.bar.isHidden()
    assert tab.load_row.button.isHidden()
    appearance.turn_to(DARK)


def test_a_load_can_be_cancelled(tab: ChatTab) -> None:
    """The button is reached by the keyboard, too."""
    store().engine.put(READING)
    intents = heard(sent())
    tab.load_row.button.setFocus()
    tab.load_row.button.click()
    assert intents == [StopLoading()]


def test_a_message_can_be_sent_and_taken_back_during_a_load(tab: ChatTab) -> None:
    """The composer works as ever: Return sends messages, which wait, and Stop takes the first one back."""
    store().engine.put(READING)
    intents = heard(sent(), Submit, Stop)
    tab.composer.edit.setPlainText("Hello")
    tab.composer.submit()
    tab.set_status(ChatStatus(phase=ChatPhase.QUEUED))
    tab.composer.edit.setPlainText("Another")
    tab.composer.submit()
    assert (intents, tab.composer.edit.toPlainText()) == ([Submit("Hello"), Submit("Another")], "")
    tab.composer.button.click()
    assert intents == [Submit("Hello"), Submit("Another"), Stop()]


def test_a_long_name_is_shortened_in_a_narrow_window(tab: ChatTab) -> None:
    """The bar and the button keep their places. The tool tip has the whole text."""
    text = f"Loading {'a-very-long-name-' * 12} · reading its weights · 42%"
    tab.resize(560, 600)
    store().engine.put(EngineView(EngineState.LOADING, text, 0.42, can_cancel=True))
    row = tab.load_row
    assert "…" in row.label.text()
    assert row.toolTip() == plain_tip(text)
    assert row.button.geometry().right() <= row.width()


def test_a_name_that_looks_like_markup_is_shown_as_it_is(tab: ChatTab) -> None:
    """In the line and in its tooltip."""
    store().engine.put(EngineView(EngineState.LOADING, "Loading <b>m1</b>…"))
    assert tab.load_row.label.textFormat() == Qt.TextFormat.PlainText
    assert tab.load_row.toolTip() == "<p>Loading &lt;b&gt;m1&lt;/b&gt;…</p>"
