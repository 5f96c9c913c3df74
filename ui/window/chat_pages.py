"""ChatPages: one page for each open chat, and the home page. It passes on what is the same for all chats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ui.chat.chat_tab import ChatTab
from ui.context import Context, WindowContext, follow
from ui.intents.chat import ChatIntent, Delete, InChat
from ui.intents.intent import Intent
from ui.intents.library import DeleteChats, NewChat
from ui.intents.models import ModelIntent, ShowModels
from ui.intents.settings import ExchangeIntent
from ui.state.chat import ChatView
from ui.state.engine import ModelView
from ui.state.library import ConversationRow
from ui.window.side_by_side import SideBySide
from ui.window.tab_strip import TabStrip


class ChatPages(SideBySide):
    """The chat pages, of which one or two are shown, and `home` for no open chat. `requested` adds the conversation to
    each intent.

    `models_requested` is emitted instead of ShowModels: the models page asks for the models itself when it opens.
    """

    models_requested = Signal()

    def __init__(self, home: QWidget, tabs: TabStrip, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self.setObjectName("pages")
        self._home = home
        self._tabs = tabs
        self._blank = QWidget()
        self._empty: QWidget = home
        self._open: dict[str, ChatTab] = {}
        self._shortcuts: Mapping[str, str] = {}
        self.add_page(home)
        self.add_page(self._blank)
        follow(self, context.store.conversations, self._note_kept)

    def tab(self, conversation: str) -> ChatTab | None:
        """The open tab of a conversation."""
        return self._open.get(conversation)

    def add(self, view: ChatView) -> ChatTab:
        """Create the page of a conversation without showing it."""
        tab = ChatTab(view, Context(self._context.store, partial(self._pass_on, view.id)))
        tab.transcript.pointer.keys = self._shortcuts
        self._open[view.id] = tab
        self.add_page(tab)
        return tab

    def _pass_on(self, conversation: str, intent: ChatIntent | ModelIntent | ShowModels) -> None:
        """Add the conversation to the intent. The model is the same for all conversations."""
        if isinstance(intent, ShowModels):
            self.models_requested.emit()
        else:
            self._context.send(intent if isinstance(intent, ModelIntent) else InChat(conversation, intent))

    def remove(self, conversation: str) -> None:
        """Delete the page of a conversation."""
        tab = self._open.pop(conversation)
        self.remove_page(tab)
        tab.hide()
        tab.deleteLater()

    def turn_to(self, conversation: str) -> None:
        """Show the page of a conversation, or home if it has none."""
        self.show_page(self._open.get(conversation, self._empty))
        self.name_panes()

    def turn_beside(self, conversation: str) -> None:
        """Show the page of a conversation beside the active one."""
        self.show_beside(self._open[conversation])
        self.name_panes()

    def keep_only(self, conversation: str) -> None:
        """Show the page of a conversation alone, or home."""
        self.join(self._open.get(conversation, self._empty))

    def in_view(self) -> tuple[str, ...]:
        """The conversations that the user sees, from left to right. None while tabs are opening one after another: the
        user looks at none of those.
        """
        return () if self._empty is self._blank else self._conversations_of(self.pages_in_sight())

    def sides(self) -> tuple[str, ...]:
        """The conversations that share the width, also if there is room for one only."""
        return () if self._empty is self._blank else self._conversations_of(self.pages_shown())

    def _conversations_of(self, pages: tuple[QWidget, ...]) -> tuple[str, ...]:
        return tuple(filter(None, map(self.conversation_of, pages)))

    @staticmethod
    def conversation_of(page: QWidget) -> str:
        """The conversation of a page; "" for another page."""
        return page.conversation if isinstance(page, ChatTab) else ""

    def name_panes(self) -> None:
        """Show the titles that the tabs have now, for chats beside each other."""
        for pane in self.panes:
            chat = self.conversation_of(pane.page())
            pane.header.set_title(self._tabs.title_of(chat), is_private=self._tabs.is_private(chat))

    def set_awaiting(self, awaiting: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Say whether tabs are about to open. Meanwhile an empty page stands in the place of home."""
        self._empty = self._blank if awaiting else self._home

    def save_drafts_before(self, intent: Intent) -> None:
        """Save every draft before a new chat is asked for, which uses an untouched one again, and before chats go, or
        the whole library.
        """
        inner = intent.intent if isinstance(intent, InChat) else intent
        if isinstance(inner, NewChat | Delete | DeleteChats | ExchangeIntent):
            self.flush_drafts()

    def flush_drafts(self) -> None:
        """Save every draft now."""
        for tab in self._open.values():
            tab.composer.flush_draft()

    def _note_kept(self, rows: tuple[ConversationRow, ...]) -> None:
        for row in rows:
            if (tab := self._open.get(row.id)) is not None:
                tab.set_kept(private=False, cached=row.cached)

    def models_of(self, conversation: str) -> tuple[tuple[ModelView, ...], str]:
        """The models, and the id of the one that answers a conversation."""
        tab = self._open.get(conversation)
        offered = self._context.store.models.now
        return (offered.models, offered.current) if tab is None else (tab.models(), tab.composer.model)

    def name_shortcuts(self, shortcuts: Mapping[str, str]) -> None:
        """Name the shortcuts of these actions in tool tips."""
        self._shortcuts = shortcuts
        for tab in self._open.values():
            tab.transcript.pointer.keys = shortcuts
