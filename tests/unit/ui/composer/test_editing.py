"""Editing an earlier message in the composer: the draft waits behind the edit, and comes back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.fakes.context import sent
from tests.fakes.intents import heard
from ui.composer.composer import Composer
from ui.intents.chat import Detach, Edit, SaveDraft
from ui.state.chat import AttachmentView


def heard_with_ends(composer: Composer) -> list[object]:
    """The intents, and "ended" for each edit that ends."""
    said = heard(sent())
    composer.edit_ended.connect(lambda: said.append("ended"))
    return said


@pytest.mark.parametrize("key", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier])
def test_an_edit_is_sent_and_the_draft_comes_back(composer: Composer, key: Qt.KeyboardModifier) -> None:
    """By Enter as by the command key."""
    said = heard_with_ends(composer)
    composer.edit.setPlainText("half a thought")
    composer.begin_edit("m", "Why?")
    assert (composer.edit.toPlainText(), composer.banner.isVisible()) == ("Why?", True)
    composer.edit.setPlainText("Why not?")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return, key)
    assert (composer.edit.toPlainText(), composer.banner.isVisible()) == ("half a thought", False)
    composer.flush_draft()
    assert said == [SaveDraft("half a thought"), Edit("m", "Why not?"), "ended"]


def test_an_unsent_edit_is_a_draft_until_it_is_over(composer: Composer) -> None:
    """A user who closes the tab during an edit finds it as it was. The draft stays what it is."""
    said = heard(sent())
    composer.set_draft("half a thought")
    composer.begin_edit("m", "Why?")
    composer.flush_draft()
    composer.edit.setPlainText("Why not?")
    composer.flush_draft()
    composer.end_edit()
    composer.flush_draft()
    assert said == [SaveDraft("half a thought", (("m", "Why not?"),)), SaveDraft("half a thought")]


def test_the_files_of_an_edited_message_can_be_taken_off(composer: Composer) -> None:
    """They are shown before those of the draft. The edit is sent without them; the message keeps them as it was."""
    composer.set_attachments((AttachmentView("d", "draft.txt"),))
    composer.begin_edit("m", "Why?", (AttachmentView("a", "a.txt"), AttachmentView("b", "b.txt")))
    said = heard(sent(), Edit, Detach)
    assert [chip.file.id for chip in composer.attachments.chips()] == ["a", "b", "d"]
    composer.attachments.chips()[0].close_button.click()
    assert ([chip.file.id for chip in composer.attachments.chips()], said) == (["b", "d"], [])
    composer.submit()
    assert said == [Edit("m", "Why?", ("a",))]
    assert [chip.file.id for chip in composer.attachments.chips()] == ["d"]
    composer.begin_edit("m", "Why?", (AttachmentView("a", "a.txt"),))
    composer.attachments.chips()[1].close_button.click()
    composer.submit()
    assert said[1:] == [Detach("d"), Edit("m", "Why?")]


@pytest.mark.parametrize("by_key", [True, False])
def test_a_cancelled_edit_leaves_the_draft_as_it_was(composer: Composer, by_key: bool) -> None:  # noqa: FBT001 - both ways
    """By Escape or Cancel. Nothing is sent."""
    composer.set_draft("half a thought")
    said = heard_with_ends(composer)
    composer.begin_edit("m", "Why?")
    composer.begin_edit("m", "How?")
    if by_key:
        QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    else:
        QTest.mouseClick(composer.banner.cancel_button, Qt.MouseButton.LeftButton)
    assert (composer.edit.toPlainText(), said) == ("half a thought", ["ended"])


def test_words_that_come_back_wait_behind_an_edit(composer: Composer) -> None:
    """They do not overwrite the edit."""
    composer.edit.setPlainText("half")
    composer.begin_edit("m", "Why?")
    composer.give_back("not sent")
    assert composer.edit.toPlainText() == "Why?"
    composer.end_edit()
    assert composer.edit.toPlainText() == "not sent\n\nhalf"


def test_words_that_come_back_take_nothing_that_was_just_typed(composer: Composer) -> None:
    """They are inserted before it, the whole is saved at once, and the cursor stays."""
    QTest.keyClicks(composer.edit, "sinc")
    said = heard(sent(), SaveDraft)
    composer.give_back("not sent")
    QTest.keyClicks(composer.edit, "e")
    assert composer.edit.toPlainText() == "not sent\n\nsince"
    assert said == [SaveDraft("not sent\n\nsinc")]


def test_a_sent_edit_that_comes_back_is_the_draft(composer: Composer) -> None:
    """If the app returns the edit at once, its text stands before the draft when the edit has ended."""
    composer.edit.setPlainText("half")
    composer.begin_edit("m", "Why?")
    composer.edit.setPlainText("Why not?")
    sent().requested.connect(lambda intent: composer.give_back(intent.text) if isinstance(intent, Edit) else None)
    composer.submit()
    assert composer.edit.toPlainText() == "Why not?\n\nhalf"


def test_an_edit_waits_for_the_answer(composer: Composer) -> None:
    """Like a new message."""
    said = heard(sent())
    composer.begin_edit("m", "Why?")
    composer.set_busy(True)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert (said, composer.edit.toPlainText()) == ([], "Why?")


def test_the_command_key_and_up_asks_for_the_last_message(composer: Composer, qtbot: QtBot) -> None:
    """Only if the field is empty; otherwise it moves the cursor."""
    up, command = Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier
    with qtbot.waitSignal(composer.edit.last_requested):
        QTest.keyClick(composer.edit, up, command | Qt.KeyboardModifier.KeypadModifier)
    composer.edit.setPlainText("words")
    with qtbot.assertNotEmitted(composer.edit.last_requested):
        QTest.keyClick(composer.edit, up, command)
        QTest.keyClick(composer.edit, up)
