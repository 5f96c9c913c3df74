"""A window whose parts are made anew, because the language has changed."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.fakes.views import asked, chat, row
from tests.fakes.window_hands import tab
from ui.dialogs.prompts_dialog import PromptsDialog
from ui.dialogs.settings_dialog import SettingsDialog
from ui.intents.chat import InChat, SaveDraft
from ui.intents.library import DeleteChats
from ui.sidebar.conversations_model import ConversationRole
from ui.state.library import OpenTabs
from ui.state.preferences import Preferences
from ui.theme.appearance import appearance
from ui.window.main_window import MainWindow


@pytest.mark.sweep(2)
@pytest.mark.parametrize("order", list(permutations("abc")), ids="".join)
def test_the_chat_in_front_stays_in_front_in_whatever_order_the_tabs_open(
    window: MainWindow, order: tuple[str, ...]
) -> None:
    """The order of the tabs stays too. Private chats are read by another thread, so the order is not known."""
    for name in "abc":
        window.chats.open(chat(name, asked(f"{name}1")))
    window.tabs.show_tab("b")
    tabs = window.chats.arranged()
    window.rebuild()
    window.chats.begin_restoring(tabs)
    for name in order:
        window.chats.open(chat(name, asked(f"{name}1")))
    window.chats.end_restoring()
    assert window.tabs.order() == ("a", "b", "c")
    assert window.tabs.current() == "b"


@pytest.mark.sweep(2)
@pytest.mark.parametrize("order", list(permutations("abc")), ids="".join)
def test_tabs_behind_the_one_in_front_write_nothing_until_they_are_shown(
    window: MainWindow, order: tuple[str, ...]
) -> None:
    """Only the one in front is seen while they open, so the window is ready sooner."""
    window.chats.begin_restoring(OpenTabs(("a", "b", "c"), "b"))
    for name in order:
        window.chats.open(chat(name, asked(f"{name}1")))
    window.chats.end_restoring()
    window.tabs.show_tab("b")
    written = {name: bool(len(tab(window, name).transcript.loaded)) for name in "abc"}
    assert written == {"a": False, "b": True, "c": False}
    window.tabs.show_tab("a")
    assert len(tab(window, "a").transcript.loaded) == 1


def test_a_chat_that_cannot_be_opened_again_holds_up_no_other(window: MainWindow) -> None:
    """Another process may have erased it meanwhile."""
    for name in "abc":
        window.chats.open(chat(name, asked(f"{name}1")))
    window.tabs.show_tab("b")
    tabs = window.chats.arranged()
    window.rebuild()
    window.chats.begin_restoring(tabs)
    for name in "bc":
        window.chats.open(chat(name, asked(f"{name}1")))
    window.chats.end_restoring()
    assert window.tabs.current() == "b"


def test_a_draft_is_still_saved_before_its_chat_is_deleted(window: MainWindow) -> None:
    """The app drops the drafts of deleted chats, so it has to hear of the draft first, also in the new parts."""
    heard: list[object] = []
    window.requested.connect(heard.append)
    window.rebuild()
    window.chats.open(chat("a", asked("a1")))
    tab = window.chats.current_tab()
    assert tab is not None
    tab.composer.edit.setPlainText("half a thought")
    heard.clear()
    window.requested.emit(DeleteChats(("a",)))
    assert heard == [InChat("a", SaveDraft("half a thought")), DeleteChats(("a",))]


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "closed"])
def test_the_settings_keep_their_page(window: MainWindow, *, is_open: bool) -> None:
    """They are open at it, or open at it later."""
    window.dialogs.open_settings_at("Privacy")
    shown = window.findChild(SettingsDialog)
    assert shown is not None
    if not is_open:
        shown.close()
    window.rebuild()
    assert (window.dialogs.settings is not None, window.dialogs.page) == (is_open, 6)


@pytest.mark.parametrize("name", ["", "Translate"], ids=["untouched", "unfinished"])
def test_a_dialog_of_the_former_language_closes(window: MainWindow, name: str) -> None:
    """Also one that would ask once more for the text of a prompt."""
    window.dialogs.open_prompts()
    dialog = window.findChild(PromptsDialog)
    assert dialog is not None
    dialog.name.setText(name)
    window.rebuild()
    assert not dialog.isVisible()


def test_the_search_goes_on_although_tabs_open_that_it_does_not_list(window: MainWindow) -> None:
    """A new chat ends the search. A tab that opens again does not."""
    window.chats.open(chat("a", asked("a1")))
    window.sidebar.search.setText("fox")
    tabs = window.chats.arranged()
    window.rebuild()
    window.chats.begin_restoring(tabs)
    window.chats.open(chat("a", asked("a1")))
    window.chats.end_restoring()
    assert window.sidebar.search.text() == "fox"


def test_the_theme_and_what_is_shown_stay(window: MainWindow) -> None:
    """The app does not have to send again what has no words in it."""
    window.store.preferences.put(Preferences(theme="dark", zoom=150))
    window.store.unread.put(frozenset({"a"}))
    window.store.conversations.put((row("a"), row("b")))
    before = window.styleSheet()
    window.rebuild()
    assert window.styleSheet() == before == appearance.theme.qss()
    assert (appearance.theme.dark, appearance.theme.reading.zoom) == (True, 150)
    assert [one.id for one in window.sidebar.model.known.values()] == ["a", "b"]
    index = window.sidebar.model.index_of("a")
    assert index.data(ConversationRole.UNREAD)
