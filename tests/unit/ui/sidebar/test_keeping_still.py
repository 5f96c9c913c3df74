"""The list of chats keeps still under the pointer."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.fakes.context import store
from tests.fakes.views import NOW, row
from ui.sidebar.conversations_model import ConversationRole
from ui.sidebar.sidebar import Sidebar
from ui.state.library import ConversationRow
from ui.theme.appearance import appearance
from ui.theme.theme import LIGHT, Reading

ROWS = (row("a", 1 / 24), row("b", 2 / 24), row("c", 1), row("d", 3))


def point(sidebar: Sidebar, *, inside: bool) -> None:
    """The pointer enters or leaves the list."""
    QApplication.sendEvent(sidebar.list, QEvent(QEvent.Type.Enter if inside else QEvent.Type.Leave))


def sent_in(chat: str, *rows: ConversationRow) -> tuple[ConversationRow, ...]:
    """The list after the user has sent a message in `chat`."""
    return tuple(sorted((replace(one, updated=NOW) if one.id == chat else one for one in rows), key=_age))


def _age(one: ConversationRow) -> timedelta:
    return NOW - one.updated


def lines(sidebar: Sidebar) -> list[str]:
    """The chats and the headings, from top to bottom."""
    indexes = map(sidebar.model.index, range(sidebar.model.rowCount()))
    return [str(index.data(ConversationRole.ID) or index.data()) for index in indexes]


def test_no_row_moves_from_under_the_pointer(sidebar: Sidebar) -> None:
    """The words of the rows are new at once. The order waits until the pointer leaves."""
    sidebar.show_conversations(ROWS)
    sidebar.select("b")
    before = lines(sidebar)
    assert before == ["Today", "a", "b", "Yesterday", "c", "Previous 7 days", "d"]
    point(sidebar, inside=True)
    sidebar.show_conversations(tuple(replace(one, snippet="New") for one in sent_in("c", *ROWS)))
    sidebar.minute_timer.timeout.emit()
    assert lines(sidebar) == before
    index = sidebar.model.index_of("c")
    assert (index.data(ConversationRole.SNIPPET), index.data(ConversationRole.TIME)) == ("New", "now")
    point(sidebar, inside=False)
    assert lines(sidebar) == ["Today", "c", "a", "b", "Previous 7 days", "d"]
    assert sidebar.current() == "b"


def test_a_row_with_a_draft_or_a_new_name_does_not_move_either(sidebar: Sidebar) -> None:
    """The place stays, whatever is written in it."""
    sidebar.show_conversations(ROWS)
    point(sidebar, inside=True)
    sidebar.show_conversations(sent_in("d", *ROWS))
    sidebar.model.show_draft("d", "half a sentence")
    sidebar.show_conversations(sent_in("d", *ROWS))
    assert lines(sidebar) == ["Today", "a", "b", "Yesterday", "c", "Previous 7 days", "d"]


def test_what_the_user_does_there_is_seen_at_once(sidebar: Sidebar) -> None:
    """A chat that is deleted, made, pinned or filed does not wait. The others keep their order."""
    sidebar.show_conversations(ROWS)
    point(sidebar, inside=True)
    sidebar.show_conversations(sent_in("d", *ROWS))
    sidebar.show_conversations((row("e"), *(one for one in sent_in("d", *ROWS) if one.id != "c")))
    assert lines(sidebar) == ["Today", "e", "a", "b", "Previous 7 days", "d"]
    sidebar.show_conversations(tuple(replace(one, pinned=one.id == "b") for one in sent_in("d", row("e"), *ROWS)))
    assert lines(sidebar) == ["Pinned", "b", "Today", "e", "a", "Yesterday", "c", "Previous 7 days", "d"]


def test_the_hits_of_a_search_never_wait(sidebar: Sidebar) -> None:
    """They answer what the user types."""
    point(sidebar, inside=True)
    for rows in ((row("a"), row("b")), (row("b"), row("a"))):
        sidebar.search.setText("tea")
        sidebar.show_conversations(rows)
        assert lines(sidebar) == ["Results", *(one.id for one in rows)]


def test_a_row_slides_to_its_new_place(sidebar: Sidebar, qtbot: QtBot) -> None:
    """It is painted where it was, and then nearer and nearer to its place. With reduced motion it is there at once."""
    store().conversations.put(ROWS)
    qtbot.waitUntil(lambda: sidebar.slide.tops()["c"] == sidebar.list.visualRect(sidebar.model.index_of("c")).top())
    before = sidebar.slide.tops()
    store().conversations.put(sent_in("c", *ROWS))
    index = sidebar.model.index_of("c")
    place = sidebar.list.visualRect(index).top()
    assert place < sidebar.slide.tops()["c"] <= before["c"]
    assert sidebar.slide.tops()["a"] < sidebar.list.visualRect(sidebar.model.index_of("a")).top()
    qtbot.waitUntil(lambda: sidebar.slide.tops()["c"] == place)
    appearance.turn_to(replace(LIGHT, reading=Reading(calm=True)))
    store().conversations.put(ROWS)
    assert sidebar.slide.tops() == before
