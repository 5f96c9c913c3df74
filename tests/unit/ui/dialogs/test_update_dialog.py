"""The sheet about newer versions."""

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


def test_before_anything_was_looked_for(sheet: UpdateDialog) -> None:
    """The own version, an honest line, and the switch off."""
    assert sheet.title.text() == "Hearth 0.1.0"
    assert sheet.status.text() == "Nothing was looked for yet."
    assert not sheet.allow.isChecked()
    assert not sheet.page_button.isVisible()
    assert not sheet.skip_button.isVisible()
    assert not sheet.notes.isVisible()


def test_newer_version_shows_its_notes(sheet: UpdateDialog) -> None:
    """As headings and lists, with the way to its page."""
    sheet.show_update(NEWS)
    assert sheet.status.text() == "Hearth 0.2.0 can be had."
    assert sheet.allow.isChecked()
    assert sheet.notes.isVisible()
    assert sheet.notes.toPlainText() == "New\none\ntwo"
    assert sheet.page_button.isVisible()
    sheet.show_update(UpdateView("0.1.0", "Hearth 0.1.0 is the newest version."))
    assert not sheet.notes.isVisible()


def test_what_the_user_wants_is_said(sheet: UpdateDialog, qtbot: QtBot) -> None:
    """Each control says one thing; skipping is the end of it."""
    sheet.show_update(NEWS)
    said = heard(sheet)
    for button in (sheet.check_button, sheet.page_button, sheet.allow):
        button.click()
    with qtbot.waitSignal(sheet.finished):
        sheet.skip_button.click()
    assert said == [CheckForUpdate(), OpenUpdatePage(), AllowUpdateChecks(allowed=False), SkipUpdate()]


def test_one_look_at_a_time(sheet: UpdateDialog) -> None:
    """While it is looked, there is no second question."""
    sheet.show_update(replace(NEWS, checking=True))
    assert not sheet.check_button.isEnabled()
    sheet.show_update(NEWS)
    assert sheet.check_button.isEnabled()


def test_notes_fetch_nothing_and_lead_nowhere(sheet: UpdateDialog, tmp_path: Path) -> None:
    """Not even a signed text makes the sheet read a file, run HTML or open a link."""
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    sheet.show_update(replace(NEWS, notes=f"![x]({secret})<b>bold</b> [link](file://{secret})"))
    assert "<b>" in sheet.notes.toPlainText()
    kind = QTextDocument.ResourceType.ImageResource.value
    assert not sheet.notes.document().resource(kind, QUrl.fromLocalFile(str(secret)))
    assert not sheet.notes.openLinks()
    assert "href" not in sheet.notes.toHtml()


def test_notes_stay_where_they_are_read(sheet: UpdateDialog) -> None:
    """A look that finds the same does not scroll them back."""
    long = replace(NEWS, notes="\n\n".join(f"line {number}" for number in range(100)))
    sheet.show_update(long)
    sheet.notes.verticalScrollBar().setValue(200)
    sheet.show_update(replace(long, checking=True))
    assert sheet.notes.verticalScrollBar().value() == 200


def test_return_does_nothing_by_surprise(sheet: UpdateDialog) -> None:
    """No button waits for a key that one presses without thinking."""
    sheet.show_update(NEWS)
    QTest.keyClick(sheet, Qt.Key.Key_Return)
    assert sheet.isVisible()


def test_it_follows_the_theme(sheet: UpdateDialog) -> None:
    """The notes stay, in other colours."""
    sheet.show_update(NEWS)
    sheet.set_theme(DARK)
    assert sheet.notes.toPlainText() == "New\none\ntwo"
    cursor = sheet.notes.textCursor()
    cursor.movePosition(cursor.MoveOperation.Right)
    assert cursor.charFormat().foreground().color().name() == DARK.text
