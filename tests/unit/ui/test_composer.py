from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.fakes.views import LARGE, TINY
from ui.composer import Composer
from ui.theme import LIGHT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer(LIGHT)
    qtbot.addWidget(made)
    made.resize(700, made.sizeHint().height())
    made.show()
    return made


def test_enter_sends_and_clears(composer: Composer, qtbot: QtBot) -> None:
    """One key sends the text, without the blanks around it."""
    composer.edit.setPlainText("  Hello \n")
    with qtbot.waitSignal(composer.submitted) as sent:
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent.args == ["Hello"]
    assert composer.text() == ""


def test_shift_enter_breaks_the_line(composer: Composer, qtbot: QtBot) -> None:
    """A message may have several lines, and they are real ones."""
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClicks(composer.edit, "a")
        QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(composer.edit, "b")
    assert composer.text() == "a\nb"


def test_enter_belongs_to_an_input_method_in_the_middle_of_a_word(composer: Composer, qtbot: QtBot) -> None:
    """Choosing a Japanese word with Enter never sends half a sentence."""
    composer.edit.setPlainText("kyou ")
    QApplication.sendEvent(composer.edit, QInputMethodEvent("今日", []))
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    commit = QInputMethodEvent("", [])
    commit.setCommitString("今日")
    QApplication.sendEvent(composer.edit, commit)
    with qtbot.waitSignal(composer.submitted):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)


@pytest.mark.parametrize("text", ["", "  \n\t\n "])
def test_nothing_is_not_sent(composer: Composer, qtbot: QtBot, text: str) -> None:
    """Blank text is no message, by key or by button."""
    composer.edit.setPlainText(text)
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert not composer.button.isEnabled()


def test_while_busy_the_button_stops_and_enter_waits(composer: Composer, qtbot: QtBot) -> None:
    """One conversation answers one message at a time; what is typed meanwhile stays."""
    composer.set_busy(True)
    composer.edit.setPlainText("Next question")
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    with qtbot.waitSignal(composer.stop_requested):
        QTest.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    composer.set_busy(False)
    with qtbot.waitSignal(composer.submitted):
        QTest.mouseClick(composer.button, Qt.MouseButton.LeftButton)


def test_stop_can_be_clicked_with_nothing_written(composer: Composer) -> None:
    """The button is enabled while there is something to stop, and says what it does."""
    assert (composer.button.isEnabled(), composer.button.accessibleName()) == (False, "Send message")
    composer.set_busy(True)
    assert (composer.button.isEnabled(), composer.button.accessibleName()) == (True, "Stop answering")


def test_a_draft_is_announced_once_the_user_pauses(composer: Composer, qtbot: QtBot) -> None:
    """Ten keys are one draft."""
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)
    QTest.keyClicks(composer.edit, "ten  keys!")
    assert drafts == []
    qtbot.waitUntil(lambda: bool(drafts), timeout=2000)
    assert drafts == ["ten  keys!"]


def test_a_draft_can_be_flushed_and_is_then_known(composer: Composer) -> None:
    """A closing window loses no word and says none twice."""
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)
    composer.edit.setPlainText("unsaved")
    composer.flush_draft()
    composer.flush_draft()
    assert drafts == ["unsaved"]


def test_sending_empties_the_draft_after_the_message(composer: Composer) -> None:
    """The app hears of the message first, so that no moment has neither."""
    heard: list[tuple[str, str]] = []
    composer.submitted.connect(lambda text: heard.append(("submitted", text)))
    composer.draft_changed.connect(lambda text: heard.append(("draft", text)))
    composer.edit.setPlainText("Hello")
    composer.flush_draft()
    composer.submit()
    assert heard == [("draft", "Hello"), ("submitted", "Hello"), ("draft", "")]


def test_a_draft_that_is_put_back_is_not_announced(composer: Composer) -> None:
    """The app is not told what it just said."""
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)
    composer.set_draft("from yesterday")
    composer.flush_draft()
    assert (composer.text(), drafts) == ("from yesterday", [])


def test_it_grows_with_the_text_up_to_a_limit(composer: Composer) -> None:
    """Eight lines are seen; more scroll."""
    heights = []
    for lines in (1, 2, 8, 9, 500):
        composer.edit.setPlainText("\n".join("x" * lines))
        heights.append(composer.edit.height())
    assert heights[0] < heights[1] < heights[2]
    assert heights[2] == heights[3] == heights[4]


def test_its_height_does_not_change_with_its_state(composer: Composer) -> None:
    """Nothing jumps when an answer starts or ends."""
    before = composer.sizeHint()
    composer.set_busy(True)
    composer.set_models((TINY, LARGE), "tiny")
    assert composer.sizeHint().height() == before.height()


def test_only_plain_text_is_pasted(composer: Composer) -> None:
    """Colours and fonts of a web page stay there; a picture alone is nothing."""
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold")
    composer.edit.insertFromMimeData(data)
    assert composer.text() == "bold"
    picture = QMimeData()
    picture.setData("image/png", b"...")
    assert not composer.edit.canInsertFromMimeData(picture)


def test_the_model_chip_offers_all_and_asks_for_one(composer: Composer, qtbot: QtBot) -> None:
    """Names and details are shown as they are; the chip changes when the app says so."""
    composer.set_models((TINY, LARGE), "tiny")
    offered = composer.model_chip.choices().actions()
    assert [action.text() for action in offered] == ["Tiny  —  for tests", "Large && slow  —  for patience"]
    assert [action.isChecked() for action in offered] == [True, False]
    with qtbot.waitSignal(composer.model_picked) as picked:
        offered[1].trigger()
    assert picked.args == ["large"]
    assert composer.model_chip.text() == "Tiny"
    assert composer.edit.placeholderText() == "Message Tiny…"


def test_without_models_no_chip_is_shown(composer: Composer) -> None:
    """Nothing is shown that does nothing."""
    assert composer.model_chip.isHidden()
    assert composer.edit.placeholderText() == "Write a message…"


def test_a_preset_is_picked_by_its_key(composer: Composer, qtbot: QtBot) -> None:
    """The chip shows the picked preset at once."""
    composer.set_preset("precise")
    assert composer.preset_chip.text() == "Precise"
    with qtbot.waitSignal(composer.preset_picked) as picked:
        composer.preset_chip.choices().actions()[2].trigger()
    assert picked.args == ["creative"]
    assert composer.preset_chip.accessibleName() == "Style: Creative"
