from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent
from tests.fakes.intents import heard
from tests.fakes.model_views import GB, QUICK, SMART, WELCOME, download
from ui.intents.models import (
    AddModelFolder,
    CancelDownload,
    Download,
    FinishWelcome,
    LookAround,
    PauseDownload,
    PickModel,
)
from ui.models.models_page import HUB
from ui.models.welcome_page import WelcomePage
from ui.state.models import DownloadState, DownloadView, ModelPick, WelcomeView
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT, Theme


@pytest.fixture
def page(qtbot: QtBot) -> WelcomePage:
    made = WelcomePage(context())
    qtbot.addWidget(made)
    made.resize(1280, 840)
    with qtbot.waitActive(made):
        made.show()
    made.show_welcome(WELCOME)
    return made


def show(page: WelcomePage, view: DownloadView | None = None, model: str = "") -> None:
    page.show_welcome(replace(WELCOME, picks=(replace(SMART, download=view, model=model), QUICK)))


def test_two_picks_can_be_downloaded(page: WelcomePage) -> None:
    """Each at the commit that it was tried with."""
    asked = heard(sent())
    for card in page.cards:
        QTest.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert asked == [Download("org/smart", "c0ffee"), Download("org/quick", "beef")]


def test_return_presses_each_button(page: WelcomePage, qtbot: QtBot) -> None:
    """A button with the focus ring does what it says at the first key that people try."""
    asked = heard(sent())
    for button in (page.cards[0].button, page.built_in_button):
        QTest.keyClick(button, Qt.Key.Key_Return)
    assert asked == [Download("org/smart", "c0ffee"), LookAround()]
    with qtbot.waitSignal(page.models_requested):
        QTest.keyClick(page.choose_button, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("state", "words", "wanted"),
    [
        (DownloadState.QUEUED, "Pause", [PauseDownload("org/smart")]),
        (DownloadState.RUNNING, "Pause", [PauseDownload("org/smart")]),
        (DownloadState.PAUSED, "Continue", [Download("org/smart", "c0ffee")]),
        (DownloadState.FAILED, "Try again", [Download("org/smart", "c0ffee")]),
        (DownloadState.VERIFYING, "Checking…", []),
        (DownloadState.DONE, "Checking…", []),
    ],
)
def test_the_download_runs_inside_the_card(
    page: WelcomePage, state: DownloadState, words: str, wanted: list[object]
) -> None:
    """Its button always does the next thing; until the model is listed it does nothing."""
    show(page, download(state))
    card = page.cards[0]
    assert (card.button.text(), card.bar.isVisible()) == (words, state is not DownloadState.FAILED)
    asked = heard(sent())
    QTest.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert asked == wanted


@pytest.mark.parametrize("state", [DownloadState.QUEUED, DownloadState.RUNNING, DownloadState.FAILED])
def test_a_download_can_be_cancelled(page: WelcomePage, state: DownloadState) -> None:
    """Beside the button that pauses it or tries again, and without a question if nothing is lost."""
    assert not page.cards[0].cancel_button.isVisible()
    show(page, download(state, done=0, text="Hugging Face cannot be reached."))
    asked = heard(sent())
    QTest.mouseClick(page.cards[0].cancel_button, Qt.MouseButton.LeftButton)
    assert asked == [CancelDownload("org/smart")]


def test_cancelling_asks_if_something_is_here(page: WelcomePage) -> None:
    """What was fetched is deleted only if the user agrees."""
    show(page, download(done=GB))
    asked = heard(sent())
    QTest.mouseClick(page.cards[0].cancel_button, Qt.MouseButton.LeftButton)
    box = page.window().findChild(QMessageBox, "question")
    assert box is not None
    assert (box.text(), asked) == ("Cancel the download of Smart 9B?", [])
    next(button for button in box.buttons() if button.text() == "Delete").click()
    assert asked == [CancelDownload("org/smart")]


def test_a_double_click_pauses_once(page: WelcomePage) -> None:
    """The button says "Continue" after the first click; the second one must not continue."""
    show(page, download())
    asked = heard(sent())
    sent().requested.connect(lambda _: show(page, download(DownloadState.PAUSED)))
    QTest.mouseClick(page.cards[0].button, Qt.MouseButton.LeftButton)
    QTest.mouseDClick(page.cards[0].button, Qt.MouseButton.LeftButton)
    assert asked == [PauseDownload("org/smart")]


def test_the_machine_is_a_mac_only_on_a_mac(page: WelcomePage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere it is a computer, in every sentence of the page."""
    labels = [label.text() for label in page.findChildren(QLabel)]
    assert not [text for text in labels if "Mac" in text]
    monkeypatch.setattr("ui.theme.phrases._IS_MAC", True)
    page.show_welcome(WELCOME)
    assert page.found_title.text() == "Models found on this Mac"


def test_a_downloaded_pick_starts_the_first_chat(page: WelcomePage) -> None:
    """With that model, and the welcome is over."""
    show(page, download(DownloadState.DONE), "/models/smart")
    asked = heard(sent())
    assert page.cards[0].button.text() == "Start chatting"
    QTest.mouseClick(page.cards[0].button, Qt.MouseButton.LeftButton)
    assert asked == [PickModel("/models/smart"), FinishWelcome()]


def test_a_failure_says_why(page: WelcomePage) -> None:
    """In the place of the progress, in the colour of warnings, and without a bar until something runs again."""
    page.setStyleSheet(LIGHT.qss())
    show(page, download(DownloadState.FAILED, text="The disk is full."))
    card = page.cards[0]
    assert (card.text.accessibleName(), card.bar.isVisible()) == ("The disk is full.", False)
    assert card.text.palette().windowText().color().name() == LIGHT.warning
    show(page, download())
    assert card.bar.isVisible()
    assert card.text.palette().windowText().color().name() == LIGHT.muted


@pytest.mark.usefixtures("german")
def test_no_word_of_a_button_is_cut_off(page: WelcomePage) -> None:
    """Also in German, where they are longer."""
    for state in DownloadState:
        show(page, download(state))
        QApplication.processEvents()
        for button in (page.cards[0].button, page.cards[0].cancel_button):
            room = round(button.width() - button.sizeHint().width())
            assert room >= 0 or not button.isVisible(), (state, button.text())


def test_progress_moves_nothing(page: WelcomePage) -> None:
    """Neither when a download begins nor while it runs, so that no click misses."""
    QApplication.processEvents()
    parts: list[QWidget] = [*page.cards, page.cards[0].button, page.choose_button, page.built_in_button]
    before = [part.mapTo(page, part.rect().topLeft()) for part in parts]
    for done in (0, GB, 2 * GB):
        show(page, download(done=done))
        QApplication.processEvents()
        assert [part.mapTo(page, part.rect().topLeft()) for part in parts] == before


def test_the_built_in_model_is_one_click_away(page: WelcomePage) -> None:
    """While anything else downloads."""
    asked = heard(sent())
    QTest.mouseClick(page.built_in_button, Qt.MouseButton.LeftButton)
    assert asked == [LookAround()]


def test_the_cards_follow_the_language(page: WelcomePage) -> None:
    """The window is built anew with the former view, and then gets the one in the new language."""
    page.show_welcome(replace(WELCOME, picks=(replace(SMART, label="Klug", text="Kluge Antworten."), QUICK)))
    assert page.cards[0].accessibleName() == "Klug: Smart 9B"
    assert page.cards[0].text.accessibleName() == "Kluge Antworten."


def test_the_cards_are_as_high_as_what_they_say(page: WelcomePage) -> None:
    """Both alike, with no more room above the button than a download's bar needs."""
    QApplication.processEvents()
    one, other = page.cards
    assert one.height() == other.height()
    assert one.button.y() - one.text.geometry().bottom() < 32


def test_other_models_can_be_found(page: WelcomePage, qtbot: QtBot) -> None:
    """By a link to the other list of the models page."""
    with qtbot.waitSignal(page.models_requested, check_params_cb=lambda place: place == HUB):
        QTest.mouseClick(page.find_button, Qt.MouseButton.LeftButton)


def test_a_folder_is_asked_for_at_once(page: WelcomePage, qtbot: QtBot, tmp_path: Path) -> None:
    """If no models were found. What is found there then comes with the next view."""
    page.show_welcome(WelcomeView((SMART, QUICK)))
    assert page.choose_button.text() == "Add folder…"
    asked = heard(sent())
    with qtbot.assertNotEmitted(page.models_requested):
        QTest.mouseClick(page.choose_button, Qt.MouseButton.LeftButton)
    dialog = page.window().findChild(QFileDialog, "modelFolderDialog")
    assert dialog is not None
    dialog.filesSelected.emit([str(tmp_path)])
    dialog.reject()
    assert asked == [AddModelFolder(str(tmp_path))]


def test_models_that_are_here_can_be_chosen(page: WelcomePage, qtbot: QtBot) -> None:
    """The page names what was found, or says how to add a folder."""
    assert page.choose_button.text() == "Choose…"
    assert (page.found_title.text(), page.found.accessibleName()) == ("Models found on this computer", WELCOME.found)
    with qtbot.waitSignal(page.models_requested):
        QTest.mouseClick(page.choose_button, Qt.MouseButton.LeftButton)
    page.show_welcome(WelcomeView((SMART,)))
    assert page.found_title.text() == "Models you have already"
    assert len(page.cards) == 1


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_small_window_cuts_nothing_off(page: WelcomePage, theme: Theme) -> None:
    """At the window's least size everything is in view, without scrolling."""
    appearance.turn_to(theme)
    page.resize(720, 520)
    show(page, download())
    QApplication.processEvents()
    assert page.verticalScrollBar().maximum() == 0
    for part in (*page.cards, page.choose_button, page.built_in_button):
        assert page.rect().contains(part.mapTo(page, part.rect().bottomRight()))


def test_the_keyboard_starts_at_the_first_pick(page: WelcomePage) -> None:
    """Space downloads it; tab goes on to the others."""
    page.take_focus()
    asked = heard(sent())
    QTest.keyClick(page.cards[0].button, Qt.Key.Key_Space)
    assert asked == [Download("org/smart", "c0ffee")]
    seen = set()
    for _ in range(12):
        seen.add(QApplication.focusWidget())
        QTest.keyClick(QApplication.focusWidget() or page, Qt.Key.Key_Tab)
    assert {page.cards[0].button, page.cards[1].button, page.choose_button, page.built_in_button} <= seen


def test_a_screen_reader_hears_the_picks(page: WelcomePage) -> None:
    """A card has a name, and what its text says is heard too."""
    assert page.cards[0].accessibleName() == "Smart: Smart 9B"
    assert page.cards[0].text.accessibleName() == SMART.text
    assert page.cards[0].toolTip() == "org/smart · apache-2.0"


def test_text_of_a_pick_is_never_markup(page: WelcomePage) -> None:
    """It comes from a file."""
    page.show_welcome(WelcomeView((ModelPick("Smart", "o/n", "c", "<b>n</b>", "1 < 2 & <b>x</b>", GB),)))
    card = page.cards[0]
    assert card.name.textFormat() == Qt.TextFormat.PlainText
    assert "&lt;b&gt;" in card.text.text()
