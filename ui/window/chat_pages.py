"""ChatPages: one page for each open chat, and the home page. One of them is shown, or two chats beside each other.

- One of two pages is active: the next page that is shown takes its place.
- A page is active once something in it has the keyboard.
- If there is no room for two pages, only the active one is seen. The other one keeps its side.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QSizePolicy, QSpacerItem, QSplitter, QStackedWidget, QWidget

from resources.language.text import tr
from ui.chat.chat_tab import ChatTab
from ui.context import Context, WindowContext, follow
from ui.intents.chat import InChat
from ui.intents.intent import PageIntent
from ui.intents.library import NewChat, NewPrivateChat
from ui.intents.models import ModelIntent, ShowModels
from ui.intents.voice import VoiceIntent
from ui.state.chat import ChatView
from ui.state.engine import ModelView
from ui.state.library import ConversationRow
from ui.theme.appearance import appearance
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.elided_text import draw_written
from ui.widgets.face_button import ActionButton, ButtonFace
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, centred, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import named
from ui.widgets.theme_icons import IconLabel
from ui.window.tab_strip import TabStrip

_NARROWEST_PX = 240
_HEADER_PX = 36
_EDGE_PX = 16
_CLOSE_PX = 26
_MASK_PX = 14
_MASK_ROOM_PX = 20
_FLAME_PX = 36
_BELOW = 0.4
"""The share of the window that is left below the buttons of the home page."""


class ChatPages(QWidget):
    """The chat pages in two panes, of which the right one is hidden unless the view is split, and `home` for no open
    chat. It passes on what is the same for all chats. `open` has the page of each open chat. `is_split` says whether
    two pages share the width, or would if there were room. `share` is the left one's share of it, in percent.

    `activated` carries the chat that took the keyboard in the other pane, `left` the chat whose pane the user closed.
    `sight_changed` is emitted when the room for the second page came or went. `models_requested` is emitted instead of
    ShowModels: the models page asks for the models itself when it opens.
    """

    activated = Signal(str)
    left = Signal(str)
    sight_changed = Signal()
    models_requested = Signal()

    def __init__(self, context: WindowContext, tabs: TabStrip) -> None:
        super().__init__()
        self._context = context
        self.setObjectName("pages")
        self.home, self._blank = HomePage(context), QWidget()
        self._empty: QWidget = self.home
        self._tabs = tabs
        self.open: dict[str, ChatTab] = {}
        self._shortcuts: Mapping[str, str] = {}
        self._active = 0
        self.is_split = self._is_tight = False
        self.share = 50
        self._splitter = named(QSplitter(Qt.Orientation.Horizontal), "sides")
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        self.panes = (_Pane(), _Pane())
        for pane in self.panes:
            self._splitter.addWidget(pane)
            pane.header.closed.connect(lambda pane=pane: self.left.emit(_conversation(pane.page())))
        self.panes[1].hide()
        for page in (self.home, self._blank):
            self.panes[0].stack.addWidget(page)
        self._offer = named(QFrame(self), "sideOffer")
        self._offer.hide()
        in_row(self._splitter, of=self)
        self._splitter.splitterMoved.connect(self._note_share)
        QApplication.instance().focusChanged.connect(self._follow_focus)  # type: ignore[union-attr] # there is one
        follow(self, context.store.conversations, self._note_kept)

    def add(self, view: ChatView) -> ChatTab:
        """Create the page of a conversation without showing it."""
        tab = ChatTab(view, Context(self._context.store, partial(self._pass_on, view.id)))
        tab.transcript.pointer.keys = self._shortcuts
        self.open[view.id] = tab
        self.panes[0].stack.addWidget(tab)
        return tab

    def _pass_on(self, conversation: str, intent: PageIntent | ShowModels) -> None:
        """Add the conversation to the intent. The model and the voice are the same for all conversations."""
        if isinstance(intent, ShowModels):
            self.models_requested.emit()
        elif isinstance(intent, ModelIntent | VoiceIntent):
            self._context.send(intent)
        else:
            self._context.send(InChat(conversation, intent))

    def remove(self, conversation: str) -> None:
        """Delete the page of a conversation. It is not shown, or alone."""
        tab = self.open.pop(conversation)
        for pane in self.panes:
            pane.stack.removeWidget(tab)
        tab.hide()
        tab.deleteLater()

    def turn_to(self, conversation: str) -> None:
        """Make the page of a conversation, or home if it has none, active: where it is shown already, or in the place
        of the active one.
        """
        page, shown = self.open.get(conversation, self._empty), self._pages()
        if page in shown:
            self._active = shown.index(page)
        else:
            self.panes[self._active].show_page(page)
        self._mark()

    def turn_beside(self, conversation: str) -> None:
        """Show the page of a conversation beside the active one, and make it active."""
        if self.open[conversation] not in self._pages():
            self.panes[1 - self._active].show_page(self.open[conversation])
            self.is_split = True
        self.turn_to(conversation)
        self._divide()

    def keep_only(self, conversation: str) -> None:
        """Show the page of a conversation alone, or home."""
        left, right = self.panes
        while right.stack.count():
            left.stack.addWidget(right.page())
        self.is_split, self._active = False, 0
        self.turn_to(conversation)

    def swap(self) -> None:
        """Exchange the sides of two pages."""
        left, right = self._pages()
        self.panes[0].show_page(right)
        self.panes[1].show_page(left)
        self._active = 1 - self._active
        self._mark()

    def currentWidget(self) -> QWidget:  # noqa: N802 - as a stack of widgets calls it
        """The active page."""
        return self.panes[self._active].page()

    def _pages(self) -> tuple[QWidget, ...]:
        return tuple(pane.page() for pane in self.panes[: 2 if self.is_split else 1])

    def sides(self) -> tuple[str, ...]:
        """The conversations that share the width, from left to right, also if there is room for one only. None while
        tabs are opening one after another.
        """
        return () if self._empty is self._blank else tuple(filter(None, map(_conversation, self._pages())))

    def in_view(self) -> tuple[str, ...]:
        """The conversations that the user sees, from left to right. While tabs are opening the user looks at none."""
        active = _conversation(self.currentWidget())
        return tuple(side for side in self.sides() if side == active or not self._is_tight)

    @property
    def least_width(self) -> int:
        """The width that both panes need."""
        return sum(pane.minimumWidth() for pane in self.panes) + self._splitter.handleWidth()

    def set_tight(self, *, is_tight: bool) -> None:
        """Show the active page alone as long as there is no room for two."""
        if is_tight is not self._is_tight:
            self._is_tight = is_tight
            self._mark()
            self._divide()
            self.sight_changed.emit()

    def side_at(self, place: QPoint) -> int | None:
        """The side of a place on the screen: 0 for the left half of the pages, 1 for the right, None beside them."""
        at = self.mapFromGlobal(place)
        return int(at.x() >= self.width() // 2) if self.rect().contains(at) else None

    def offer_side(self, place: QPoint | None) -> None:
        """Show the half over which a dragged tab is held, which would get its page. None shows none."""
        side = None if place is None else self.side_at(place)
        self._offer.setVisible(side is not None)
        if side is not None:
            half = self.width() // 2
            self._offer.setGeometry(QRect(side * half, 0, half, self.height()).adjusted(6, 6, -6, -6))
            self._offer.raise_()

    def set_share(self, share: int) -> None:
        """Give the left page this share of the width, in percent, now or at the next split."""
        self.share = min(max(share, 20), 80)
        self._divide()

    def _divide(self) -> None:
        if self.is_split and not self._is_tight:
            width = max(self.width(), 2 * _NARROWEST_PX)
            self._splitter.setSizes([width * self.share // 100, width * (100 - self.share) // 100])

    def _note_share(self) -> None:
        left, right = self._splitter.sizes()
        self.share = round(100 * left / max(left + right, 1))

    def _mark(self) -> None:
        for number, pane in enumerate(self.panes):
            pane.header.setVisible(self.is_split)
            pane.header.set_active(number == self._active)
        self.panes[self._active].show()  # before the other one is hidden
        self.panes[1 - self._active].setVisible(self.is_split and not self._is_tight)
        self.name_panes()

    def name_panes(self) -> None:
        """Show the titles that the tabs have now, for chats beside each other."""
        for pane in self.panes:
            chat = _conversation(pane.page())
            pane.header.set_title(self._tabs.title_of(chat), is_private=self._tabs.is_private(chat))

    def _follow_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        other = self.panes[1 - self._active]
        if now is not None and self.is_split and other.isAncestorOf(now):
            self.activated.emit(_conversation(other.page()))

    def set_awaiting(self, awaiting: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Say whether tabs are about to open. Meanwhile an empty page stands in the place of home."""
        self._empty = self._blank if awaiting else self.home

    def flush_drafts(self) -> None:
        """Save every draft now."""
        for tab in self.open.values():
            tab.composer.flush_draft()

    def _note_kept(self, rows: tuple[ConversationRow, ...]) -> None:
        for row in rows:
            if (tab := self.open.get(row.id)) is not None:
                tab.set_kept(private=False, cached=row.cached)

    def models_of(self, conversation: str) -> tuple[tuple[ModelView, ...], str]:
        """The models, and the id of the one that answers a conversation."""
        tab = self.open.get(conversation)
        offered = self._context.store.models.now
        return (offered.models, offered.current) if tab is None else (tab.models(), tab.composer.model)

    def name_shortcuts(self, shortcuts: Mapping[str, str]) -> None:
        """Name the shortcuts of these actions in tool tips."""
        self._shortcuts = shortcuts
        for tab in self.open.values():
            tab.transcript.pointer.keys = shortcuts


def _conversation(page: QWidget) -> str:
    """The conversation of a page; "" for another page."""
    return page.conversation if isinstance(page, ChatTab) else ""


class _Pane(QWidget):
    """A stack of pages below a header."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumWidth(_NARROWEST_PX)
        self.header = PaneHeader()
        self.header.hide()
        self.stack = QStackedWidget()
        in_column(self.header, Placed(self.stack), of=self)

    def page(self) -> QWidget:
        return self.stack.currentWidget() or self

    def show_page(self, page: QWidget) -> None:
        self.stack.addWidget(page)
        self.stack.setCurrentWidget(page)


class PaneHeader(QFrame):
    """The title of one of two chats, shown strongly if it has the keyboard, and a cross that closes its side."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("paneHeader")
        self.setFixedHeight(_HEADER_PX)
        self._title = ""
        self._is_active = self._is_private = False
        close = tr("Close this side")
        self.close_button = IconButton("x", close, name="closeSide", pixels=(16, _CLOSE_PX), act=self.closed)
        in_row(Placed(), self.close_button, margins=(_EDGE_PX, 0, 10, 0), of=self)

    def set_title(self, title: str, *, is_private: bool) -> None:
        """Name the chat. A private one has the same mark as its tab."""
        self._title, self._is_private = title, is_private
        self.setAccessibleName(", ".join((title, tr("private"))) if is_private else title)
        self.close_button.setAccessibleName(tr("Close the side with {title}", title=title))
        self.update()

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Show whether the chat has the keyboard."""
        self._is_active = active
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the mark of a private chat and the title on Qt's surface."""
        super().paintEvent(event)
        line = self.rect().adjusted(_EDGE_PX, 0, -_CLOSE_PX - 20, 0)
        font = ui_font(13, QFont.Weight.Medium if self._is_active else QFont.Weight.Normal)
        colour = appearance.theme.text if self._is_active else appearance.theme.muted
        painter = QPainter(self)
        if self._is_private:
            corner = QPoint(line.left(), line.center().y() - _MASK_PX // 2 + 1)
            draw_icon(painter, "eye-off", colour, _MASK_PX, corner)
            line.setLeft(line.left() + _MASK_ROOM_PX)
        draw_written(painter, line, self._title, font, colour)


class HomePage(QWidget):
    """What is shown if no chat is open: a title and two buttons."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self.setObjectName("home")
        flame = IconLabel("flame", "faint", _FLAME_PX)
        flame.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        title = QLabel(tr("No chat is open"), alignment=Qt.AlignmentFlag.AlignHCenter)
        named(title, "homeTitle", ui_font(20, QFont.Weight.DemiBold))
        begin = ActionButton(ButtonFace(tr("New chat"), primary=True), lambda: context.send(NewChat()))
        button = named(begin, "homeNewChat")
        private = PushButton(
            tr("New private chat"), "homeNewPrivate", lambda: context.send(NewPrivateChat()), kind="quiet"
        )
        for one in (button, private):
            one.setFont(ui_font(13))
            one.setMinimumWidth(144)
            one.setFixedHeight(38)
        self._column = in_column(Placed(), flame, 4, title, 12, centred(button), centred(private), spacing=8, of=self)
        self._column.unsetContentsMargins()
        self._below = QSpacerItem(0, 0, vData=QSizePolicy.Policy.Preferred)
        self._column.addItem(self._below)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Stand above the middle of the window. Nothing moves under the mouse while a notice takes room at the top."""
        super().resizeEvent(event)
        self._below.changeSize(0, round(_BELOW * self.window().height()), vData=QSizePolicy.Policy.Preferred)
        self._column.invalidate()
