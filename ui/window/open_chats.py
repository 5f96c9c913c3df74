"""OpenChats: the open conversations, each with a tab in the row and a page below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ui.intents.chat import CloseTab, InChat, Open
from ui.intents.library import ArrangeTabs, FocusTab

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ui.chat.chat_tab import ChatTab
    from ui.state.chat import ChatStatus, ChatView
    from ui.window.chat_pages import ChatPages
    from ui.window.tab_strip import TabStrip


class OpenChats(QObject):
    """Keeps tabs and pages together, and one of them in front.

    `opened` carries the `ChatView` of a tab that was opened or updated. `shown` is emitted when a tab comes to the
    front or is updated there, `turned` only if it shows another conversation than before, and `changed` when the tab
    in front looks different. `erasing` carries a private chat that has content, because its tab is to be closed: the
    user is asked, and `close_anyway` closes it.
    """

    requested = Signal(object)
    opened = Signal(object)
    shown = Signal()
    turned = Signal()
    changed = Signal()
    erasing = Signal(str)

    def __init__(self, tabs: TabStrip, pages: ChatPages, parent: QObject) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self._pages = pages
        self._shown = ""
        self._closed: list[str] = []
        self._told = ArrangeTabs((), "")
        tabs.shown.connect(self.show_current)
        tabs.close_requested.connect(self.close)
        tabs.moved.connect(self._arrange)
        pages.requested.connect(self.requested)

    def open(self, view: ChatView) -> None:
        """Make the tab of a conversation or update the one that exists, show it and focus its message box."""
        tab = self.tab(view.id)
        if tab is None:
            tab = self._add(view)
        else:
            tab.show_view(view)
        self.set_title(view.id, view.title)
        self._tabs.set_status(view.id, view.status)
        self.opened.emit(view)
        self._tabs.show_tab(view.id)
        self.show_current()
        tab.composer.edit.setFocus()

    def _add(self, view: ChatView) -> ChatTab:
        add = self._tabs.add_private if view.private else self._tabs.add
        add(view.id, view.title)
        tab = self._pages.add(view)
        tab.changed.connect(lambda: self._note_change(view.id))
        return tab

    def begin_restoring(self) -> None:
        """The tabs of the last run are about to open."""
        self._pages.set_awaiting(True)
        self.show_current()

    def end_restoring(self) -> None:
        """They are open. If there is none, home is shown."""
        self._pages.set_awaiting(False)
        self.show_current()

    def order(self) -> tuple[str, ...]:
        """The open conversations, in the order of their tabs."""
        return self._tabs.order()

    def is_private(self, conversation: str) -> bool:
        """Whether a conversation has a private tab."""
        return self._tabs.is_private(conversation)

    def close_others(self, conversation: str) -> None:
        """Close every other tab, except for private chats with content: those are closed one by one."""
        self._close_all([other for other in self.order() if other != conversation])

    def close_right(self, conversation: str) -> None:
        """Close the tabs to the right of this one, with the same exception."""
        self._close_all(self.order()[self.order().index(conversation) + 1 :])

    def _close_all(self, conversations: Iterable[str]) -> None:
        for conversation in conversations:
            tab = self.tab(conversation)
            if tab is not None and not (self.is_private(conversation) and tab.has_content()):
                self.close_anyway(conversation)

    def close(self, conversation: str) -> None:
        """Close a tab for the user, unless that would erase what is in a private chat."""
        tab = self.tab(conversation)
        if tab is not None and self._tabs.is_private(conversation) and tab.has_content():
            self.erasing.emit(conversation)
        else:
            self.close_anyway(conversation)

    def close_anyway(self, conversation: str) -> None:
        """Close a tab for the user, who can reopen it unless the chat is private."""
        if (tab := self.tab(conversation)) is not None:
            tab.composer.flush_draft()
            if not self._tabs.is_private(conversation):
                self._forget_closed(conversation)
                self._closed.append(conversation)
            self._take_away(conversation)
            self.requested.emit(InChat(conversation, CloseTab()))
            self.show_current()

    def remove(self, conversation: str) -> None:
        """Remove the tab of a conversation that no longer exists."""
        self._forget_closed(conversation)
        if self.tab(conversation) is not None:
            self._take_away(conversation)
        self.show_current()

    @property
    def can_reopen(self) -> bool:
        """Whether the user has closed a tab that still can be opened."""
        return bool(self._closed)

    def reopen(self) -> None:
        """Ask for the tab that was closed last."""
        conversation = self._closed.pop()
        self.changed.emit()
        self.requested.emit(InChat(conversation, Open()))

    def take_focus(self) -> None:
        """Let the user type into the tab in front, if there is one."""
        if (tab := self.current_tab()) is not None:
            tab.composer.edit.setFocus()

    def current(self) -> str:
        """The conversation in front; "" if no tab is open."""
        return self._tabs.current()

    def in_view(self) -> tuple[str, ...]:
        """The conversations that the user sees."""
        return (current,) if (current := self.current()) else ()

    def current_tab(self) -> ChatTab | None:
        """The tab in front."""
        return self.tab(self.current())

    def tab(self, conversation: str) -> ChatTab | None:
        """The open tab of a conversation."""
        return self._pages.tab(conversation)

    def set_title(self, conversation: str, title: str) -> None:
        """Name a tab, if it is open."""
        if self.tab(conversation) is not None:
            self._tabs.set_title(conversation, title)
            self._note_change(conversation)

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Show what the model does for a conversation, if its tab is open."""
        if (tab := self.tab(conversation)) is not None:
            self._tabs.set_status(conversation, status)
            tab.set_status(status)

    def show_current(self) -> None:
        """Turn to the page of the tab in front. The draft of the page before is saved."""
        conversation, tab, before = self.current(), self.current_tab(), self.tab(self._shown)
        if before is not None and before is not tab:
            before.composer.flush_draft()
        self._pages.turn_to(conversation)
        self.shown.emit()
        if conversation != self._shown:
            self._shown = conversation
            self.turned.emit()
            self.requested.emit(FocusTab(conversation))
            if tab is not None:
                tab.composer.edit.setFocus()
        self._arrange()

    def _arrange(self) -> None:
        """Tell the app of the tabs if anything about them is new."""
        kept = tuple(conversation for conversation in self.order() if not self.is_private(conversation))
        current = self.current()
        arranged = ArrangeTabs(kept, current if current in kept else "")
        if arranged != self._told:
            self._told = arranged
            self.requested.emit(arranged)

    def _note_change(self, conversation: str) -> None:
        if conversation == self.current():
            self.changed.emit()

    def _take_away(self, conversation: str) -> None:
        self._tabs.remove(conversation)
        self._pages.remove(conversation)

    def _forget_closed(self, conversation: str) -> None:
        self._closed = [other for other in self._closed if other != conversation]
