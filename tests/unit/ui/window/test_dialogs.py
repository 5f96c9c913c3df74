from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from tests.fakes.intents import heard, is_a
from tests.fakes.views import chat, row
from ui.dialogs.prompts_dialog import PromptsDialog
from ui.dialogs.recently_deleted import RecentlyDeletedDialog
from ui.dialogs.settings_dialog import SettingsDialog
from ui.intents.library import Erase, EraseAll, ExportChats, Import, SavePrompt, ShowDeleted, Undelete
from ui.intents.models import ConfirmSwitch, KeepAnswering
from ui.intents.notice import Notice
from ui.intents.settings import Reveal, SetPreferences, SetQuota, ShowStorage
from ui.state.library import DeletedRow
from ui.state.models import LocalModelsView, SwitchQuestion
from ui.state.preferences import Preferences
from ui.state.settings import StorageView
from ui.state.settings_table import HELD_MODELS
from ui.theme.appearance import appearance
from ui.theme.theme import DARK
from ui.widgets.focus_ring import FocusRing
from ui.window.main_window import MainWindow


def deleted(window: MainWindow) -> RecentlyDeletedDialog:
    found = window.findChild(RecentlyDeletedDialog)
    assert found is not None
    return found


def settings(window: MainWindow) -> SettingsDialog:
    found = window.findChild(SettingsDialog)
    assert found is not None
    return found


def test_the_settings_tell_why_no_copy_was_made(window: MainWindow) -> None:
    """On the page where the user asked for one, and can ask again. Without the settings it is a notice."""
    refused = Notice("copies", "The disk is full.", about="backups")
    window.dialogs.open_settings_at("Privacy")
    pane = settings(window).backups
    pane.make_button.click()
    window.show_notice(refused)
    assert (pane.trouble.text(), pane.trouble.isVisible()) == ("The disk is full.", True)
    assert (pane.make_button.text(), window.notices.keys()) == ("Make a copy now", ())
    pane.make_button.click()
    assert (pane.trouble.isVisible(), pane.make_button.text()) == (False, "Making a copy…")
    settings(window).close()
    window.show_notice(refused)
    assert window.notices.keys() == ("copies",)


def test_no_page_has_a_ring_when_the_settings_open_at_another(window: MainWindow) -> None:
    """Qt tells the first page that it has the keyboard while the dialog is not active yet."""
    window.dialogs.open_settings_at("Appearance", "Reduce motion")
    rings = settings(window).findChildren(FocusRing)
    assert rings
    assert not any(ring.isVisible() for ring in rings)


def test_what_is_typed_in_a_dialog_survives_the_window(window: MainWindow) -> None:
    """A logout or the key for Quit closes the window behind the dialog."""
    typed: list[Any] = heard(window, SavePrompt, SetPreferences)
    window.dialogs.open_settings_at("Chats")
    settings(window).chats.controls["system"].setPlainText("I am a nurse.")
    window.dialogs.open_prompts()
    prompts = window.findChild(PromptsDialog)
    assert prompts is not None
    prompts.name.setText("Shorter")
    prompts.text.setPlainText("Say it in one sentence.")
    window.close()
    assert window.isHidden()
    assert typed == [
        SavePrompt(typed[0].prompt, "Shorter", "Say it in one sentence."),
        SetPreferences(replace(Preferences(), system="I am a nurse.")),
    ]


def test_the_settings_lead_to_the_models(window: MainWindow) -> None:
    """Their page about models counts them, also if the count comes later, and turns the window to the models page."""
    window.store.local_models.put(LocalModelsView(usable=1, bytes_=2**30))
    window.dialogs.open_settings_at("Models")
    pane = settings(window).models
    assert pane.rows[HELD_MODELS].about.text().startswith("1 model, 1 GB")
    window.store.local_models.put(LocalModelsView(usable=2, bytes_=3 * 2**30))
    assert pane.rows[HELD_MODELS].about.text().startswith("2 models, 3 GB")
    pane.show_button.click()
    assert window.stage.place() is window.models
    assert window.dialogs.settings is None


def test_the_settings_tell_why_a_folder_is_not_shown(window: MainWindow) -> None:
    """On the page whose button was pressed, because the settings cover the notices. A copy that is being made goes on.
    On another page, and without the settings, it is a notice.
    """
    told = Notice("folder", "No program on this computer shows folders.", about="folders")
    window.dialogs.open_settings_at("Privacy")
    backups, advanced = settings(window).backups, settings(window).advanced
    backups.make_button.click()
    window.show_notice(told)
    assert (backups.trouble.text(), backups.trouble.isVisible()) == (told.text, True)
    assert backups.make_button.text() == "Making a copy…"
    settings(window).open_page("Advanced")
    assert not advanced.trouble.isVisible()
    window.show_notice(told)
    assert (advanced.trouble.text(), advanced.trouble.isVisible()) == (told.text, True)
    assert window.notices.keys() == ()
    settings(window).open_page("General")
    window.show_notice(told)
    assert window.notices.keys() == ("folder",)


def test_recently_deleted_is_one_dialog(window: MainWindow, qtbot: QtBot) -> None:
    """There is one dialog, however often it is opened. It requests its contents and passes on its intents."""
    for _ in range(2):
        with qtbot.waitSignal(window.requested, check_params_cb=is_a(ShowDeleted)):
            window.actions_by_name["deleted"].trigger()
    assert len(window.findChildren(RecentlyDeletedDialog)) == 1
    window.store.deleted.put((DeletedRow("a", "Title a", "words", 3),))
    sheet = deleted(window)
    sheet.list.setCurrentRow(0)
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Undelete)) as restored:
        sheet.restore_button.click()
    assert restored.args == [Undelete(("a",))]
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Erase)):
        sheet._context.send(Erase(("a",)))
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(EraseAll)):
        sheet._context.send(EraseAll())


def test_a_closed_dialog_is_gone(window: MainWindow, qtbot: QtBot) -> None:
    """Updates for a closed dialog are ignored, and it can be opened again."""
    window.actions_by_name["deleted"].trigger()
    first = deleted(window)
    first.accept()
    qtbot.waitUntil(lambda: not isValid(first))
    window.store.deleted.put(())
    window.actions_by_name["deleted"].trigger()
    assert deleted(window).isVisible()


def test_the_settings_are_one_dialog(window: MainWindow, qtbot: QtBot) -> None:
    """Opened by menu or by button. Its intents reach the app, also a quota of more than four gigabytes."""
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(ShowStorage)):
        window.actions_by_name["settings"].trigger()
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(ShowStorage)):
        window.sidebar.footer.settings_button.click()
    assert len(window.findChildren(SettingsDialog)) == 1
    shown = settings(window)
    window.store.storage.put(StorageView(held_bytes=1 << 30, quota_bytes=8 << 30, most_bytes=64 << 30))
    said = heard(window)
    shown.storage.automatic.click()
    shown.advanced.logs_button.click()
    assert said == [SetQuota(8 << 30), Reveal("logs")]


def test_closed_settings_open_anew(window: MainWindow, qtbot: QtBot) -> None:
    """Updates for closed settings are ignored."""
    window.dialogs.open_settings()
    first = settings(window)
    first.close()
    qtbot.waitUntil(lambda: not isValid(first))
    window.store.storage.put(StorageView())
    window.dialogs.open_settings()
    assert settings(window).isVisible()


def test_the_settings_open_where_they_were_left(window: MainWindow, qtbot: QtBot) -> None:
    """A user who looks at one page again finds it at once. A command that names a page opens that one."""
    window.dialogs.open_settings()
    first = settings(window)
    assert first.panes.currentIndex() == 0
    first.pane_buttons[5].click()
    first.close()
    qtbot.waitUntil(lambda: not isValid(first))
    window.dialogs.open_settings()
    assert (settings(window).panes.currentIndex(), settings(window).pane_buttons[5].isChecked()) == (5, True)
    window.dialogs.open_settings_at("Privacy")
    assert settings(window).panes.currentIndex() == 6


def test_open_dialogs_follow_the_theme(window: MainWindow) -> None:
    """The system may switch to dark at any time."""
    window.dialogs.open_deleted()
    window.dialogs.open_settings()
    appearance.turn_to(DARK)
    for dialog in (deleted(window), settings(window)):
        image = dialog.grab().toImage()
        assert image.pixelColor(image.width() - 4, image.height() - 4).name() == DARK.page


def test_files_are_asked_for_and_named(window: MainWindow, qtbot: QtBot) -> None:
    """An export of one chat names the chat."""
    window.store.conversations.put((row("a", title="Trip"),))
    window.chats.open(chat("a"))
    for action, intent in (("export", ExportChats(("a",), "/x/t.md")), ("export_all", ExportChats((), "/x/t.md"))):
        window.actions_by_name[action].trigger()
        asked = window.findChild(QFileDialog, "exportDialog")
        assert asked is not None
        with qtbot.waitSignal(window.requested) as said:
            asked.filesSelected.emit(["/x/t.md"])
        assert said.args == [intent]
        asked.reject()
        asked.setObjectName("closed")
    window.actions_by_name["import"].trigger()
    asked = window.findChild(QFileDialog, "importDialog")
    assert asked is not None
    with qtbot.waitSignal(window.requested, check_params_cb=is_a(Import)) as said:
        asked.filesSelected.emit(["/x/c.zip"])
    assert said.args == [Import("/x/c.zip")]


def question_box(window: MainWindow) -> QMessageBox:
    box = window.findChild(QMessageBox, "question")
    assert isinstance(box, QMessageBox)
    return box


def test_a_switch_that_stops_answers_is_confirmed_by_mouse_or_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    """The question names the chats. Return and Escape keep answering; the other button is one Tab away."""
    question = SwitchQuestion("Switch to m2?", "This stops the answer in “Story”.", "Switch")
    intents = heard(window)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        window.store.switch_question.put(question)
        box = question_box(window)
        assert (box.text(), box.informativeText()) == (question.text, question.about)
        assert {button.text() for button in box.buttons()} == {"Keep answering", "Switch"}
        with qtbot.waitSignal(box.finished):
            QTest.keyClick(box.defaultButton() if key == Qt.Key.Key_Return else box, key)
        QApplication.sendPostedEvents(box, QEvent.Type.DeferredDelete)
    assert intents == [KeepAnswering(), KeepAnswering()]
    window.store.switch_question.put(question)
    next(button for button in question_box(window).buttons() if button.text() == "Switch").click()
    assert intents[2:] == [ConfirmSwitch()]


def test_a_question_without_a_cause_is_taken_back(window: MainWindow) -> None:
    """A second question replaces the first, and None takes it away. Without a question None changes nothing. The app is
    not told that the user has decided.
    """
    intents = heard(window)
    for text in ("Switch to m2?", "Unload the model?"):
        window.store.switch_question.put(SwitchQuestion(text, "This stops the answer in “Story”.", "Stop"))
    shown = [box for box in window.findChildren(QMessageBox, "question") if box.isVisible()]
    assert [box.text() for box in shown] == ["Unload the model?"]
    window.store.switch_question.put(None)
    assert not shown[0].isVisible()
    window.store.switch_question.put(None)
    assert intents == []
