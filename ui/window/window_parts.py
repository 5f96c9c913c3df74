"""WindowParts: the window and the parts that it is made of. What they do together is in `main_window.py`.

The palette and the menus reach the parts through this class, which knows neither.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMainWindow

from ui.context import Context
from ui.intents.models import ChatWith, FinishWelcome, ModelIntent, PickModel
from ui.models.models_page import ModelsPage
from ui.models.welcome_page import WelcomePage
from ui.palette.command_palette import CommandPalette
from ui.sidebar.sidebar import Sidebar
from ui.store import Store
from ui.window.actions import Actions
from ui.window.alt_key import AltKey
from ui.window.chat_desk import ChatDesk
from ui.window.chat_pages import ChatPages
from ui.window.dialogs import Dialogs
from ui.window.notice_bar import NoticeBar
from ui.window.notifier import Notifier
from ui.window.open_chats import OpenChats
from ui.window.stage import Stage
from ui.window.tab_row import TabRow
from ui.window.title_bar import TitleBar


class WindowParts(QMainWindow):
    """`requested` carries every `Intent` of every part. `are_words_refused` says whether the app cannot save words of
    the user or of a model.
    """

    requested = Signal(object)

    def __init__(self, clock: Callable[[], datetime]) -> None:
        super().__init__()
        self.clock = clock
        self.store = Store()
        self.context = Context(self.store, self.requested.emit)
        self.are_words_refused: Callable[[], bool] = bool

    def build(self) -> None:
        """Make every part. The store stays."""
        context = self.context
        of_models = Context(self.store, self._send_of_models)
        self.sidebar = Sidebar(context, self.clock)
        self.tab_row = TabRow(context)
        self.tabs = self.tab_row.tabs
        self.pages = ChatPages(context, self.tabs)
        self.chats = OpenChats(context, self.tabs, self.pages, self)
        self.notices = NoticeBar(context, self.pages)
        self.models = ModelsPage(of_models)
        self.welcome = WelcomePage(of_models)
        self.desk = ChatDesk(context, self.tab_row, self.pages)
        self.stage = Stage(context, self.sidebar, self.desk, self.models, self.welcome)
        self.setCentralWidget(self.stage)
        TitleBar(self, self.sidebar, self.stage.sidebar_place, self.tab_row)
        self.actions_by_name = Actions(self)
        self.dialogs = Dialogs(self, context)
        self.palette_box = CommandPalette(context, self)
        self.alt_key = AltKey(self)
        self.notifier = Notifier(context, self)

    def _send_of_models(self, intent: ModelIntent) -> None:
        """Pass on an intent. A model that is picked on the models page ends the welcome, too."""
        self.requested.emit(intent)
        is_welcoming = self.store.welcome.now is not None
        if isinstance(intent, PickModel | ChatWith) and is_welcoming and self.stage.place() is self.models:
            self.requested.emit(FinishWelcome())
