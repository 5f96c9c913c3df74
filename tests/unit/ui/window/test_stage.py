from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.fakes.intents import heard
from tests.fakes.model_views import WELCOME, detail, local
from tests.fakes.views import GENERATING, asked, chat
from tests.unit.ui.models import test_models_page as models_page
from ui.intents.models import ChatWith, FinishWelcome, PickModel, ShowModels
from ui.intents.notice import Notice
from ui.models.models_page import HUB, LOCAL
from ui.models.row_words import RowAction
from ui.state.engine import ModelView, OfferedModels
from ui.state.models import LocalModelsView
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT
from ui.window.main_window import MainWindow

VIEW = LocalModelsView((local("a"), local("b")))


def press_new_chat(window: MainWindow, model: str) -> None:
    shown = window.models.listings[0].list
    place = shown.button(model, RowAction.NEW_CHAT).center()
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_the_models_page_takes_the_place_of_the_chats(window: MainWindow) -> None:
    """The sidebar stays. Escape leads back to where the user wrote."""
    window.chats.open(chat("a"))
    window.actions_by_name["models"].trigger()
    assert (window.models.isVisible(), window.tab_row.isVisible(), window.sidebar.isVisible()) == (True, False, True)
    QTest.keyClick(window.models, Qt.Key.Key_Escape)
    tab = window.chats.tab("a")
    assert tab is not None
    assert tab.composer.edit.hasFocus()
    assert not window.models.isVisible()


def test_the_picker_leads_to_the_models_page(window: MainWindow) -> None:
    """The models are asked for once."""
    window.chats.open(chat("a"))
    tab = window.chats.tab("a")
    assert tab is not None
    asked_for = heard(window, ShowModels)
    entry = next(entry for entry in tab.composer.model_chip.choices.actions() if entry.text() == "Manage models…")
    entry.trigger()
    assert window.models.isVisible()
    assert asked_for == [ShowModels()]


def test_escape_leads_back_from_a_model_in_a_narrow_window(window: MainWindow) -> None:
    """A click on a row hides the list. The keyboard stays on the page, also when the models change meanwhile."""
    window.resize(window.minimumSize())
    window.stage.show_models()
    window.store.local_models.put(VIEW)
    shown = window.models.listings[0].list
    place = shown.visualRect(shown.rows.index_of("/models/b")).topLeft() + QPoint(90, 34)
    shown.setFocus()
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    window.store.local_models.put(VIEW)
    assert window.models.pane.isVisible()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert shown.hasFocus()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert not window.models.isVisible()


def test_escape_on_the_models_page_stops_no_answer(window: MainWindow) -> None:
    """The actions on a chat rest while it cannot be seen."""
    window.chats.open(chat("a", asked("m"), status=GENERATING))
    assert window.actions_by_name["stop"].isEnabled()
    window.stage.show_models()
    assert not window.actions_by_name["stop"].isEnabled()
    window.models.left.emit()
    assert window.actions_by_name["stop"].isEnabled()


def test_a_chat_that_is_opened_comes_to_the_front(window: MainWindow) -> None:
    """Also the one that was in front before."""
    window.chats.open(chat("a"))
    window.stage.show_models()
    window.chats.open(chat("a"))
    assert window.stage.shows_chats()
    window.stage.show_models()
    window.chats.open(chat("b"))
    assert window.stage.shows_chats()


def test_notices_are_seen_everywhere(window: MainWindow) -> None:
    """They move to the page in front."""
    window.show_notice(Notice("k", "Something happened."))
    turns: tuple[tuple[Callable[[], object], QWidget], ...] = (
        (window.stage.show_models, window.models),
        (window.models.left.emit, window.pages),
        (lambda: window.store.welcome.put(WELCOME), window.welcome),
    )
    for turn, page in turns:
        turn()
        assert window.notices.parentWidget() is page
        assert window.notices.isVisible()


def test_the_sidebar_can_be_shown_from_the_models_page(window: MainWindow) -> None:
    """It has a button for that while the sidebar is hidden."""
    window.stage.show_models()
    window.stage.sidebar_place.toggle()
    assert window.models.sidebar_button.isVisible()
    QTest.mouseClick(window.models.sidebar_button, Qt.MouseButton.LeftButton)
    assert window.sidebar.isVisible()
    assert not window.models.sidebar_button.isVisible()


def test_the_welcome_fills_the_window(window: MainWindow) -> None:
    """Until the app takes it away."""
    window.store.welcome.put(WELCOME)
    assert window.welcome.isVisible()
    assert not window.sidebar.isVisible()
    assert not window.actions_by_name["new_chat"].isEnabled(), "it would open behind the page"
    window.store.welcome.put(WELCOME)
    window.store.welcome.put(None)
    assert window.sidebar.isVisible()
    assert window.actions_by_name["new_chat"].isEnabled()


def test_a_chat_that_is_opened_meanwhile_waits_behind_the_welcome(window: MainWindow) -> None:
    """The app may open the first chat before the user has decided. The keyboard stays with the welcome until then, and
    so does the title.
    """
    window.store.welcome.put(WELCOME)
    window.chats.open(chat("a"))
    assert window.welcome.isVisible()
    assert window.focusWidget() is window.welcome.cards[0].button
    assert window.windowTitle() == "Hearth"
    window.store.welcome.put(None)
    assert window.stage.shows_chats()
    assert window.focusWidget() is window.chats.current_tab().composer.edit  # type: ignore[union-attr] # a tab is open
    assert window.windowTitle() == "Title a"


def test_choosing_among_own_models_leads_back_to_the_welcome(window: MainWindow) -> None:
    """If the user chooses none."""
    window.store.welcome.put(WELCOME)
    QTest.mouseClick(window.welcome.choose_button, Qt.MouseButton.LeftButton)
    assert window.models.isVisible()
    window.store.welcome.put(WELCOME)
    assert window.models.isVisible(), "an update does not take the page away"
    QTest.keyClick(window.models, Qt.Key.Key_Escape)
    assert window.welcome.isVisible()


def test_choosing_among_own_models_shows_them(window: MainWindow) -> None:
    """Also if the hub was in front when the user left the models page."""
    window.stage.show_models()
    window.models.turn_to(HUB)
    window.models.left.emit()
    window.stage.show_models()
    assert window.models.place() == HUB, "the menu leads to where the user was"
    window.models.left.emit()
    window.store.welcome.put(WELCOME)
    QTest.mouseClick(window.welcome.choose_button, Qt.MouseButton.LeftButton)
    assert window.models.place() == LOCAL
    assert window.models.add_button.isVisible()


def test_a_chosen_model_ends_the_welcome(window: MainWindow) -> None:
    """A chat with it is opened."""
    window.store.welcome.put(WELCOME)
    window.stage.show_models()
    window.store.local_models.put(VIEW)
    said = heard(window, ChatWith)
    press_new_chat(window, "/models/b")
    assert said == [ChatWith("/models/b")]
    window.store.welcome.put(None)
    window.chats.open(chat("x"))
    assert window.stage.shows_chats()


def test_what_the_pages_ask_reaches_the_app(window: MainWindow) -> None:
    """In the order in which it was asked."""
    window.store.welcome.put(WELCOME)
    window.stage.show_models()
    window.store.local_models.put(VIEW)
    said = heard(window, ChatWith, FinishWelcome)
    press_new_chat(window, "/models/a")
    assert said == [ChatWith("/models/a"), FinishWelcome()]


def test_a_chat_that_is_opened_from_the_models_page_ends_the_welcome(window: MainWindow) -> None:
    """As an import does. Otherwise the next news of a download would lay the welcome page over the chat."""
    window.store.welcome.put(WELCOME)
    window.stage.show_models()
    said = heard(window, FinishWelcome)
    window.chats.open(chat("a"))
    assert window.stage.shows_chats()
    assert said == [FinishWelcome()]


@pytest.mark.parametrize("place", ["models", "welcome"])
def test_pages_follow_the_system(window: MainWindow, place: str) -> None:
    """Every surface changes at once, while the page is in front."""
    window.store.local_models.put(VIEW)
    window.store.welcome.put(WELCOME)
    if place == "models":
        window.stage.show_models()
    for theme in (DARK, LIGHT):
        appearance.turn_to(theme)
        QApplication.processEvents()
        corner = window.stage.place().grab().toImage().pixelColor(3, 3).name()
        assert corner == theme.page


def test_a_model_can_be_used_in_the_chat_in_front(window: MainWindow) -> None:
    """The button says so only if there is one."""
    window.stage.show_models()
    window.store.local_models.put(VIEW)
    buttons = window.models.pane.buttons
    assert not buttons.use.isVisible()
    window.chats.open(chat("a"))
    window.stage.show_models()
    said = heard(window, PickModel)
    QTest.mouseClick(buttons.use, Qt.MouseButton.LeftButton)
    assert said == [PickModel("/models/a")]
    assert window.stage.shows_chats()


def test_no_button_of_a_models_card_is_cut_after_the_window_became_narrow(window: MainWindow) -> None:
    """Qt tells a card that is being shown of its first height only."""
    window.resize(1280, 840)
    page = window.models
    window.chats.open(chat("a"))
    window.store.models.put(OfferedModels((ModelView("/models/c", "c"),), "/models/c"))
    window.stage.show_models()
    window.store.local_models.put(models_page.VIEW)
    window.store.model_detail.put(replace(detail(models_page.VIEW.rows[2]), about="Words. " * 12))
    QApplication.processEvents()
    window.stage.show_chats()
    window.resize(900, 640)
    QApplication.processEvents()
    window.stage.show_models()
    QApplication.processEvents()
    models_page.click_row(page.listings[LOCAL], "/models/c")
    QApplication.processEvents()
    assert page.pane.isVisible()
    assert page.pane.rect().contains(page.pane.buttons.geometry())
