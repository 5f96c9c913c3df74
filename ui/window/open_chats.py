"""OpenChats: the open conversations, each with a tab in the row and a page below it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QPoint, Signal

from ui.chat.chat_tab import ChatTab
from ui.context import WindowContext
from ui.intents.chat import CloseTab, InChat, Open
from ui.intents.library import ArrangeTabs, FocusTab, NewChat
from ui.state.chat import ChatStatus, ChatView
from ui.state.library import OpenTabs
from ui.window.chat_pages import ChatPages
from ui.window.tab_strip import TabStrip

_SIDES = 2


@dataclass(frozen=True, slots=True)
class ClosedTab:
    """A tab that the user closed, with the order of the tabs at that time."""

    conversation: str
    order: tuple[str, ...]

    def order_with(self, now: tuple[str, ...]) -> tuple[str, ...]:
        """The tabs that are open now, with this one behind the nearest that was before it; first if none is left."""
        before = [other for other in self.order[: self.order.index(self.conversation)] if other in now]
        place = now.index(before[-1]) + 1 if before else 0
        return (*now[:place], self.conversation, *now[place:])


class OpenChats(QObject):
    """Keeps `tabs` and `pages` together, and one of them in front.

    - `opened` carries the `ChatView` of a tab that was opened or updated.
    - `wanted` is emitted when the app asks for a tab, also for one that is open, but not while it is restored.
    - `restored` is emitted by `end_restoring`.
    - `shown` is emitted when a tab comes to the front or is updated there, `turned` only if it shows another
      conversation than before, and `changed` when the tab in front looks different.
    - `erasing` carries a private chat that has content and whose tab the user closes. The window asks the user, and
      `close_anyway` closes it.
    - `slashed` is emitted when the user typed a slash into an empty message.
    - `closed` are the tabs that the user closed, the newest last.
    - `places` has, by conversation, the tabs that open again where they were: those of deleted chats, and the one that
      is being reopened.
    """

    opened = Signal(object)
    wanted = Signal()
    restored = Signal()
    shown = Signal()
    turned = Signal()
    changed = Signal()
    slashed = Signal()
    erasing = Signal(str)

    def __init__(self, context: WindowContext, tabs: TabStrip, pages: ChatPages, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.tabs = tabs
        self.pages = pages
        self._shown = ""
        self.closed: list[ClosedTab] = []
        self.places: dict[str, ClosedTab] = {}
        self._told = ArrangeTabs((), "", ())
        self._is_next_beside = False
        self._restored = OpenTabs(())
        tabs.shown.connect(self.show_current)
        tabs.close_requested.connect(self.close)
        tabs.moved.connect(self._arrange)
        tabs.dragged_off.connect(lambda tab, place: pages.offer_side(place if tab and len(tabs.order()) > 1 else None))
        tabs.dropped_off.connect(self._drop)
        pages.activated.connect(tabs.show_tab)
        pages.left.connect(self._end_side)

    def open(self, view: ChatView) -> None:
        """Make the tab of a conversation or update the one that exists, show it and focus its message box. While tabs
        are restored behind another one, only that one is shown, and what the user asks for meanwhile.
        """
        tab = self.tab(view.id)
        is_asked = tab is not None or view.id not in self._restored.order
        if tab is None:
            tab = self._add(view)
        else:
            tab.show_view(view)
        self.set_title(view.id, view.title)
        self.tabs.set_status(view.id, view.status)
        self.opened.emit(view)
        if is_asked:
            self.wanted.emit()
            self._restored = replace(self._restored, front=view.id)
        if self._restored.front in {"", view.id}:
            self._turn_to(view.id)

    def bring_to_front(self, conversation: str) -> None:
        """Bring an open tab to the front as it is, and focus its message box."""
        self._restored = replace(self._restored, front=conversation)
        self.wanted.emit()
        self._turn_to(conversation)

    def _turn_to(self, conversation: str) -> None:
        if self._is_next_beside and self.tabs.current() not in {"", conversation}:
            self._is_next_beside = False
            self.pages.turn_beside(conversation)
        self.tabs.show_tab(conversation)
        self.show_current()
        self.take_focus()

    def _add(self, view: ChatView) -> ChatTab:
        self.tabs.add(view.id, view.title, private=view.private)
        if (before := self.places.pop(view.id, None)) is not None:
            self.tabs.sort(before.order_with(self.tabs.order()[:-1]))
        tab = self.pages.add(view)
        tab.composer.edit.slash_typed.connect(self.slashed)
        tab.changed.connect(lambda: self._note_change(view.id))
        return tab

    def begin_restoring(self, tabs: OpenTabs) -> None:
        """These tabs are about to open. They stay behind the one in front: a page that is shown writes its text."""
        self._restored = tabs
        self.pages.set_awaiting(True)
        self.show_current()

    def end_restoring(self) -> None:
        """They are open, unless their chats are gone: arrange them. Without tabs, home is shown."""
        tabs, self._restored = self._restored, OpenTabs(())
        self.pages.set_awaiting(False)
        self.tabs.sort(tabs.order)
        if self.tab(tabs.front) is not None:
            self.tabs.show_tab(tabs.front)
        self.show_current()
        self._restore_sides(tabs.sides)
        self.restored.emit()

    def arranged(self) -> OpenTabs:
        """The tabs as they are now."""
        return OpenTabs(self.tabs.order(), self.tabs.current(), self.pages.sides() if self.pages.is_split else ())

    def close_all(self, conversations: Iterable[str]) -> None:
        """Close these tabs, except for private chats with content: those are closed one by one."""
        for conversation in conversations:
            if not self._would_erase(conversation):
                self.close_anyway(conversation)

    def _would_erase(self, conversation: str) -> bool:
        """Whether something is lost with this tab: it is of a private chat with content."""
        tab = self.tab(conversation)
        return tab is not None and self.tabs.is_private(conversation) and tab.has_content()

    def erasable(self) -> tuple[str, ...]:
        """The private chats with content. They are gone when the window closes."""
        return tuple(conversation for conversation in self.tabs.order() if self._would_erase(conversation))

    def close(self, conversation: str) -> None:
        """Close a tab for the user, unless that would erase what is in a private chat."""
        if self._would_erase(conversation):
            self.erasing.emit(conversation)
        else:
            self.close_anyway(conversation)

    def close_anyway(self, conversation: str) -> None:
        """Close a tab for the user, who can reopen it unless the chat is private."""
        if (tab := self.tab(conversation)) is not None:
            tab.composer.flush_draft()
            if not self.tabs.is_private(conversation):
                self._forget_closed(conversation)
                self.closed.append(ClosedTab(conversation, self.tabs.order()))
            self._take_away(conversation)
            self._context.send(InChat(conversation, CloseTab()))
            self.show_current()

    def remove(self, conversation: str) -> None:
        """Remove the tab of a conversation that no longer exists. If it comes back, the tab opens where it was."""
        closed = self.closed
        self._forget_closed(conversation)
        if self.tab(conversation) is not None:
            self.places[conversation] = ClosedTab(conversation, self.tabs.order())
            self._take_away(conversation)
        elif self.closed == closed:
            return  # nothing of it is shown, as of most chats if thousands are deleted at once
        self.show_current()

    def reopen(self) -> None:
        """Ask for the tab that was closed last. It opens where it was. None may be left: a chat that was erased goes
        while a menu is open.
        """
        if not self.closed:
            return
        tab = self.closed.pop()
        self.places[tab.conversation] = tab
        self.changed.emit()
        self._context.send(InChat(tab.conversation, Open()))

    def take_focus(self) -> None:
        """Let the user type into the tab in front, if there is one and no other page covers it."""
        if (tab := self.current_tab()) is not None and tab.isVisibleTo(tab.window()):
            tab.composer.edit.setFocus()

    def toggle_split(self) -> None:
        """Show the tab in front beside its neighbour, or alone again. A lone tab gets a new chat beside it."""
        current, order = self.tabs.current(), self.tabs.order()
        if self.pages.is_split:
            self._end_side(next(side for side in (*self.pages.sides(), "") if side != current))
        elif len(order) > 1:
            place = order.index(current)
            self.open_beside(order[place + 1] if place + 1 < len(order) else order[place - 1])
        else:
            self._is_next_beside = bool(order)
            self._context.send(NewChat())

    def open_beside(self, conversation: str) -> None:
        """Show a chat beside the one in front, unless it is no longer open. The one in front itself moves beside its
        neighbour.
        """
        if self.tab(conversation) is None:
            return
        if conversation == self.tabs.current():
            rest = [other for other in self.tabs.order() if other != conversation]
            if not rest or self.pages.is_split:
                return
            self.tabs.show_tab(rest[0])
        self.pages.turn_beside(conversation)
        self.tabs.show_tab(conversation)
        self.show_current()

    def _drop(self, conversation: str, place: QPoint) -> None:
        """Show a tab that was dropped over the pages on that side."""
        self.pages.offer_side(None)
        side = self.pages.side_at(place)
        if conversation and side is not None and len(self.tabs.order()) > 1:
            self.open_beside(conversation)
            if self.pages.sides()[side] != conversation:
                self.pages.swap()
                self.pages.turn_to(conversation)
                self._arrange()

    def _restore_sides(self, sides: tuple[str, ...]) -> None:
        """Show these two chats beside each other again, if both are open. The tab in front stays in front."""
        current = self.tabs.current()
        if len(sides) == _SIDES and set(sides) <= set(self.tabs.order()) and current in sides:
            self.tabs.show_tab(sides[0])
            self.pages.turn_beside(sides[1])
            self.tabs.show_tab(current)
            self.show_current()

    def _end_side(self, conversation: str) -> None:
        """Show the other one of two chats alone. The tab of this one stays."""
        rest = next((side for side in self.pages.sides() if side != conversation), "")
        self.pages.keep_only(rest)
        self.tabs.show_tab(rest)
        self.show_current()

    def current_tab(self) -> ChatTab | None:
        """The tab in front."""
        return self.tab(self.tabs.current())

    def tab(self, conversation: str) -> ChatTab | None:
        """The open tab of a conversation."""
        return self.pages.open.get(conversation)

    def set_title(self, conversation: str, title: str) -> None:
        """Name a tab, if it is open."""
        if self.tab(conversation) is not None:
            self.tabs.set_title(conversation, title)
            self.pages.name_panes()
            self._note_change(conversation)

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Show what the model does for a conversation, if its tab is open."""
        if (tab := self.tab(conversation)) is not None:
            self.tabs.set_status(conversation, status)
            tab.set_status(status)

    def show_current(self) -> None:
        """Turn to the page of the tab in front. The draft of the page before is saved."""
        conversation, tab, before = self.tabs.current(), self.current_tab(), self.tab(self._shown)
        if before is not None and before is not tab:
            before.composer.flush_draft()
        self.pages.turn_to(conversation)
        self.shown.emit()
        if conversation != self._shown:
            self._shown = conversation
            self.turned.emit()
            self._context.send(FocusTab(conversation))
            focused = None if tab is None else tab.window().focusWidget()
            if tab is not None and (focused is None or not tab.isAncestorOf(focused)):
                self.take_focus()  # unless the keyboard writes there, or will once the window is active
        self._arrange()

    def _arrange(self) -> None:
        """Tell the app of the tabs if anything about them is new."""
        kept = tuple(conversation for conversation in self.tabs.order() if not self.tabs.is_private(conversation))
        current = self.tabs.current()
        sides = self.pages.sides() if self.pages.is_split and set(self.pages.sides()) <= set(kept) else ()
        arranged = ArrangeTabs(kept, current if current in kept else "", sides)
        if arranged != self._told:
            self._told = arranged
            self._context.send(arranged)

    def _note_change(self, conversation: str) -> None:
        if conversation == self.tabs.current():
            self.changed.emit()

    def _take_away(self, conversation: str) -> None:
        if self.pages.is_split and conversation in self.pages.sides():
            self._end_side(conversation)
        self.tabs.remove(conversation)
        self.pages.remove(conversation)

    def _forget_closed(self, conversation: str) -> None:
        self.closed = [tab for tab in self.closed if tab.conversation != conversation]
