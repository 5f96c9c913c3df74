"""The list of what is kept of each chat, in the settings: its sizes and pins."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QIcon
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard
from ui.dialogs.storage_pane import StoredChats
from ui.intents.chat import InChat
from ui.intents.chat_settings import ClearMemory, UndoClearMemory
from ui.intents.library import PinChats
from ui.state.settings import StoredChat
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT, Theme

CHAT = StoredChat("a", "Rust & <b>cats</b>", 10, 9 << 20)
OTHER = StoredChat("b", "Two", 10, 5 << 20)


@pytest.fixture
def stored(qtbot: QtBot) -> StoredChats:
    made = StoredChats(context())
    qtbot.addWidget(made)
    made.show_chats((CHAT, OTHER))
    return made


def _looks(icon: QIcon, theme: Theme, *, is_pinned: bool) -> bool:
    wanted = theme.icon("pin", theme.accent if is_pinned else theme.muted)
    return icon.pixmap(18, 18).toImage() == wanted.pixmap(18, 18).toImage()


def test_a_pin_says_whether_it_is_set(stored: StoredChats) -> None:
    """By its colour, by its name and by its tool tip, as soon as the app has pinned the chat, and in each theme. The
    tool tip says what a pin is good for.
    """
    pin = stored.rows["a"].pin
    asked = heard(sent())
    pin.click()
    assert asked == [PinChats(("a",), pinned=True)]
    assert pin.accessibleName() == "Pin Rust & <b>cats</b>", "the app has not pinned it yet"
    assert _looks(pin.icon(), LIGHT, is_pinned=False)
    stored.show_chats((replace(CHAT, pinned=True), OTHER))
    assert pin.accessibleName() == "Unpin Rust & <b>cats</b>"
    assert pin.toolTip().startswith(
        "<p>Unpin Rust &amp; &lt;b&gt;cats&lt;/b&gt;<br>What is kept of a pinned chat is never"
    )
    assert _looks(pin.icon(), LIGHT, is_pinned=True)
    appearance.turn_to(DARK)
    assert _looks(pin.icon(), DARK, is_pinned=True)
    assert _looks(stored.rows["b"].pin.icon(), DARK, is_pinned=False)
    pin.click()
    assert asked[1:] == [PinChats(("a",), pinned=False)]


def test_the_rows_stay_when_a_chat_is_pinned(stored: StoredChats) -> None:
    """The button under the mouse is the same one as before, so a second click undoes the first."""
    rows = dict(stored.rows)
    stored.show_chats((replace(CHAT, pinned=True), OTHER))
    assert stored.rows == rows
    stored.show_chats((replace(CHAT, pinned=True, bytes=1), OTHER))
    assert list(stored.rows) == ["b", "a"]
    assert stored.rows["a"].pin.accessibleName().startswith("Unpin ")


def test_a_row_tells_what_its_chat_alone_takes_and_what_it_shares(stored: StoredChats) -> None:
    """A chat that shares everything is ready, too, and can be cleared."""
    stored.show_chats(
        (StoredChat("a", "Fork", 866, shared=8 << 20), StoredChat("b", "Chat", 900, 1 << 20, shared=8 << 20))
    )
    assert [(name, row.about.text().replace("\u00a0", " "), row.bytes.text()) for name, row in stored.rows.items()] == [
        ("b", "900 tokens · 8 MB shared", "1 MB"),
        ("a", "866 tokens · 8 MB shared", "—"),
    ]
    assert stored.rows["a"].pill.accessibleName() == "ready"
    assert stored.rows["a"].free.isEnabled()


def test_what_is_about_to_be_freed_can_be_kept_after_all(stored: StoredChats) -> None:
    """For seconds, by the same button. The other chats keep theirs."""
    asked, row = heard(sent()), stored.rows["a"]
    row.free.click()
    store().clearing.put({"a": 10})
    assert (row.free.text(), row.pill.accessibleName(), row.bytes.text()) == ("Undo (10 s)", "not kept", "—")
    assert stored.rows["b"].free.text() == "Free this space"
    row.free.click()
    store().clearing.put({})
    assert (row.free.text(), row.pill.accessibleName(), row.bytes.text()) == ("Free this space", "ready", "9 MB")
    assert asked == [InChat("a", ClearMemory()), InChat("a", UndoClearMemory())]
    store().clearing.put({"": 10})
    assert not row.free.isEnabled(), "all chats are about to be freed, and there is one undo for all"


def test_the_rows_stay_when_space_is_freed(stored: StoredChats) -> None:
    """A second click meets the same row, until the user looks again."""
    stored.show()
    stored.rows["a"].free.click()
    stored.show_chats((replace(CHAT, bytes=0, tokens=0), OTHER))
    assert list(stored.rows) == ["a", "b"]
    assert not stored.rows["a"].free.isEnabled()
    stored.hide()
    stored.show()
    assert list(stored.rows) == ["b", "a"]
