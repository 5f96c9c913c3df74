"""The language of a window that is open changes at once, and nothing of what the user had there is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.documents import reading
from app.documents.limits import ReadOutcome
from tests.end2end.conftest import Desk
from ui.dialogs.settings_dialog import SettingsDialog
from ui.intents.chat import Attach, InChat, Open
from ui.intents.settings import CheckCaches, SetPreferences, StopCheck
from ui.models.models_page import HUB
from ui.transcript.scrolling import ReadingPlace

pytestmark = pytest.mark.usefixtures("echo")


def speak(desk: Desk, language: Literal["en", "de"]) -> None:
    window, arranged = desk.app.window, []
    window.requested.emit(SetPreferences(replace(window.store.preferences.now, language=language)))
    window.chats.restored.connect(lambda: arranged.append(True))
    desk.until(lambda: bool(arranged))


def test_the_window_speaks_another_language_at_once(desk: Desk) -> None:
    """Tabs, the draft, an edit in progress and the page of the settings survive, also of a private chat. The settings
    tell the outcome of a check in the new language, and their page of the Macs is enabled.
    """
    window = desk.open().window
    one = window.tabs.current()
    desk.send(one, "What is warm?")
    desk.until(lambda: desk.is_idle(one) and len(desk.tab(one).transcript.messages) == 2)
    desk.tab(one).editing.begin_newest()
    desk.tab(one).composer.edit.setPlainText("What is cold?")
    desk.app.conversations.creation.new_private()
    desk.until(lambda: window.tabs.current() != one)
    private = window.tabs.current()
    desk.tab(private).composer.edit.setPlainText("a secret")
    window.dialogs.open_settings()
    window.requested.emit(CheckCaches())
    window.requested.emit(StopCheck())
    speak(desk, "de")
    assert window.tabs.current() == private
    assert window.tabs.order() == (one, private)
    assert desk.tab(private).composer.edit.toPlainText() == "a secret"
    assert desk.tab(one).composer.edit.toPlainText() == "What is cold?"
    assert desk.tab(one).composer.edited
    [settings] = [dialog for dialog in window.findChildren(SettingsDialog) if dialog.isVisible()]
    assert settings.windowTitle() == "Einstellungen"
    desk.until(lambda: settings.advanced.rows["Check for damage"].about.text().startswith("Die Prüfung wurde nach"))
    settings.open_page("Macs")
    desk.until(settings.macs.isEnabled)
    settings.close()
    speak(desk, "en")
    assert window.dialogs.settings is None


def test_the_models_page_stays_in_front(desk: Desk) -> None:
    """The tabs behind it open again, and then one of them comes to the front if the user turns to it."""
    window = desk.open().window
    one = window.tabs.current()
    desk.new_chat()
    window.stage.show_models(place=HUB)
    speak(desk, "de")
    assert window.tabs.order()[0] == one
    assert (window.stage.place() is window.models, window.models.place()) == (True, HUB)
    assert window.models.isAncestorOf(window.focusWidget())
    window.requested.emit(InChat(one, Open()))
    desk.until(window.stage.shows_chats)


def test_the_place_in_the_text_survives(desk: Desk) -> None:
    """A user who has scrolled up in a long chat reads on at the same line."""
    chat = desk.open().window.tabs.current()
    desk.send(chat, "\n\n".join(f"Paragraph {line}" for line in range(80)))
    desk.until(lambda: desk.is_idle(chat) and len(desk.tab(chat).transcript.messages) == 2)
    desk.until(lambda: desk.tab(chat).transcript.is_settled)
    bar = desk.tab(chat).transcript.verticalScrollBar()
    desk.until(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum() // 2)
    place = ReadingPlace.of(desk.tab(chat).transcript)
    assert place.message
    speak(desk, "de")
    desk.until(lambda: ReadingPlace.of(desk.tab(chat).transcript) == place)


def test_a_message_that_waits_for_its_file_is_still_sent(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user has sent it, and was told that it goes as soon as the file is read."""
    window, is_read = desk.open().window, threading.Event()
    chat = window.tabs.current()

    def read(_: Path, _stopped: Callable[[], bool]) -> ReadOutcome:
        assert is_read.wait(20)
        return ReadOutcome("words of a file")

    monkeypatch.setattr(reading, "read", read)
    window.requested.emit(InChat(chat, Attach((str(tmp_path / "slow.pdf"),))))
    desk.until(lambda: len(desk.tab(chat).composer.attachments.draft) == 1)
    desk.tab(chat).composer.edit.setPlainText("Look at it")
    desk.tab(chat).composer.submit()
    speak(desk, "de")
    assert desk.tab(chat).composer.edit.toPlainText() == "Look at it"
    is_read.set()
    desk.until(lambda: desk.is_idle(chat) and len(desk.tab(chat).transcript.messages) == 2)
    assert desk.tab(chat).transcript.messages[0].view.text == "Look at it"


def test_what_is_typed_in_the_pane_is_kept(desk: Desk, qtbot: QtBot) -> None:
    """The user has clicked into the settings, so no field there was left for another one of the window."""
    window = desk.open().window
    desk.send(window.tabs.current(), "What is warm?")
    desk.until(lambda: desk.is_idle(window.tabs.current()))
    window.desk.set_inspecting(inspecting=True)
    labels = window.desk.inspector.labels
    desk.until(labels.isVisible)
    with qtbot.waitActive(window):
        window.activateWindow()
    labels.tags.setFocus()
    QTest.keyClicks(labels.tags, "urgent")
    window.dialogs.open_settings()
    speak(desk, "de")
    desk.until(lambda: window.desk.inspector.labels.tags.text() == "urgent")
    speak(desk, "en")
