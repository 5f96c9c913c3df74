"""The dialog about newer versions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest

from tests.fakes.intents import heard
from ui.dialogs.update_dialog import UpdateDialog
from ui.intents import AllowUpdateChecks, CheckForUpdate, OpenUpdatePage, SkipUpdate
from ui.state import UpdateView
from ui.theme.theme import DARK, LIGHT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

NEWS = UpdateView("0.1.0", "Hearth 0.2.0 can be had.", "0.2.0", "# New\n\n- one\n- two", allowed=True)


@pytest.fixture
def sheet(qtbot: QtBot) -> UpdateDialog:
    sheet = UpdateDialog(LIGHT)
    qtbot.addWidget(sheet)
    sheet.show_update(UpdateView("0.1.0"))
    sheet.show()
    return sheet


def test_before_the_first_check(sheet: UpdateDialog) -> None:
    """It shows the running version, says that nothing was checked, and the switch is off."""
    assert sheet.title.text() == "Hearth 0.1.0"
    assert sheet.status.text() == "Nothing was looked for yet."
    assert not sheet.allow.isChecked()
    assert not sheet.page_button.isVisible()
    assert not sheet.skip_button.isVisible()
    assert not sheet.notes.isVisible()


def test_a_newer_version_shows_its_notes(sheet: UpdateDialog) -> None:
    """Notes have headings and lists, and a button opens the release page."""
    sheet.show_update(NEWS)
    assert sheet.status.text() == "Hearth 0.2.0 can be had."
    assert sheet.allow.isChecked()
    assert sheet.notes.isVisible()
    assert sheet.notes.toPlainText() == "New\none\ntwo"
    assert sheet.page_button.isVisible()
    sheet.show_update(UpdateView("0.1.0", "Hearth 0.1.0 is the newest version."))
    assert not sheet.notes.isVisible()


def test_each_control_reports_one_thing(sheet: UpdateDialog, qtbot: QtBot) -> None:
    """Skipping a version also closes the dialog."""
    sheet.show_update(NEWS)
    said = heard(sheet)
    for button in (sheet.check_button, sheet.page_button, sheet.allow):
        button.click()
    with qtbot.waitSignal(sheet.finished):
        sheet.skip_button.click()
    assert said == [CheckForUpdate(), OpenUpdatePage(), AllowUpdateChecks(allowed=False), SkipUpdate()]


def test_only_one_check_runs_at_a_time(sheet: UpdateDialog) -> None:
    """The button is disabled during a check."""
    sheet.show_update(replace(NEWS, checking=True))
    assert not sheet.check_button.isEnabled()
    sheet.show_update(NEWS)
    assert sheet.check_button.isEnabled()


def test_notes_load_nothing_and_open_nothing(sheet: UpdateDialog, tmp_path: Path) -> None:
    """Not even signed notes can read a file, run HTML or open a link."""
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    sheet.show_update(replace(NEWS, notes=f"![x]({secret})<b>bold</b> [link](file://{secret})"))
    assert "<b>" in sheet.notes.toPlainText()
    kind = QTextDocument.ResourceType.ImageResource.value
    assert not sheet.notes.document().resource(kind, QUrl.fromLocalFile(str(secret)))
    assert not sheet.notes.openLinks()
    assert "href" not in sheet.notes.toHtml()


def test_notes_keep_their_scroll_position(sheet: UpdateDialog) -> None:
    """A check that finds the same notes does not scroll them."""
    long = replace(NEWS, notes="\n\n".join(f"line {number}" for number in range(100)))
    sheet.show_update(long)
    sheet.notes.verticalScrollBar().setValue(200)
    sheet.show_update(replace(long, checking=True))
    assert sheet.notes.verticalScrollBar().value() == 200


def test_return_presses_no_button(sheet: UpdateDialog) -> None:
    """No button is the default one."""
    sheet.show_update(NEWS)
    QTest.keyClick(sheet, Qt.Key.Key_Return)
    assert sheet.isVisible()


def test_it_follows_the_theme(sheet: UpdateDialog) -> None:
    """The notes stay and change their colours."""
    sheet.show_update(NEWS)
    sheet.set_theme(DARK)
    assert sheet.notes.toPlainText() == "New\none\ntwo"
    cursor = sheet.notes.textCursor()
    cursor.movePosition(cursor.MoveOperation.Right)
    assert cursor.charFormat().foreground().color().name() == DARK.text
