"""Rebuilding: what the user arranged in a window, kept while all of its parts are made anew for another language.

The app shows its views again, and reopens and arranges the tabs; here is what only the window knows. A chat gets back
its place when its tab has opened.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog

from ui.state.chat import ChatView
from ui.transcript.scrolling import ReadingPlace
from ui.window.window_parts import WindowParts


def rebuild(window: WindowParts, first: list[QObject]) -> None:
    """Make every part of a window but its `first` children anew, and arrange the new parts as the former ones were."""
    shows_models = window.stage.place() is window.models
    has_sidebar, sidebar_px = window.stage.sidebar_place.is_wanted, window.sidebar.width()
    folded, search = window.sidebar.model.folded(), window.sidebar.search.text()
    is_inspecting, inspector_px = window.desk.inspecting, window.desk.inspector.width()
    share, closed, places = window.pages.share, window.chats.closed, window.chats.places
    notices, has_settings, page = window.notices.notices(), window.dialogs.has_settings, window.dialogs.page
    tabs = ((conversation, window.chats.tab(conversation)) for conversation in window.tabs.order())
    reading = {conversation: ReadingPlace.of(tab.transcript) for conversation, tab in tabs if tab is not None}
    window.pages.flush_drafts()
    _take_down(window, first)
    window.build()
    window.sidebar.set_width(sidebar_px)
    if not has_sidebar:
        window.stage.sidebar_place.toggle()
    window.sidebar.fold(folded)
    window.desk.inspector.set_width(inspector_px)
    window.desk.set_inspecting(inspecting=is_inspecting)
    window.pages.share = share
    window.chats.closed, window.chats.places = closed, places
    for notice in notices:
        window.notices.show_notice(notice)

    def reopened(view: ChatView) -> None:
        place, tab = reading.pop(view.id, None), window.chats.tab(view.id)
        if place is not None and tab is not None:
            place.restore(tab.transcript)

    window.chats.opened.connect(reopened)
    window.chats.restored.connect(  # a chat that opens ends a search that does not list it
        lambda: window.sidebar.search.setText(search), Qt.ConnectionType.SingleShotConnection
    )
    if shows_models:
        window.stage.show_models()
    window.dialogs.turn_to(page)
    if has_settings:
        window.dialogs.open_settings()


def _take_down(window: WindowParts, first: list[QObject]) -> None:
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
