"""TabRow: the window's top row with the tabs, the plus button, the button of the menu where there is no menu bar, and
the sidebar button while the sidebar is hidden.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSizePolicy

from resources.language.text import tr
from ui.context import WindowContext
from ui.intents.library import NewChat
from ui.theme.theme import MAC
from ui.widgets.elided_text import shortened
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_row
from ui.widgets.menu import context_menu
from ui.window.tab_strip import TabStrip

HEIGHT_PX = 46
_EDGE_PX = 12
_WIDEST_TITLE_PX = 320


class TabRow(QFrame):
    """Tabs take their preferred width, then shrink. If some have no room, a button lists all open chats. The plus
    button is always visible.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self.setObjectName("tabRow")
        self.setFixedHeight(HEIGHT_PX)
        self.tabs = TabStrip()
        self.tabs.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.plus = IconButton("plus", tr("New tab"), name="newTab", act=lambda: context.send(NewChat()))
        self.sidebar_button = IconButton("panel-left", tr("Show sidebar"), name="showSidebar")
        self.sidebar_button.hide()
        self.list_button = IconButton("chevron-down", tr("All open chats"), name="allTabs", act=self._list_chats)
        self.list_button.hide()
        self.more = IconButton("ellipsis", tr("Menu"), name="more")
        if MAC:  # the menu bar has it all there
            self.more.hide()
        self.inspector_button = IconButton("sliders-horizontal", tr("Show chat settings"), name="showInspector")
        self.split_button = IconButton("columns-2", tr("Two chats side by side"), name="split")
        self._row = in_row(
            *(self.sidebar_button, self.tabs, self.plus, self.list_button, Placed()),
            *(self.more, self.split_button, self.inspector_button),
            spacing=6,
            of=self,
        )
        self.begin_at(_EDGE_PX)
        self.tabs.fitted.connect(self._row.activate)  # at once: the chat may be painted before Qt lays out the row
        self.tabs.fitted.connect(self._offer_list, Qt.ConnectionType.QueuedConnection)  # showing it lays out the tabs

    def begin_at(self, left: int) -> None:
        """Leave so many pixels free before the first tab."""
        self._row.setContentsMargins(left, 1, _EDGE_PX, 0)

    def _offer_list(self) -> None:
        self.list_button.setVisible(self.tabs.hidden() > 0)
        self.tabs.spare_px = 0 if self.list_button.isHidden() else self.list_button.width() + self._row.spacing()

    def _list_chats(self) -> None:
        """Open a menu of all open chats, the one in front checked."""
        menu, tabs = context_menu("openChats", self), self.tabs
        for index, conversation in enumerate(tabs.order()):
            words = shortened(tabs.accessibleTabName(index), menu.font(), _WIDEST_TITLE_PX)
            action = menu.addAction(words.replace("&", "&&"), partial(tabs.show_tab, conversation))
            action.setCheckable(True)
            action.setChecked(conversation == tabs.current())
        menu.open_below(self.list_button)
