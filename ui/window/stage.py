"""Stage: what fills the window. That is the sidebar with the chats or the models page, or the welcome page alone.

`SidebarPlace` has the sidebar beside the page in a wide window, and over it in a narrow one.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from ui.context import WindowContext, follow
from ui.intents.models import FinishWelcome
from ui.models.models_page import ModelsPage
from ui.models.welcome_page import WelcomePage
from ui.state.models import WelcomeView
from ui.widgets.layouts import Placed, in_row

NARROW_PX = 900
"""The width of a window below which the sidebar would leave the page too little room."""
_CHAT_PX = 420
"""The least width of a chat between the sidebar and the inspector."""


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
        desk = QWidget()
        desk.setObjectName("page")
        self._beside = QStackedWidget()
        self._beside.addWidget(chats)
        self._beside.addWidget(models)
        self.sidebar_place = SidebarPlace(sidebar, desk, in_row(Placed(self._beside), of=desk))
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

    def show_models(self, *, place: int | None = None) -> None:
        """Turn to the models page, and there to one of its lists or to the one that was in front."""
        self._show(self._models)
        self._models.enter(place)

    def show_chats(self) -> None:
        """Turn from the models page to the chats. A user who does that has left the welcome page behind."""
        if self.place() is self._models:
            self._show(self._chats)
            if self._context.store.welcome.now is not None:
                self._context.send(FinishWelcome())

    def leave_models(self) -> None:
        """Turn from the models page to where the user came from."""
        if self.place() is self._models:
            self._show(self._chats if self._context.store.welcome.now is None else self._welcome)

    def _show_welcome(self, view: WelcomeView | None) -> None:
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


class SidebarPlace(QObject):
    """Shows or hides the sidebar in `desk`, whose layout is `row`.

    In a narrow window the sidebar is hidden until the user opens it over the page. A click beside it closes it. The
    user's choice for a wide window is kept meanwhile. `turned` says whether the sidebar is shown now.
    """

    turned = Signal(bool)

    def __init__(self, sidebar: QWidget, desk: QWidget, row: QHBoxLayout) -> None:
        super().__init__(desk)
        self._sidebar = sidebar
        self._desk = desk
        self._row = row
        self._shade = _Shade(desk)
        self._shade.pressed.connect(self.leave)
        self._beside_px = 0
        self._is_narrow = False
        self._is_open = False
        self.is_wanted = True
        row.insertWidget(0, sidebar)
        desk.installEventFilter(self)

    @property
    def is_over(self) -> bool:
        """Whether the sidebar stands over the page."""
        return self._is_narrow and self._is_open

    def toggle(self) -> None:
        """Show or hide the sidebar."""
        if self._is_narrow:
            self._is_open = not self._is_open
        else:
            self.is_wanted = not self.is_wanted
        self._apply()

    def leave(self) -> None:
        """Close a sidebar that stands over the page."""
        if self.is_over:
            self.toggle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the size of the window."""
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def leave_room(self, pixels: int) -> None:
        """The inspector takes so much of the page."""
        self._beside_px = pixels
        self._fit()

    def _fit(self) -> None:
        is_narrow = self._desk.width() < max(NARROW_PX, self._sidebar.width() + _CHAT_PX + self._beside_px)
        if is_narrow != self._is_narrow:
            self._is_narrow, self._is_open = is_narrow, False
            self._apply()
        self._lay_over()

    def _apply(self) -> None:
        shown = self._is_open if self._is_narrow else self.is_wanted
        if self._is_narrow:
            self._row.removeWidget(self._sidebar)
        else:
            self._row.insertWidget(0, self._sidebar)
        focused = self._desk.window().focusWidget()
        if not shown and focused is not None and self._sidebar.isAncestorOf(focused):
            focused.clearFocus()  # Qt would move it into a chat, which may be the other one of two
        self._sidebar.setVisible(shown)
        self._lay_over()
        self.turned.emit(shown)

    def _lay_over(self) -> None:
        self._shade.setVisible(self.is_over)
        if self.is_over:
            self._shade.setGeometry(self._desk.rect())
            self._shade.raise_()
            self._sidebar.setGeometry(0, 0, self._sidebar.width(), self._desk.height())
            self._sidebar.raise_()


class _Shade(QWidget):
    """Dims the page, and reports a click on it."""

    pressed = Signal()

    def __init__(self, desk: QWidget) -> None:
        super().__init__(desk)
        self.setObjectName("shade")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.hide()

    def mousePressEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """The page below gets no click."""
        self.pressed.emit()
