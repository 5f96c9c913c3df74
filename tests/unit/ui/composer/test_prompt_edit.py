"""The direction of the text in the composer's field. Its keys and its height are tested with the composer."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from ui.composer.prompt_edit import PromptEdit


def test_the_field_begins_where_its_script_begins(qtbot: QtBot) -> None:
    """Arabic stands at the right while it is typed. Latin text and the empty field begin at the left."""
    edit = PromptEdit()
    qtbot.addWidget(edit)
    edit.resize(400, 60)
    edit.show()
    edit.setPlainText("شكرًا")
    assert edit.cursorRect(edit.textCursor()).left() > 300
    edit.setPlainText("Thanks")
    assert edit.cursorRect(edit.textCursor()).left() < 100
    edit.setPlainText("شكرًا")
    edit.clear()
    assert edit.cursorRect().left() < 20
