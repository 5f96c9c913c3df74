"""The check of what is kept on disk, in the settings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard
from ui.dialogs.storage_pane import StoragePane
from ui.intents.settings import CheckCaches, StopCheck
from ui.state.settings import CheckView, StorageView, StoredChat

GIB = 2**30
VIEW = StorageView(
    held_bytes=10 * GIB, quota_bytes=40 * GIB, chats=(StoredChat("a", "One", 10, GIB), StoredChat("b", "Two"))
)


@pytest.fixture
def pane(qtbot: QtBot) -> StoragePane:
    made = StoragePane(context())
    qtbot.addWidget(made)
    store().storage.put(VIEW)
    return made


def test_all_chats_or_one_can_be_checked(pane: StoragePane) -> None:
    """A chat of which nothing is kept has nothing to check."""
    asked = heard(sent())
    pane.check_button.click()
    pane.chats.rows["a"].check.click()
    pane.chats.rows["b"].check.click()
    assert asked == [CheckCaches(""), CheckCaches("a")]


def test_a_check_shows_its_progress_and_can_be_stopped(pane: StoragePane) -> None:
    """No second one can begin meanwhile. The outcome stays until the next check."""
    asked = heard(sent())
    store().storage.put(replace(VIEW, check=CheckView(is_running=True, done=2 * GIB, total=10 * GIB)))
    assert pane.check.about.text() == "Checking 2 of 10 GB"
    assert not pane.chats.rows["a"].check.isEnabled()
    pane.check_button.click()
    assert asked == [StopCheck()]
    store().storage.put(replace(VIEW, check=CheckView(text="Nothing is wrong.")))
    assert pane.check.about.text() == "Nothing is wrong."
    assert pane.check_button.text() == "Verify"
    assert pane.chats.rows["a"].check.isEnabled()
