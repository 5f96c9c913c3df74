"""Rebuilding: what the user arranged in a window, kept while all of its parts are made anew for another language.

The app shows its views again, and reopens and arranges the tabs; here is what only the window knows. A chat gets back
its place when its tab has opened.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog

from ui.intents.notice import Notice
from ui.state.chat import ChatView
from ui.transcript.scrolling import ReadingPlace
from ui.window.window_parts import WindowParts


class WindowArrangement:
    """Made before the parts are, and applied to the new ones."""

    def __init__(self, window: WindowParts) -> None:
        self._shows_models = window.stage.place() is window.models
        self._sidebar = window.stage.sidebar_place.is_wanted, window.sidebar.width()
        self._folded = window.sidebar.model.folded()
        self._search = window.sidebar.search.text()
        self._inspector = window.desk.inspecting, window.desk.inspector.width()
        self._share = window.pages.share
        self._closed, self._places = window.chats.closed, window.chats.places
        self._notices: tuple[Notice, ...] = window.notices.notices()
        self._settings = window.dialogs.has_settings, window.dialogs.page
        tabs = ((conversation, window.chats.tab(conversation)) for conversation in window.tabs.order())
        self._reading = {conversation: ReadingPlace.of(tab.transcript) for conversation, tab in tabs if tab is not None}
        window.pages.flush_drafts()

    def apply(self, window: WindowParts) -> None:
        """Arrange the new parts as the former ones were."""
        is_wanted, width = self._sidebar
        window.sidebar.set_width(width)
        if not is_wanted:
            window.stage.sidebar_place.toggle()
        window.sidebar.fold(self._folded)
        is_inspecting, width = self._inspector
        window.desk.inspector.set_width(width)
        window.desk.set_inspecting(inspecting=is_inspecting)
        window.pages.share = self._share
        window.chats.closed, window.chats.places = self._closed, self._places
        for notice in self._notices:
            window.notices.show_notice(notice)
        window.chats.opened.connect(lambda view: self._reopened(window, view))
        window.chats.restored.connect(lambda: self._restored(window), Qt.ConnectionType.SingleShotConnection)
        if self._shows_models:
            window.stage.show_models()
        has_settings, page = self._settings
        window.dialogs.turn_to(page)
        if has_settings:
            window.dialogs.open_settings()

    def _reopened(self, window: WindowParts, view: ChatView) -> None:
        place, tab = self._reading.pop(view.id, None), window.chats.tab(view.id)
        if place is not None and tab is not None:
            place.restore(tab.transcript)

    def _restored(self, window: WindowParts) -> None:
        """Search again: a chat that opens ends a search that does not list it."""
        window.sidebar.search.setText(self._search)


def take_down(window: WindowParts, first: list[QObject]) -> None:
    """Delete every part of a window but its `first` children, which it had when it was empty. None of them emits
    anything from now on.
    """
    for dialog in window.findChildren(QDialog):
        dialog.close()
    window.setStyleSheet("")  # else every new part would be styled twice
    for part in [part for part in window.children() if part not in first]:
        for one in (part, *part.findChildren(QObject)):
            one.blockSignals(True)  # noqa: FBT003 - Qt's own
        part.deleteLater()
