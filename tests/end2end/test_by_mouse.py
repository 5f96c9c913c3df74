"""What only Hearth can say, and what is kept ready: by mouse, with the real engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.base import paths
from app.models import measurements
from app.models.measurements import Measured
from tests.end2end.conftest import Desk
from tests.fakes.pages import span_point
from ui.dialogs.attached_file import FileSheet
from ui.dialogs.prompts_dialog import PromptsDialog
from ui.dialogs.settings_dialog import SettingsDialog
from ui.widgets.menu import Menu
from ui.window.main_window import MainWindow

W = TypeVar("W", bound=QWidget)


@pytest.fixture
def chat(desk: Desk, answers: Callable[[int], None]) -> str:
    """A window with a chat of one turn."""
    answers(16)
    chat = desk.open().window.tabs.current()
    desk.send(chat, "My code word is marigold")
    desk.until(lambda: desk.is_idle(chat) and bool(desk.answer(chat).footer))
    return chat


def click(widget: QWidget, place: QPoint | None = None) -> None:
    assert widget.isVisible(), "the widget is hidden, so a user cannot click it"
    assert widget.isEnabled(), "nothing would happen"
    none = Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, none, place or widget.rect().center())


def shown(kind: type[W], inside: QWidget) -> W:
    (found,) = [one for one in inside.findChildren(kind) if one.isVisible()]
    return found


def button(words: str, inside: QWidget) -> QAbstractButton:
    (found,) = [one for one in inside.findChildren(QAbstractButton) if one.isVisible() and one.text() == words]
    return found


def settings_at(desk: Desk, page: str) -> SettingsDialog:
    """The settings, opened by the button below the chats, at one of their pages."""
    window = desk.app.window
    click(window.sidebar.footer.settings_button)
    desk.until(lambda: window.dialogs.settings is not None and window.dialogs.settings.isVisible())
    settings = window.dialogs.settings
    assert settings is not None
    click(button(page, settings))
    return settings


def _says(found: Callable[[], QAbstractButton], words: str) -> bool:
    return found().isVisible() and found().isEnabled() and found().text().startswith(words)


def pick(window: MainWindow, words: str) -> None:
    """Click the entry of the palette that says these words."""
    entries = window.palette_box.list
    rows = [entries.model().index(row, 0) for row in range(entries.model().rowCount())]
    (found,) = [row for row in rows if row.data() == words]
    click(entries.viewport(), entries.visualRect(found).center())


def test_a_return_says_what_it_saved(desk: Desk, chat: str, model: Path) -> None:
    """On a machine that reads slowly: in the strip, then in the chat's pane, and after the next answer in that answer's
    line and under Storage.
    """
    file = paths.find().data / "measurements.json"
    desk.close()
    told = measurements.load(file)
    measurements.save(told | {str(model): Measured(told[str(model)].identity, reading=8.0)}, file)
    window = desk.open().window
    desk.until(lambda: "restored in " in desk.tab(chat).strip.accessibleName())
    assert " instead of about " in desk.tab(chat).strip.accessibleName()
    click(window.tab_row.inspector_button)
    memory = window.desk.inspector.memory
    desk.until(lambda: memory.pill.accessibleName() == "Ready at once")
    facts = dict(memory._view.facts)
    assert " instead of about " in facts["Restored"]
    desk.send(chat, "What is my code word?")
    desk.until(lambda: desk.is_idle(chat) and "restored in " in desk.answer(chat).footer)
    settings = settings_at(desk, "Storage")
    desk.until(lambda: settings.storage.saved.all.text().startswith("about "))


def test_the_space_of_a_chat_is_freed_and_kept_after_all(desk: Desk, chat: str) -> None:
    """In its pane and under Storage, by one button that undoes it for ten seconds."""
    window = desk.app.window
    click(window.tab_row.inspector_button)
    memory = window.desk.inspector.memory
    desk.until(lambda: memory.clear_button.isVisible() and memory.clear_button.isEnabled())
    settings = settings_at(desk, "Storage")
    desk.until(lambda: chat in settings.storage.chats.rows and settings.storage.chats.rows[chat].free.isEnabled())
    buttons: tuple[Callable[[], QAbstractButton], ...] = (
        lambda: memory.clear_button,
        lambda: settings.storage.chats.rows[chat].free,  # the rows are made anew when a size changes
    )
    for free in buttons:
        for before, after in (("Free this space", "Undo ("), ("Undo (", "Free this space")):
            desk.until(partial(_says, free, before))
            click(free())
            desk.until(partial(_says, free, after))
    desk.until(lambda: memory.pill.accessibleName() == "Ready at once")


def test_a_starter_is_sent_by_one_click(desk: Desk, answers: Callable[[int], None]) -> None:
    """The empty page is gone, and the answer comes."""
    answers(16)
    chat = desk.open().window.tabs.current()
    greeting = desk.tab(chat).greeting
    desk.until(greeting.isVisible)
    example = button("What can Hearth do?", greeting)
    click(example)
    desk.until(lambda: desk.is_idle(chat) and bool(desk.tab(chat).transcript.messages.newest_of("assistant")))
    assert not greeting.isVisible()


def test_a_long_paste_is_a_file_that_becomes_text_again(desk: Desk, chat: str) -> None:
    """The chip opens what was pasted, and a button there puts it into the message."""
    composer, data = desk.tab(chat).composer, QMimeData()
    data.setText("A line of a letter.\n" * 300)
    composer.edit.insertFromMimeData(data)
    desk.until(lambda: [chip.file.is_pending for chip in composer.attachments.chips()] == [False])
    (chip,) = composer.attachments.chips()
    click(chip, QPoint(20, chip.height() // 2))
    window = desk.app.window
    desk.until(lambda: any(one.isVisible() for one in window.findChildren(FileSheet)))
    click(button("Put into the message", shown(FileSheet, window)))
    desk.until(lambda: composer.edit.toPlainText().count("A line of a letter.") == 300)
    desk.until(lambda: composer.attachments.chips() == [])


def test_a_prompt_is_written_and_used(desk: Desk, chat: str) -> None:
    """Its place is among the settings of chats; "/" offers it."""
    settings = settings_at(desk, "Chats")
    click(button("Edit prompts…", settings))
    window = desk.app.window
    desk.until(lambda: any(one.isVisible() for one in QApplication.topLevelWidgets() if isinstance(one, PromptsDialog)))
    (dialog,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, PromptsDialog) and one.isVisible()]
    QTest.keyClicks(dialog.name, "Short")
    QTest.keyClicks(dialog.text, "Say it in one sentence.")
    click(dialog.done_button)
    settings.close()
    desk.until(lambda: len(window.store.prompts.now) == 1)
    edit = desk.tab(chat).composer.edit
    QTest.keyClicks(edit, "/")
    desk.until(window.palette_box.isVisible)
    pick(window, "Short, Say it in one sentence.")
    desk.until(lambda: edit.toPlainText() == "Say it in one sentence.")


@pytest.mark.usefixtures("chat")
def test_the_palette_turns_the_window_dark(desk: Desk) -> None:
    """A search that finds no chat leads to it, with the words."""
    window = desk.app.window
    click(window.sidebar.search)
    QTest.keyClicks(window.sidebar.search, "dark")
    desk.until(window.sidebar.search_all.isVisible)
    click(window.sidebar.search_all)
    desk.until(window.palette_box.isVisible)
    pick(window, "Appearance: Dark")
    desk.until(lambda: window.store.preferences.now.theme == "dark")


def test_an_answer_is_read_aloud_or_why_not_is_said(desk: Desk, chat: str) -> None:
    """From the menu of the answer. Without a voice a notice says what to do."""
    window, transcript = desk.app.window, desk.tab(chat).transcript
    answer = desk.answer(chat)
    desk.until(lambda: transcript.is_settled)
    place = span_point(transcript, answer.footer.split(" ")[0])
    QApplication.sendEvent(
        transcript.viewport(),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, transcript.viewport().mapToGlobal(place)),
    )
    menu = shown(Menu, desk.tab(chat))
    entry = next(action for action in menu.actions() if action.text() == "Read aloud")
    click(menu, menu.actionGeometry(entry).center())
    desk.until(lambda: window.store.voice.now.message == answer.id or "voice" in window.notices.notices()[0].text)
