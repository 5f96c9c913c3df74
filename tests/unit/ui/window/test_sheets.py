from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

from tests.fakes.views import chat, row
from ui.dialogs.recently_deleted import RecentlyDeletedDialog
from ui.dialogs.settings_dialog import SettingsDialog
from ui.dialogs.update_dialog import UpdateDialog
from ui.state import DeletedRow, StorageView, UpdateView
from ui.theme.theme import DARK

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.window.main_window import MainWindow


def deleted(window: MainWindow) -> RecentlyDeletedDialog:
    found = window.findChild(RecentlyDeletedDialog)
    assert found is not None
    return found


def settings(window: MainWindow) -> SettingsDialog:
    found = window.findChild(SettingsDialog)
    assert found is not None
    return found


def test_the_deleted_chats_are_asked_for_and_shown(window: MainWindow, qtbot: QtBot) -> None:
    """One sheet, however often it is opened; it says what is wanted to the app."""
    for _ in range(2):
        with qtbot.waitSignal(window.deleted_requested):
            window.actions_by_name["deleted"].trigger()
    assert len(window.findChildren(RecentlyDeletedDialog)) == 1
    window.show_deleted((DeletedRow("a", "Title a", "words", 3),))
    sheet = deleted(window)
    sheet.list.setCurrentRow(0)
    with qtbot.waitSignal(window.undelete_requested) as restored:
        sheet.restore_button.click()
    assert restored.args == ["a"]
    with qtbot.waitSignal(window.erase_requested):
        sheet.erase_requested.emit("a")
    with qtbot.waitSignal(window.erase_all_requested):
        sheet.erase_all_requested.emit()


def test_a_closed_sheet_is_gone(window: MainWindow, qtbot: QtBot) -> None:
    """What comes for it later is not missed, and it opens anew."""
    window.actions_by_name["deleted"].trigger()
    first = deleted(window)
    first.accept()
    qtbot.waitUntil(lambda: not isValid(first))
    window.show_deleted(())
    window.actions_by_name["deleted"].trigger()
    assert deleted(window).isVisible()


def test_the_settings_are_one_window(window: MainWindow, qtbot: QtBot) -> None:
    """By menu or by button, and what they say goes to the app, more than four gigabytes among it."""
    with qtbot.waitSignal(window.settings_requested):
        window.actions_by_name["settings"].trigger()
    with qtbot.waitSignal(window.settings_requested):
        window.sidebar.footer.settings_button.click()
    assert len(window.findChildren(SettingsDialog)) == 1
    shown = settings(window)
    window.show_storage(StorageView(held_bytes=1 << 30, quota_bytes=8 << 30, most_bytes=64 << 30))
    for signal, inner, args in (
        (window.quota_changed, shown.quota_changed, [20 << 30]),
        (window.caching_changed, shown.caching_changed, [False]),
        (window.caches_clear_requested, shown.caches_clear_requested, []),
        (window.backup_restore_requested, shown.backup_restore_requested, ["b1"]),
        (window.reveal_requested, shown.reveal_requested, ["logs"]),
    ):
        with qtbot.waitSignal(signal) as said:
            inner.emit(*args)
        assert said.args == args


def test_closed_settings_open_anew(window: MainWindow, qtbot: QtBot) -> None:
    """And what is told meanwhile is not missed."""
    window.sheets.open_settings()
    first = settings(window)
    first.close()
    qtbot.waitUntil(lambda: not isValid(first))
    window.show_storage(StorageView())
    window.sheets.open_settings()
    assert settings(window).isVisible()


def test_the_updates_are_one_window(window: MainWindow, qtbot: QtBot) -> None:
    """It asks the app for what it shows, says what the user wants, and opens anew."""
    for _ in range(2):
        with qtbot.waitSignal(window.updates_requested):
            window.actions_by_name["updates"].trigger()
    [sheet] = window.findChildren(UpdateDialog)
    window.show_update(UpdateView("0.1.0", "Hearth 0.2.0 can be had.", "0.2.0"))
    assert sheet.status.text() == "Hearth 0.2.0 can be had."
    for signal, inner, args in (
        (window.updates_allowed_changed, sheet.allowed_changed, [True]),
        (window.update_check_requested, sheet.check_requested, []),
        (window.update_page_requested, sheet.page_requested, []),
        (window.update_skip_requested, sheet.skip_requested, []),
    ):
        with qtbot.waitSignal(signal) as said:
            inner.emit(*args)
        assert said.args == args
    window.set_theme(DARK)
    sheet.close()
    qtbot.waitUntil(lambda: not isValid(sheet))
    window.show_update(UpdateView("0.1.0"))
    window.sheets.open_update()
    assert len(window.findChildren(UpdateDialog)) == 1


def test_open_sheets_follow_the_theme(window: MainWindow) -> None:
    """The system may go dark at any time."""
    window.sheets.open_deleted()
    window.sheets.open_settings()
    window.set_theme(DARK)
    assert deleted(window)._rows.theme is DARK


def test_files_are_asked_for_and_named(window: MainWindow, qtbot: QtBot) -> None:
    """An export says of which chat; all of them are none."""
    window.show_conversations((row("a", title="Trip"),))
    window.open_chat(chat("a"))
    for action, args in (("export", ["a", "/x/t.md"]), ("export_all", ["", "/x/t.md"])):
        window.actions_by_name[action].trigger()
        asked = window.findChild(QFileDialog, "exportDialog")
        assert asked is not None
        with qtbot.waitSignal(window.export_requested) as said:
            asked.fileSelected.emit("/x/t.md")
        assert said.args == args
        asked.reject()
        asked.setObjectName("closed")
    window.actions_by_name["import"].trigger()
    asked = window.findChild(QFileDialog, "importDialog")
    assert asked is not None
    with qtbot.waitSignal(window.import_requested) as said:
        asked.fileSelected.emit("/x/c.zip")
    assert said.args == ["/x/c.zip"]
