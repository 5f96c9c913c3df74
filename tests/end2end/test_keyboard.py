"""Journeys by keyboard alone, with the real engine. The journeys share one window, and each begins without a tab.

Only keys are pressed: shortcuts, text, Tab to the control of a stable name, and arrows in menus and lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from app.base import paths, settings
from app.base.settings import Settings
from engine.protocol.sampling_settings import Sampling
from tests.end2end.conftest import Desk
from tests.fakes.typist import FARTHEST, Typist
from ui.dialogs.prompts_dialog import PromptsDialog
from ui.dialogs.recently_deleted import RecentlyDeletedDialog
from ui.dialogs.settings_dialog import SettingsDialog
from ui.dialogs.variables_dialog import VariablesDialog
from ui.state.chat import MessageState

_SHORT, _LONG = 24, 3000


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, model: Path, qapp: QApplication) -> Iterator[tuple[Desk, str]]:  # noqa: ARG001 - Qt is there
    """The window of all journeys here, and its home. The first journey opens it."""
    with pytest.MonkeyPatch.context() as patch:
        home = str(tmp_path_factory.mktemp("keyboard"))
        patch.setenv("HEARTH_HOME", home)
        places = paths.find()
        paths.prepare(places)
        short, long = (Sampling(temperature=0.0, max_tokens=most) for most in (_SHORT, _LONG))
        presets = Settings().presets | {"balanced": short, "creative": long}
        settings.save(msgspec.structs.replace(Settings(), model=str(model), presets=presets), places.settings)
        desk = Desk(cast("QtBot", None))  # each journey brings its own
        yield desk, home
        patch.setenv("HEARTH_HOME", home)
        desk.close()


@pytest.fixture
def typist(shared: tuple[Desk, str], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Typist:
    """A user before the shared window, with one new chat."""
    desk, home = shared
    desk._qtbot = qtbot
    monkeypatch.setenv("HEARTH_HOME", home)
    if desk.hearth is None:
        desk.open()
        desk.until(lambda: desk.app.connection.ready)
    typist = Typist(desk)
    for left in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
        if left is not None:
            left.close()  # of a journey that failed
    for chat in desk.app.window.tabs.order():
        desk.app.window.chats.close_anyway(chat)
    typist.new_chat()
    return typist


def test_a_question_its_answer_and_a_copy(typist: Typist) -> None:
    """Write, send, copy the answer, and write on."""
    typist.asks("Good morning")
    typist.press("Ctrl+Shift+C")
    assert QGuiApplication.clipboard().text() == typist.desk.answer(typist.chat).text != ""
    typist.types("line one")
    typist.press("Shift+Return")
    typist.types("line two")
    typist.press("Return")
    typist.until(lambda: typist.questions() == ["Good morning", "line one\nline two"] and typist.is_answered())


def test_an_answer_is_stopped(typist: Typist) -> None:
    """What is there when it is stopped stays."""
    typist.starts_a_long_answer("Tell me a story")
    held = typist.desk.answer(typist.chat).text
    typist.press("Esc")
    typist.until(lambda: typist.desk.is_idle(typist.chat))
    assert typist.desk.answer(typist.chat).state is MessageState.STOPPED
    assert typist.desk.answer(typist.chat).text.startswith(held)


def test_messages_wait_are_edited_and_sent(typist: Typist) -> None:
    """Return during an answer queues. Tab reaches what waits: one message is edited, the other is sent after a stop."""
    typist.starts_a_long_answer("One")
    for text in ("Two", "Three"):
        typist.types(text)
        typist.press("Return")
    queue = typist.tab.composer.queue
    typist.until(lambda: all(row.edit_button.isVisible() for row in queue.rows))
    assert [row.message.text for row in queue.rows] == ["Two", "Three"]
    typist.seek("queueEdit", "Shift+Tab")
    typist.press("Space")
    typist.seek("prompt")
    assert typist.tab.composer.edit.toPlainText() == "Three"
    typist.press("Esc")
    typist.until(queue.send_button.isVisible)
    typist.seek("queueSend", "Shift+Tab")
    typist.press("Space")
    typist.until(lambda: typist.questions() == ["One", "Two"] and typist.desk.is_generating(typist.chat))
    typist.press("Ctrl+.")
    typist.until(lambda: typist.desk.is_idle(typist.chat))
    assert typist.tab.composer.edit.toPlainText() == "Three"


def test_an_old_chat_is_found_and_read(typist: Typist) -> None:
    """A word leads from the search field to its message, and F3 to the next place. Escape ends that."""
    typist.asks("The capital of Peru is Lima")
    typist.asks("Lima has an old town")
    wanted = typist.chat
    typist.new_chat()
    typist.press("Ctrl+K")
    typist.types("lima")
    typist.until(lambda: typist.listed() == [wanted])
    typist.press("Return")
    typist.until(lambda: typist.chat == wanted and typist.tab.find_bar.isVisible())
    typist.until(lambda: typist.tab.find_bar.count.text().endswith("of 2"))
    before = typist.tab.find_bar.count.text()
    typist.press("F3")
    typist.until(lambda: typist.tab.find_bar.count.text() != before)
    typist.press("Ctrl+F", "Esc")
    assert typist.tab.find_bar.isHidden()
    assert typist.focus.objectName() == "prompt"
    typist.press("Ctrl+K", "Ctrl+A", "Del")
    typist.until(lambda: len(typist.listed()) > 1)


def test_a_question_is_edited_and_both_versions_are_read(typist: Typist) -> None:
    """Ctrl+Up in an empty field edits the newest question. Ctrl+[ and Ctrl+] turn between the two."""
    typist.asks("What is the tallest tree")
    typist.press("Ctrl+Up")
    assert typist.tab.composer.edit.toPlainText() == "What is the tallest tree"
    typist.press("Ctrl+A")
    typist.types("What is the oldest tree")
    typist.press("Return")
    typist.until(lambda: typist.questions() == ["What is the oldest tree"] and typist.is_answered())
    typist.press("Ctrl+[")
    typist.until(lambda: typist.questions() == ["What is the tallest tree"])
    typist.press("Ctrl+]")
    typist.until(lambda: typist.questions() == ["What is the oldest tree"])


def test_another_answer_and_a_fork_of_it(typist: Typist) -> None:
    """Ctrl+R writes another answer. A fork continues it in a chat of its own, and the first chat stays as it was."""
    first = typist.asks("Name a colour")
    typist.press("Ctrl+R")
    typist.until(lambda: typist.desk.answer(typist.chat).id != first and typist.is_answered())
    assert (typist.desk.answer(typist.chat).place, typist.desk.answer(typist.chat).places) == (2, 2)
    chat = typist.chat
    typist.press("Ctrl+Alt+N")
    typist.until(lambda: typist.chat != chat)
    typist.asks("And another one")
    assert typist.questions() == ["Name a colour", "And another one"]
    typist.press("Ctrl+1")
    assert (typist.chat, typist.questions()) == (chat, ["Name a colour"])


def test_tabs_are_turned_moved_closed_and_reopened(typist: Typist) -> None:
    """A tab that is reopened has its draft."""
    typist.types("half a thought")
    one = typist.chat
    two = typist.new_chat()
    typist.types("something else")
    typist.press("Ctrl+Tab")
    assert typist.chat == one
    typist.press("Ctrl+Shift+PgDown")
    assert typist.window.tabs.order() == (two, one)
    typist.press("Ctrl+W")
    typist.until(lambda: typist.window.tabs.order() == (two,))
    typist.press("Ctrl+Shift+T")
    typist.until(lambda: typist.chat == one)
    assert typist.tab.composer.edit.toPlainText() == "half a thought"


def test_a_chat_is_renamed_and_opened_by_the_palette(typist: Typist) -> None:
    """The palette finds the command, and then the chat by its new name."""
    typist.asks("Notes of the day")
    chat = typist.chat
    typist.press("Ctrl+Shift+P")
    typist.types("rename chat")
    typist.press("Return")
    typist.until(lambda: isinstance(typist.focus, QLineEdit) and typist.focus.text() == "Notes of the day")
    typist.press("Ctrl+A")
    typist.types("Diary of June")
    typist.press("Return")
    typist.until(lambda: typist.names_the_tab() == "Diary of June")
    typist.new_chat()
    typist.press("Ctrl+Shift+P")
    typist.types("diary")
    typist.press("Return")
    typist.until(lambda: typist.chat == chat)


def test_settings_are_changed_from_the_palette(typist: Typist) -> None:
    """A choice is set at once, a row of the settings and a value of the chat are led to, ready for the next key."""

    def picks(words: str) -> None:
        typist.press("Ctrl+Shift+P")
        typist.types(words)
        typist.press("Return")

    store = typist.window.store
    picks("dark")
    typist.until(lambda: store.preferences.now.theme == "dark")
    picks("appearance system")
    typist.until(lambda: store.preferences.now.theme == "system")
    picks("animations")
    typist.until(lambda: typist.window.dialogs.settings is not None)
    settings = typist.window.dialogs.settings
    assert settings is not None
    settings.activateWindow()
    typist.until(settings.isActiveWindow)
    typist.press("Space")
    typist.until(lambda: store.preferences.now.reduce_motion)
    typist.press("Esc")
    picks("reduce motion: off")
    typist.until(lambda: not store.preferences.now.reduce_motion)
    typist.asks("Name a tree")
    picks("temperature")
    typist.until(lambda: isinstance(typist.focus, QLineEdit) and typist.focus.accessibleName() == "Temperature")
    typist.press("Ctrl+A")
    typist.types("0.3")
    typist.press("Return")
    typist.until(lambda: store.chat_settings.now.values.temperature == 0.3)
    typist.press("Ctrl+Alt+I")


def test_a_chat_is_deleted_by_the_menu_and_restored(typist: Typist) -> None:
    """F10 opens the menu, and its letters lead to the entries. Recently Deleted brings the chat back."""
    typist.asks("My plans for winter")
    chat = typist.chat
    typist.press("Ctrl+Shift+P")
    typist.types("delete chat")
    typist.press("Return")
    typist.until(lambda: typist.window.chats.tab(chat) is None)
    typist.press("F10", "Right")
    for _ in range(FARTHEST):
        menu = QApplication.activePopupWidget()
        entry = menu.activeAction() if isinstance(menu, QMenu) else None
        if entry is not None and entry.objectName() == "action_deleted":
            break
        typist.press("Down")
    typist.press("Return")
    typist.until(lambda: isinstance(QApplication.activeModalWidget(), RecentlyDeletedDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, RecentlyDeletedDialog)
    typist.until(lambda: dialog.list.count() > 0)
    typist.seek("deleted")
    typist.press("Home", "Space")
    typist.seek("restore")
    typist.press("Space")
    typist.until(lambda: chat in typist.listed())
    typist.press("Esc")
    assert QApplication.activeModalWidget() is None


def test_a_private_chat_is_kept_until_the_user_agrees(typist: Typist) -> None:
    """Closing its tab and quitting ask. Return keeps the chat, and the other button erases it."""
    before = typist.chat
    typist.press("Ctrl+Shift+N")
    typist.until(lambda: typist.chat != before and typist.tab.composer.edit.hasFocus())
    typist.asks("Nobody shall know")
    chat = typist.chat
    for keys in ("Ctrl+W", "Ctrl+Q"):
        typist.press(keys)
        typist.until(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
        typist.press("Return")
        typist.until(lambda: QApplication.activeModalWidget() is None)
        assert typist.questions() == ["Nobody shall know"]
    typist.press("Ctrl+W")
    typist.until(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
    typist.press("Tab", "Space")
    typist.until(lambda: typist.window.chats.tab(chat) is None)


def test_two_chats_side_by_side_are_written_to(typist: Typist) -> None:
    """Both answers are written at the same time, and one tab is shown alone again."""
    one = typist.chat
    typist.starts_a_long_answer("Left")
    typist.press("Ctrl+\\")
    typist.until(lambda: typist.window.pages.is_split and typist.chat != one)
    typist.starts_a_long_answer("Right")
    two = typist.chat
    sizes = [len(typist.desk.answer(chat).text) for chat in (one, two)]
    typist.until(
        lambda: all(len(typist.desk.answer(chat).text) > size for chat, size in zip((one, two), sizes, strict=True))
    )
    typist.press("Esc", "Ctrl+\\")
    assert (typist.window.pages.is_split, typist.chat) == (False, two)
    typist.press("Ctrl+1", "Esc")
    typist.until(lambda: typist.desk.is_idle(one) and typist.desk.is_idle(two))


def test_a_prompt_is_saved_and_used_with_a_slash(typist: Typist) -> None:
    """Its variable is asked for, and Return goes on to the message box."""
    typist.press("Ctrl+Shift+P")
    typist.types("prompts")
    typist.press("Return")
    typist.until(lambda: isinstance(QApplication.activeModalWidget(), PromptsDialog))
    typist.seek("addPrompt")
    typist.press("Space")
    typist.seek("promptName")
    typist.press("Ctrl+A")
    typist.types("Translate")
    typist.seek("promptText")
    typist.types("Say {{sentence}} in French.")
    typist.seek("promptsDone")
    typist.press("Space")
    typist.until(lambda: QApplication.activeModalWidget() is None)
    typist.until(lambda: [prompt.name for prompt in typist.window.store.prompts.now] == ["Translate"])
    typist.seek("prompt")
    typist.press("/")
    typist.until(typist.window.palette_box.isVisible)
    typist.press("Return")
    typist.until(lambda: isinstance(QApplication.activeModalWidget(), VariablesDialog))
    typist.types("good night")
    typist.press("Return")
    typist.until(lambda: typist.tab.composer.edit.toPlainText() == "Say good night in French.")
    typist.press("Return")
    typist.until(typist.is_answered)


def test_the_look_is_changed_in_the_settings(typist: Typist) -> None:
    """Text grows by a shortcut, and the settings can be reached and left by keys."""
    typist.press("Ctrl++", "Ctrl++")
    assert typist.window.store.preferences.now.zoom == 120
    typist.press("Ctrl+0")
    assert typist.window.store.preferences.now.zoom == 100
    typist.press("Ctrl+,")
    typist.until(lambda: isinstance(QApplication.activeWindow(), SettingsDialog))
    typist.press("Esc")
    typist.until(lambda: typist.window.findChild(SettingsDialog) is None)
    assert typist.focus.objectName() == "prompt"


def test_the_instructions_of_a_chat_are_written(typist: Typist) -> None:
    """The pane opens by a shortcut, Tab leads to the instructions, and the next answer is read with them."""
    typist.press("Ctrl+Alt+I")
    typist.until(lambda: typist.window.desk.inspecting)
    typist.seek("instructions")
    typist.types("Be kind.")
    typist.press("Ctrl+Alt+I")
    typist.until(lambda: not typist.window.desk.inspecting)
    typist.seek("prompt")
    typist.asks("Hello")
    with_instructions = typist.desk.app.conversations.sessions.of(typist.chat).status.context_tokens
    typist.new_chat()
    typist.asks("Hello")
    assert typist.desk.app.conversations.sessions.of(typist.chat).status.context_tokens < with_instructions


def test_a_chat_is_exported_and_imported_as_another(typist: Typist, tmp_path: Path) -> None:
    """The file's name is pasted. Its chat is here already, so the import leads to that. A button of the notice makes a
    copy with the same words, which is continued.
    """
    typist.asks("The key lies under the mat")
    chat, told = typist.chat, typist.desk.answer(typist.chat).text
    file = tmp_path / "chat.hearth"
    QGuiApplication.clipboard().setText(str(file))
    typist.press("Ctrl+Shift+E")
    typist.until(lambda: isinstance(QApplication.activeModalWidget(), QFileDialog))
    typist.seek("fileNameEdit")
    typist.press("Ctrl+A", "Ctrl+V", "Return")
    typist.until(file.exists)
    typist.until(lambda: QApplication.activeModalWidget() is None)
    typist.press("Ctrl+Shift+P")
    typist.types("import")
    typist.press("Return")
    typist.until(lambda: isinstance(QApplication.activeModalWidget(), QFileDialog))
    typist.seek("fileNameEdit")
    typist.press("Ctrl+V", "Return")
    bar = typist.desk.app.window.notices
    typist.until(lambda: [notice.text for notice in bar.notices()] == ["This chat is here already."])
    assert typist.desk.app.window.tabs.order() == (chat,)
    typist.seek("noticeAction")
    typist.press("Space")
    typist.until(lambda: typist.chat != chat and typist.questions() == ["The key lies under the mat"])
    assert typist.desk.answer(typist.chat).text == told
    typist.asks("And the cat")
