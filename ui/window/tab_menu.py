"""TabMenu: the context menu of a tab. ChatsMenu: the list of all open chats."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from resources.language.text import tr
from ui.intents.chat import CopyAsMarkdown, Delete
from ui.widgets.elided_text import shortened
from ui.widgets.menu import Menu

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.window.open_chats import OpenChats
    from ui.window.tab_strip import TabStrip

_WIDEST_TITLE_PX = 320


class TabMenu(Menu):
    """What can be done with one tab, its neighbours and its chat. The menu deletes itself when it closes.

    `asked` carries an intent in the tab's chat.
    """

    asked = Signal(object)
    rename_requested = Signal()
    export_requested = Signal()

    def __init__(self, chats: OpenChats, conversation: str, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("tabMenu")
        order, is_alone = chats.tabs.order(), chats.tabs.count() == 1
        others = [other for other in order if other != conversation]
        right = order[order.index(conversation) + 1 :]
        self.addAction(tr("Close tab"), partial(chats.close, conversation))
        self.addAction(tr("Close other tabs"), partial(chats.close_all, others)).setDisabled(is_alone)
        self.addAction(tr("Close tabs to the right"), partial(chats.close_all, right)).setEnabled(bool(right))
        self.addAction(tr("Reopen closed tab"), chats.reopen).setEnabled(bool(chats.closed))
        self.addSeparator()
        beside = self.addAction(tr("Open beside"), partial(chats.open_beside, conversation))
        beside.setDisabled(is_alone or chats.pages.is_split)
        self.addAction(tr("Rename…"), self.rename_requested.emit)
        self.addAction(tr("Copy as Markdown"), partial(self.asked.emit, CopyAsMarkdown()))
        self.addAction(tr("Export…"), self.export_requested.emit)
        if not chats.tabs.is_private(conversation):
            self.add_destructive(tr("Delete chat"), partial(self.asked.emit, Delete()))


class ChatsMenu(Menu):
    """All open chats, the one in front checked. The menu deletes itself when it closes."""

    def __init__(self, tabs: TabStrip, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("openChats")
        for index, conversation in enumerate(tabs.order()):
            words = shortened(tabs.accessibleTabName(index), self.font(), _WIDEST_TITLE_PX)
            action = self.addAction(words.replace("&", "&&"), partial(tabs.show_tab, conversation))
            action.setCheckable(True)
            action.setChecked(conversation == tabs.current())
