"""Saved prompts in the window: the slash, the form of variables and the dialog."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard
from tests.fakes.views import chat
from ui.composer.composer import Composer
from ui.dialogs.prompts_dialog import PromptsDialog
from ui.dialogs.variables_dialog import MOST_FIELDS, VariablesDialog, use_prompt
from ui.intents.intent import Intent
from ui.intents.library import DeletePrompt, SavePrompt
from ui.intents.notice import Notice
from ui.state.library import PromptView
from ui.window.main_window import MainWindow

PROMPTS = (
    PromptView("p", "Plain", "Answer briefly."),
    PromptView("t", "Translate", "Translate into {{language}}: {{text}}"),
)


@pytest.fixture
def composer(window: MainWindow) -> Composer:
    window.chats.open(chat("a"))
    window.store.prompts.put(PROMPTS)
    tab = window.chats.tab("a")
    assert tab is not None
    return tab.composer


def dialog(window: MainWindow) -> PromptsDialog:
    window.actions_by_name["prompts"].trigger()
    found = window.findChild(PromptsDialog)
    assert found is not None
    return found


def test_a_slash_in_an_empty_message_offers_the_prompts(window: MainWindow, composer: Composer) -> None:
    """Return inserts the chosen one in place of the slash. A slash in a message is only a slash."""
    QTest.keyClicks(composer.edit, "/")
    assert window.palette_box.isVisible()
    QTest.keyClicks(window.palette_box.field, "plain")
    QTest.keyClick(window.palette_box.field, Qt.Key.Key_Return)
    assert composer.edit.toPlainText() == "Answer briefly."
    QTest.keyClicks(composer.edit, "/")
    assert window.palette_box.isHidden()
    assert composer.edit.toPlainText() == "Answer briefly./"


def test_escape_leaves_the_slash(window: MainWindow, composer: Composer) -> None:
    """A message may begin with a slash."""
    QTest.keyClicks(composer.edit, "/")
    QTest.keyClick(window.palette_box.field, Qt.Key.Key_Escape)
    QTest.keyClicks(composer.edit, "etc")
    assert composer.edit.toPlainText() == "/etc"


@pytest.mark.parametrize("prompts", [(), PROMPTS])
def test_a_slash_leads_to_the_prompts(window: MainWindow, composer: Composer, prompts: tuple[PromptView, ...]) -> None:
    """Also if there is none yet: who types a slash learns where prompts are written, and the slash goes."""
    window.store.prompts.put(prompts)
    QTest.keyClicks(composer.edit, "/")
    QTest.keyClicks(window.palette_box.field, "edit")
    QTest.keyClick(window.palette_box.field, Qt.Key.Key_Return)
    dialog = window.findChild(PromptsDialog)
    assert dialog is not None
    assert not composer.edit.toPlainText()
    dialog.reject()
    window.store.prompts.put(PROMPTS)
    QTest.keyClicks(composer.edit, "/")
    QTest.keyClick(window.palette_box.field, Qt.Key.Key_Return)
    assert composer.edit.toPlainText() == "Answer briefly.", "a prompt comes first, also after the editor was used"


def test_variables_are_asked_for(window: MainWindow, composer: Composer) -> None:
    """One field each, by keyboard alone; the filled prompt goes into the message."""
    window.commands.open_palette()
    QTest.keyClicks(window.palette_box.field, "translate")
    QTest.keyClick(window.palette_box.field, Qt.Key.Key_Return)
    form = window.findChild(VariablesDialog)
    assert form is not None
    language, text = form.fields["language"], form.fields["text"]
    language.setFocus()
    QTest.keyClicks(language, "German")
    QTest.keyClick(language, Qt.Key.Key_Return)
    assert form.focusWidget() is text
    QTest.keyClicks(text, "Good day")
    QTest.keyClick(text, Qt.Key.Key_Return)
    assert composer.edit.toPlainText() == "Translate into German: Good day"


@pytest.mark.parametrize("count", [1, 6, MOST_FIELDS])
def test_a_form_is_never_higher_than_its_window(window: MainWindow, count: int) -> None:
    """One of a few variables shows them all. Return goes through all others too, and each is in sight."""
    filled: list[str] = []
    use_prompt(window, PromptView("m", "Many", " ".join(f"{{{{v{at}}}}}" for at in range(count))), filled.append)
    form = window.findChild(VariablesDialog)
    assert form is not None
    QApplication.processEvents()
    assert form.height() <= window.height()
    assert form.area.verticalScrollBar().isVisible() == (count == MOST_FIELDS)
    for at, field in enumerate(form.fields.values()):
        assert form.focusWidget() is field
        assert field.visibleRegion().boundingRect() == field.rect()
        QTest.keyClicks(field, str(at))
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert filled == [" ".join(map(str, range(count)))]


def test_a_text_with_more_variables_than_a_form_can_have_is_used_as_it_is(
    window: MainWindow, composer: Composer
) -> None:
    """An imported prompt may have thousands."""
    text = " ".join(f"{{{{v{number}}}}}" for number in range(MOST_FIELDS + 1))
    use_prompt(window, PromptView("m", "Many", text), composer.edit.append)
    assert window.findChild(VariablesDialog) is None
    assert composer.edit.toPlainText() == text


@pytest.mark.usefixtures("composer")
def test_prompts_are_edited_and_kept_when_the_form_is_left(window: MainWindow) -> None:
    """Turning to another prompt, adding one and closing save what was typed."""
    shown = dialog(window)
    intents: list[Any] = heard(window, SavePrompt, DeletePrompt)
    assert (shown.name.text(), shown.text.toPlainText()) == ("Plain", "Answer briefly.")
    shown.text.setPlainText("Answer in one line.")
    shown.list.setCurrentRow(1)
    assert intents == [SavePrompt("p", "Plain", "Answer in one line.")]
    shown.add_button.click()
    shown.name.setText("New")
    shown.text.setPlainText("New text")
    shown.done_button.click()
    (new,) = intents[1:]
    assert new == SavePrompt(new.prompt, "New", "New text")
    assert new.prompt not in {"", "p", "t"}


def _listed(shown: PromptsDialog) -> list[str]:
    return [shown.list.item(row).text() for row in range(shown.list.count())]


@pytest.mark.usefixtures("composer")
def test_a_new_prompt_is_listed_from_the_start(window: MainWindow) -> None:
    """Under the name that it has so far. A name without a text is not lost by turning to another prompt, nor by
    adding one.
    """
    shown = dialog(window)
    intents: list[Any] = heard(window, SavePrompt)
    shown.add_button.click()
    assert (_listed(shown), shown.list.currentRow()) == (["Plain", "Translate", "New prompt"], 2)
    QTest.keyClicks(shown.name, "Sum up")
    assert _listed(shown)[2] == "Sum up"
    shown.add_button.click()
    assert (shown.name.text(), shown.focusWidget(), len(_listed(shown))) == ("Sum up", shown.text, 3)
    shown.list.setCurrentRow(0)
    assert (shown.name.text(), _listed(shown)[2]) == ("Plain", "Sum up")
    shown.list.setCurrentRow(2)
    assert (shown.name.text(), intents) == ("Sum up", [])
    shown.text.setPlainText("Sum this up:")
    shown.add_button.click()
    (new,) = intents
    assert (new.name, new.text) == ("Sum up", "Sum this up:")
    window.store.prompts.put((*PROMPTS, PromptView(new.prompt, new.name, new.text)))
    assert _listed(shown) == ["Plain", "Translate", "Sum up", "New prompt"]
    shown.list.setCurrentRow(0)
    assert _listed(shown) == ["Plain", "Translate", "Sum up"]
    QTest.keyClicks(shown.name, "er")
    assert _listed(shown)[0] == "Plainer"


@pytest.mark.usefixtures("composer")
def test_a_new_prompt_is_not_disturbed_by_the_list(window: MainWindow) -> None:
    """The list comes again after each change; the form keeps the words of a prompt that is being written."""
    shown = dialog(window)
    shown.add_button.click()
    shown.name.setText("Half")
    window.store.prompts.put(PROMPTS)
    assert shown.name.text() == "Half"
    shown.text.setPlainText("Half a text")
    intents: list[Any] = heard(window, SavePrompt)
    shown.save()
    window.store.prompts.put((*PROMPTS, PromptView(intents[0].prompt, "Half", "Half a text")))
    assert shown.list.currentItem().text() == "Half"
    shown.done_button.click()
    assert len(intents) == 1


@pytest.mark.usefixtures("composer")
def test_the_form_shows_the_newest_words_again(window: MainWindow) -> None:
    """Also after a moment. Each prompt keeps its place, under the pointer and the keys, although its name changes."""
    shown = dialog(window)

    def save(intent: Intent) -> None:
        if isinstance(intent, SavePrompt):
            others = [one for one in window.store.prompts.now if one.id != intent.prompt]
            window.store.prompts.put((*others, PromptView(intent.prompt, intent.name, intent.text)))

    window.requested.connect(save)
    shown.name.setText("Zero")
    shown.text.setPlainText("Careful words")
    shown.list.setFocus()
    for key, name in ((Qt.Key.Key_Down, "Translate"), (Qt.Key.Key_Up, "Zero")):
        QTest.keyClick(shown.list, key)
        assert (_listed(shown), shown.name.text()) == (["Zero", "Translate"], name)
    assert shown.text.toPlainText() == "Careful words"
    shown.text.setPlainText("Newest words")
    other = shown.list.visualItemRect(shown.list.item(1)).center()
    QTest.mouseClick(shown.list.viewport(), Qt.MouseButton.LeftButton, pos=other)
    assert ([item.text() for item in shown.list.selectedItems()], shown.name.text()) == (["Translate"], "Translate")
    assert window.store.prompts.now[-1] == PromptView("p", "Zero", "Newest words")


@pytest.mark.usefixtures("composer")
def test_a_prompt_is_saved_when_the_user_pauses(window: MainWindow, qtbot: QtBot) -> None:
    """A crash loses no more than the last words, and a quit on a full disk asks."""
    shown = dialog(window)
    intents = heard(window, SavePrompt)
    shown.text.setFocus()
    QTest.keyClicks(shown.text, "!")
    qtbot.waitUntil(lambda: intents == [SavePrompt("p", "Plain", "!Answer briefly.")])
    QTest.keyClicks(shown.name, "er")
    qtbot.waitUntil(lambda: intents[1:] == [SavePrompt("p", "Plainer", "!Answer briefly.")])


def test_the_words_about_the_disk_go_with_their_cause(window: MainWindow) -> None:
    """The app clears the notice, and the dialog shows it."""
    sheet = dialog(window)
    window.show_notice(Notice("refused", "The disk is full.", lasting=True, about="prompts"))
    window.clear_notice("another")
    assert sheet.trouble.isVisible()
    window.clear_notice("refused")
    assert sheet.trouble.isHidden()


@pytest.mark.usefixtures("composer")
def test_a_prompt_is_deleted(window: MainWindow) -> None:
    """Its form is emptied, so that closing the dialog does not save it again."""
    shown = dialog(window)
    intents: list[Any] = heard(window, SavePrompt, DeletePrompt)
    shown.delete_button.click()
    window.store.prompts.put(PROMPTS[1:])
    assert shown.name.text() == "Translate"
    shown.reject()
    assert intents == [DeletePrompt("p")]


def test_the_outcome_of_an_import_is_told_in_the_dialog(window: MainWindow) -> None:
    """The user looks there, and the dialog covers the notices of the window. Each outcome replaces the last one, and
    typing takes it away. Without the dialog it is a notice.
    """
    sheet = dialog(window)
    for is_good, text in ((False, "“p.json” is damaged."), (True, "2 prompts imported.")):
        window.show_notice(Notice("prompts", text, passing=is_good, about="prompts"))
        told = [label.text() for label in (sheet.trouble, sheet.news) if label.isVisible()]
        assert told == [text]
    assert window.notices.keys() == ()
    sheet.name.setText("Greet")
    assert sheet.news.isHidden()
    sheet.text.setPlainText("Say hello.")
    sheet.accept()
    window.show_notice(Notice("prompts", "1 prompt imported.", passing=True, about="prompts"))
    assert window.notices.keys() == ("prompts",)
