from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtGui import QContextMenuEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from ui.widgets.menu import Menu
from ui.widgets.text_field import LONGEST, LONGEST_WORD, LineField, TextField

AT_WORDS, ANYWHERE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere, QTextOption.WrapMode.WrapAnywhere


@pytest.fixture
def field(qtbot: QtBot) -> TextField:
    made = TextField("Be kind.", placeholder="None")
    qtbot.addWidget(made)
    made.show()
    return made


def pasted(text: str) -> QMimeData:
    data = QMimeData()
    data.setText(text)
    return data


def test_a_very_long_word_does_not_stop_the_window(field: TextField) -> None:
    """As a picture in Base64, which is set or pasted in one piece or in many. Qt read the rest of it for each row."""
    before = time.thread_time()
    for text in ("x" * 5 * LONGEST, "short"):  # an older draft may be longer than a field takes
        field.setPlainText(text)
    assert field.wordWrapMode() is AT_WORDS
    field.clear()
    for _ in range(10):
        field.insertPlainText("x" * LONGEST_WORD)
    assert time.thread_time() - before < 2
    assert field.wordWrapMode() is ANYWHERE


@pytest.mark.parametrize("space", ["\u00a0", "\u202f"])
def test_words_with_spaces_that_do_not_break_are_one(field: TextField, space: str) -> None:
    """As some web pages and programs write all of their spaces. The window stood still for three seconds."""
    for put in (field.setPlainText, field.insertPlainText):
        field.clear()
        put(f"a{space}" * LONGEST_WORD)
        assert field.wordWrapMode() is ANYWHERE


def test_words_are_whole_again_without_the_long_one(field: TextField) -> None:
    """Rows end between the words of any usual text, also after a long one was deleted."""
    field.setPlainText("x" * (LONGEST_WORD + 1))
    field.setPlainText("word " * LONGEST_WORD)
    assert field.wordWrapMode() is AT_WORDS
    field.insertPlainText("x" * (LONGEST_WORD + 1))
    assert field.wordWrapMode() is ANYWHERE
    field.undo()
    assert field.wordWrapMode() is AT_WORDS


def test_many_long_words_of_two_scripts_take_no_seconds(field: TextField) -> None:
    """No word is very long, but Qt looks at the rest of each for each change of the script. An imported chat may bring
    such instructions. Long words of one script are broken between words.
    """
    field.setPlainText(("aа" * 400 + " ") * 240)  # noqa: RUF001 - the second letter is Cyrillic
    assert field.wordWrapMode() is ANYWHERE
    field.setPlainText(("ж" * 400 + " ") * 480)
    assert field.wordWrapMode() is AT_WORDS


def test_only_what_the_field_can_hold_is_pasted(field: TextField, monkeypatch: pytest.MonkeyPatch) -> None:
    """A book that is pasted by mistake changes nothing: each key in it would take seconds. A sound says so."""
    sounds = list[bool]()
    monkeypatch.setattr(QApplication, "beep", lambda: sounds.append(True))
    field.insertFromMimeData(pasted("x" * LONGEST))
    assert field.toPlainText() == "Be kind."
    field.moveCursor(QTextCursor.MoveOperation.End)
    field.insertFromMimeData(pasted(" And short."))
    assert (field.toPlainText(), sounds) == ("Be kind. And short.", [True])


def test_the_longest_text_is_cut_and_pasted_at_once(field: TextField) -> None:
    """Qt also made HTML and two other forms of what was copied, which took half a minute when it was pasted."""
    words = ("word and " * LONGEST)[: LONGEST - 10]
    field.setPlainText(words)
    field.selectAll()
    before = time.thread_time()
    field.cut()
    field.paste()
    assert time.thread_time() - before < 3
    assert field.toPlainText() == words


@pytest.mark.parametrize("kind", [TextField, LineField])
def test_the_menu_of_a_field_is_hearths_own(qtbot: QtBot, kind: type[TextField | LineField]) -> None:
    """With Qt's entries, whose words have no marks for keys. It works, and goes with its entries."""
    field = kind("Be kind.")
    qtbot.addWidget(field)
    field.selectAll()
    field.show()
    reason = QContextMenuEvent.Reason.Mouse
    target = field.viewport() if isinstance(field, TextField) else field
    QApplication.sendEvent(target, QContextMenuEvent(reason, QPoint(2, 2), field.mapToGlobal(QPoint(2, 2))))
    (menu,) = (menu for menu in field.findChildren(QMenu) if menu.isVisible())
    assert isinstance(menu, Menu)
    entries = {action.text(): action for action in menu.actions() if not action.isSeparator()}
    assert list(entries) == ["Undo", "Redo", "Cut", "Copy", "Paste", "Delete", "Select All"]
    entries["Cut"].trigger()
    menu.close()
    qtbot.waitUntil(lambda: not field.findChildren(QMenu))
    assert QApplication.clipboard().text() == "Be kind."
