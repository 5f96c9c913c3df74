"""The models page with the models of the hub: the search, its troubles, downloads and the token."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QLineEdit
from pytestqt.qtbot import QtBot

from tests.fakes.context import sent, store
from tests.fakes.intents import heard
from tests.fakes.model_views import detail, remote
from tests.fakes.models_hands import press
from ui.intents.models import (
    Download,
    SearchHub,
    SetHubToken,
)
from ui.models.models_page import HUB, LOCAL, ModelsPage
from ui.models.row_words import RowAction
from ui.state.models import HubView


def test_the_hub_is_searched_once_it_is_shown(page: ModelsPage) -> None:
    """The first time for the most downloaded ones, not again when the user comes back."""
    asked = heard(sent(), SearchHub)
    QTest.mouseClick(page.segments.segments[HUB], Qt.MouseButton.LeftButton)
    store().hub.put(HubView(busy=True))
    QTest.mouseClick(page.segments.segments[LOCAL], Qt.MouseButton.LeftButton)
    QTest.mouseClick(page.segments.segments[HUB], Qt.MouseButton.LeftButton)
    assert asked == [SearchHub("")]


def test_a_search_waits_for_a_pause_in_typing(page: ModelsPage, qtbot: QtBot) -> None:
    """Or for Enter."""
    page.turn_to(HUB)
    asked = heard(sent(), SearchHub)
    QTest.keyClicks(page.fields[HUB], "qwen")
    qtbot.waitUntil(lambda: asked == [SearchHub("qwen")])
    QTest.keyClicks(page.fields[HUB], " 9b")
    QTest.keyClick(page.fields[HUB], Qt.Key.Key_Return)
    assert asked[1:] == [SearchHub("qwen 9b")]


def test_a_model_of_the_hub_is_downloaded_at_its_commit(page: ModelsPage) -> None:
    """From the card at the commit that it shows; from the row the newest, if the card is of another model. The card
    then shows what comes of the download.
    """
    page.turn_to(HUB)
    store().hub.put(HubView("", (remote("x"), remote("y"))))
    store().hub_detail.put(detail(remote("x"), revision="c0ffee", card="A model."))
    assert (page.pane.card.text(), page.pane.card.isVisible()) == ("A model.", True)
    asked = heard(sent(), Download)
    QTest.mouseClick(page.pane.buttons.act[RowAction.DOWNLOAD], Qt.MouseButton.LeftButton)
    press(page.listings[HUB], "org/y", RowAction.DOWNLOAD)
    assert asked == [Download("org/x", "c0ffee"), Download("org/y")]
    assert page.pane.title.text() == "y"


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (HubView("q", busy=True), "Searching…"),
        (HubView("q"), "Nothing found."),
        (HubView("q", text="There is no network."), "There is no network."),
    ],
)
def test_the_hub_in_one_line(page: ModelsPage, view: HubView, words: str) -> None:
    """While it is searched, if it has nothing, and if it cannot be reached."""
    page.turn_to(HUB)
    store().hub.put(view)
    assert (page.listings[HUB].empty.text(), page.listings[HUB].empty.isVisible()) == (words, True)


def test_a_search_that_failed_can_be_repeated(page: ModelsPage) -> None:
    """By Enter, or when the list is shown again: the network may be back."""
    page.turn_to(HUB)
    store().hub.put(HubView("", text="There is no network."))
    asked = heard(sent(), SearchHub)
    QTest.keyClick(page.fields[HUB], Qt.Key.Key_Return)
    store().hub.put(HubView(busy=True))
    QTest.keyClick(page.fields[HUB], Qt.Key.Key_Return)
    assert asked == [SearchHub("")], "not while it is being searched"
    store().hub.put(HubView("", text="There is no network."))
    page.turn_to(LOCAL)
    page.turn_to(HUB)
    assert asked == [SearchHub(""), SearchHub("")]
    store().hub.put(HubView("", (remote("x"),)))
    page.turn_to(LOCAL)
    page.turn_to(HUB)
    assert len(asked) == 2


def test_a_failed_search_offers_another_try(page: ModelsPage) -> None:
    """By a button below the sentence, until an answer comes."""
    page.turn_to(HUB)
    store().hub.put(HubView("", text="There is no network.", failed=True))
    asked = heard(sent(), SearchHub)
    QTest.mouseClick(page.listings[HUB].again_button, Qt.MouseButton.LeftButton)
    assert asked == [SearchHub("")]
    store().hub.put(HubView("", text="Nothing of that name."))
    assert not page.listings[HUB].again_button.isVisible()


def test_the_field_says_that_it_searches(page: ModelsPage) -> None:
    """The rows of the former search stay until the answer comes."""
    page.turn_to(HUB)
    store().hub.put(HubView("q", (remote("x"),), busy=True))
    assert page.fields[HUB].accessibleDescription() == "Searching…"
    assert page.listings[HUB].list.isVisible()
    store().hub.put(HubView("q", (remote("x"),)))
    assert page.fields[HUB].accessibleDescription() == ""


def test_rows_stay_when_the_network_goes(page: ModelsPage) -> None:
    """The line stands above them."""
    page.turn_to(HUB)
    store().hub.put(HubView("q", (remote("x"),), text="There is no network."))
    assert page.listings[HUB].trouble.text() == "There is no network."
    assert page.listings[HUB].list.isVisible()


def test_a_token_that_is_kept_shows(page: ModelsPage) -> None:
    """On the button, and with its place in the dialog."""
    page.turn_to(HUB)
    assert page.token_button.text() == "Access token…"
    store().token_place.put("the keychain")
    assert page.token_button.text() == "Access token ✓"
    QTest.mouseClick(page.token_button, Qt.MouseButton.LeftButton)
    dialog = page.window().findChild(QInputDialog, "tokenDialog")
    assert isinstance(dialog, QInputDialog)
    assert "A token is kept in the keychain. Enter another, or leave it empty to forget it." in dialog.labelText()
    dialog.reject()
    store().token_place.put("")
    assert page.token_button.text() == "Access token…"


def test_the_token_is_asked_for_and_not_shown(page: ModelsPage) -> None:
    """The field hides it. An empty one forgets it."""
    page.turn_to(HUB)
    asked = heard(sent())
    QTest.mouseClick(page.token_button, Qt.MouseButton.LeftButton)
    dialog = page.window().findChild(QInputDialog, "tokenDialog")
    assert isinstance(dialog, QInputDialog)
    field = dialog.findChild(QLineEdit)
    assert field is not None
    assert field.echoMode() == QLineEdit.EchoMode.Password
    field.setText(" hf_secret ")
    dialog.accept()
    assert asked == [SetHubToken("hf_secret")]
