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
from ui.intents.settings import AllowUpdateChecks, CheckForUpdate, OpenUpdatePage, SkipUpdate
from ui.state.settings import UpdateView
from ui.theme.theme import DARK, LIGHT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

NEWS = UpdateView("0.1.0", "Hearth 0.2.0 is available.", "0.2.0", "# New\n\n- one\n- two", allowed=True)


@pytest.fixture
def dialog(qtbot: QtBot) -> UpdateDialog:
    dialog = UpdateDialog(LIGHT)
    qtbot.addWidget(dialog)
    dialog.show_update(UpdateView("0.1.0"))
    dialog.show()
    return dialog


def test_before_the_first_check(dialog: UpdateDialog) -> None:
    """It shows the running version, says that nothing was checked, and the switch is off."""
    assert dialog.title.text() == "Hearth 0.1.0"
    assert dialog.status.text() == "Not checked yet."
    assert not dialog.allow.isChecked()
    assert not dialog.page_button.isVisible()
    assert not dialog.skip_button.isVisible()
    assert not dialog.notes.isVisible()


def test_a_newer_version_shows_its_notes(dialog: UpdateDialog) -> None:
    """Notes have headings and lists, and a button opens the release page."""
    dialog.show_update(NEWS)
    assert dialog.status.text() == "Hearth 0.2.0 is available."
    assert dialog.allow.isChecked()
    assert dialog.notes.isVisible()
    assert dialog.notes.toPlainText() == "New\none\ntwo"
    assert dialog.page_button.isVisible()
    dialog.show_update(UpdateView("0.1.0", "Hearth 0.1.0 is the newest version."))
    assert not dialog.notes.isVisible()


def test_each_control_reports_one_thing(dialog: UpdateDialog, qtbot: QtBot) -> None:
    """Skipping a version also closes the dialog."""
    dialog.show_update(NEWS)
    reported = heard(dialog)
    for button in (dialog.check_button, dialog.page_button, dialog.allow):
        button.click()
    with qtbot.waitSignal(dialog.finished):
        dialog.skip_button.click()
    assert reported == [CheckForUpdate(), OpenUpdatePage(), AllowUpdateChecks(allowed=False), SkipUpdate()]


def test_only_one_check_runs_at_a_time(dialog: UpdateDialog) -> None:
    """The button is disabled during a check."""
    dialog.show_update(replace(NEWS, checking=True))
    assert not dialog.check_button.isEnabled()
    dialog.show_update(NEWS)
    assert dialog.check_button.isEnabled()


def test_notes_load_nothing_and_open_nothing(dialog: UpdateDialog, tmp_path: Path) -> None:
    """Not even signed notes can read a file, run HTML or open a link."""
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    dialog.show_update(replace(NEWS, notes=f"![x]({secret})<b>bold</b> [link](file://{secret})"))
    assert "<b>" in dialog.notes.toPlainText()
    kind = QTextDocument.ResourceType.ImageResource.value
    assert not dialog.notes.document().resource(kind, QUrl.fromLocalFile(str(secret)))
    assert not dialog.notes.openLinks()
    assert "href" not in dialog.notes.toHtml()


def test_notes_keep_their_scroll_position(dialog: UpdateDialog) -> None:
    """A check that finds the same notes does not scroll them."""
    long = replace(NEWS, notes="\n\n".join(f"line {number}" for number in range(100)))
    dialog.show_update(long)
    dialog.notes.verticalScrollBar().setValue(200)
    dialog.show_update(replace(long, checking=True))
    assert dialog.notes.verticalScrollBar().value() == 200


def test_return_presses_no_button(dialog: UpdateDialog) -> None:
    """No button is the default one."""
    dialog.show_update(NEWS)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible()


def test_it_follows_the_theme(dialog: UpdateDialog) -> None:
    """The notes stay and change their colours."""
    dialog.show_update(NEWS)
    dialog.set_theme(DARK)
    assert dialog.notes.toPlainText() == "New\none\ntwo"
    cursor = dialog.notes.textCursor()
    cursor.movePosition(cursor.MoveOperation.Right)
    assert cursor.charFormat().foreground().color().name() == DARK.text
