"""Stage: what fills the window. That is the sidebar with the chats or the models page, or the welcome page alone."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from ui.context import WindowContext, follow
from ui.intents.models import FinishWelcome
from ui.models.models_page import ModelsPage
from ui.models.welcome_page import WelcomePage
from ui.state.models import WelcomeView
from ui.window.sidebar_place import SidebarPlace


class Stage(QStackedWidget):
    """Turns between its places. `turned` is emitted when another place is in front.

    The welcome page stays until the app takes it away. Meanwhile the user can look at the models page. A user who
    turns from there to a chat has left it.
    """

    turned = Signal()

    def __init__(
        self, context: WindowContext, sidebar: QWidget, chats: QWidget, models: ModelsPage, welcome: WelcomePage
    ) -> None:
        super().__init__()
        self._context = context
        self._chats = chats
        self._models = models
        self._welcome = welcome
        self._is_welcoming = False
        desk = QWidget()
        desk.setObjectName("page")
        self._beside = QStackedWidget()
        self._beside.addWidget(chats)
        self._beside.addWidget(models)
        row = QHBoxLayout(desk)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._beside, 1)
        self.sidebar_place = SidebarPlace(sidebar, desk, row)
        self._desk = desk
        self.addWidget(desk)
        self.addWidget(welcome)
        models.left.connect(self.leave_models)
        follow(self, context.store.welcome, self._show_welcome)

    def place(self) -> QWidget:
        """The part in front: the chats, the models page or the welcome page."""
        if self.currentWidget() is self._welcome:
            return self._welcome
        return self._models if self._beside.currentWidget() is self._models else self._chats

    def shows_chats(self) -> bool:
        """Whether the chats are in front."""
        return self.place() is self._chats

    def shows_welcome(self) -> bool:
        """Whether the welcome page is in front."""
        return self.place() is self._welcome

    @property
    def is_welcoming(self) -> bool:
        """Whether the app shows the welcome page, also if the user looks at the models page meanwhile."""
        return self._is_welcoming

    def show_models(self, *, place: int | None = None) -> None:
        """Turn to the models page, and there to one of its lists or to the one that was in front."""
        self._show(self._models)
        self._models.enter(place)

    def show_chats(self) -> None:
        """Turn from the models page to the chats. A user who does that has left the welcome page behind."""
        if self.place() is self._models:
            self._show(self._chats)
            if self._is_welcoming:
                self._context.send(FinishWelcome())

    def leave_models(self) -> None:
        """Turn from the models page to where the user came from."""
        if self.place() is self._models:
            self._show(self._welcome if self._is_welcoming else self._chats)

    def _show_welcome(self, view: WelcomeView | None) -> None:
        self._is_welcoming = view is not None
        if view is not None:
            self._welcome.show_welcome(view)
        if view is not None and self.place() is self._chats:
            self._show(self._welcome)
        if view is None and self.place() is self._welcome:
            self._show(self._chats)

    def _show(self, place: QWidget) -> None:
        before = self.place()
        if place is not self._welcome:
            self._beside.setCurrentWidget(place)
        self.setCurrentWidget(self._welcome if place is self._welcome else self._desk)
        if place is not before:
            self.turned.emit()
