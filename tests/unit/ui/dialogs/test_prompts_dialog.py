"""The dialog of saved prompts."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard
from ui.dialogs.prompts_dialog import PromptsDialog
from ui.intents.library import SavePrompt
from ui.state.library import PromptView


@pytest.fixture
def empty(parent: QWidget) -> PromptsDialog:
    """The dialog before there is a prompt."""
    made = PromptsDialog(context(), parent)
    made.open()
    return made


def test_the_first_prompt_can_be_typed_at_once(empty: PromptsDialog) -> None:
    """The field of its name has the focus, and Return goes on to its text."""
    assert empty.focusWidget() is empty.name
    QTest.keyClicks(empty.name, "Greet")
    QTest.keyClick(empty.name, Qt.Key.Key_Return)
    assert empty.focusWidget() is empty.text
    assert empty.isVisible()


@pytest.mark.parametrize("close", ["accept", "reject", "close"])
def test_a_name_without_a_text_is_not_dropped_without_a_word(empty: PromptsDialog, close: str) -> None:
    """The dialog says what is missing, and where it goes. If the user closes it again, it closes."""
    said = heard(sent(), SavePrompt)
    empty.name.setText("Greet")
    getattr(empty, close)()
    assert empty.isVisible()
    assert empty.trouble.text().startswith("“Greet” has no text yet.")
    assert empty.focusWidget() is empty.text
    getattr(empty, close)()
    assert not empty.isVisible()
    assert said == []


def test_the_words_go_when_the_text_comes(empty: PromptsDialog) -> None:
    """Then it is saved as any other."""
    said: list[Any] = heard(sent(), SavePrompt)
    empty.name.setText("Greet")
    empty.accept()
    empty.text.setPlainText("Say hello.")
    assert empty.trouble.isHidden()
    empty.accept()
    assert (set(said), empty.isVisible()) == ({SavePrompt(said[0].prompt, "Greet", "Say hello.")}, False)


def test_a_prompt_that_waits_in_the_list_is_shown(parent: QWidget) -> None:
    """Also if another one is in the form when the dialog is closed. One that was emptied keeps its former text."""
    store().prompts.put((PromptView("1", "Sum up", "Sum this up:"),))
    dialog = PromptsDialog(context(), parent)
    dialog.open()
    dialog.add_button.click()
    dialog.name.setText("Greet")
    dialog.list.setCurrentRow(0)
    dialog.accept()
    assert (dialog.isVisible(), dialog.name.text()) == (True, "Greet")
    dialog.name.clear()
    dialog.list.setCurrentRow(0)
    dialog.text.clear()
    dialog.accept()
    assert (dialog.isVisible(), dialog.name.text()) == (True, "Sum up")
    assert dialog.trouble.text().startswith("“Sum up” has no text any more.")


def test_an_empty_form_closes_at_once(empty: PromptsDialog) -> None:
    """There is nothing to say."""
    empty.accept()
    assert not empty.isVisible()


def test_a_long_name_brings_no_scroll_bar(parent: QWidget) -> None:
    """It is elided at the end of the list."""
    store().prompts.put((PromptView("1", "Translate the text into another language " * 3, "x"),))
    dialog = PromptsDialog(context(), parent)
    dialog.show()
    QApplication.processEvents()
    assert not dialog.list.horizontalScrollBar().isVisible()
