"""NoticeBar: cards with messages to the user, above the content of the page. The app decides when they appear: it calls
`MainWindow.show_notice`. A click on a button sends the intent of the notice (`ui/intents/notice.py`) to the dispatch.
"""

from __future__ import annotations

import math
from time import monotonic

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QSignalBlocker, Qt, QTimer, QVariantAnimation, Signal
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QWidget

from resources.language.text import tr
from ui.context import WindowContext
from ui.intents.intent import Intent
from ui.intents.notice import Notice
from ui.theme.appearance import appearance
from ui.theme.long_texts import breakable
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import named

_WIDEST_PX = 620
_TOP_PX = 10
_BELOW_PX = 6
_GROW_MS = 160
_READ_S = 5.0
"""Seconds after which a card counts as read."""
_MOST_CARDS = 5
"""How many cards are shown at once. The others are shown again once there is room."""
PASSING_MS = 10_000
"""How long a passing card stays. It stays longer while the mouse is on it."""
_WITH_BUTTON = 3
"""How many times longer it stays if it has a button."""


class NoticeBar(QWidget):
    """A column of cards, newest last. A card stays until the user acts on it or dismisses it, or the app clears it.

    The page makes room for the cards, so that they cover none of its text. `left` is emitted if a card had the keyboard
    when it went.

    A card without buttons also goes when the user turns to another chat, once it was there long enough to be read.
    A card about one chat is hidden while another chat is in front.
    """

    left = Signal()

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.setObjectName("notices")
        self._page = parent
        self._room = 0
        self._growth = QVariantAnimation(self, duration=_GROW_MS)
        self._growth.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._growth.valueChanged.connect(self._make_room)
        self._cards: dict[str, NoticeCard] = {}
        self._lasting: dict[str, Notice] = {}
        self._in_front: frozenset[str] = frozenset()
        self._column = in_column(spacing=8, of=self)
        parent.installEventFilter(self)
        self.hide()

    def move_to(self, page: QWidget) -> None:
        """Show the cards on top of another page."""
        if page is not self._page:
            self._page.removeEventFilter(self)
            self._growth.stop()
            self._make_room(0)
            self._page = page
            self.setParent(page)
            page.installEventFilter(self)
            self.place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the page's size."""
        if event.type() == QEvent.Type.Resize:
            self.place()
        return super().eventFilter(watched, event)

    def show_notice(self, notice: Notice) -> None:
        """Show `notice` in the place of one with the same key, or below the others. A lasting notice is shown only
        once.
        """
        if notice.lasting:
            if self._lasting.get(notice.key) == notice:
                return
            self._lasting[notice.key] = notice
        old = self._cards.pop(notice.key, None)
        place = self._column.count() if old is None else self._column.indexOf(old)
        if old is not None:
            self._drop(old)
        card = NoticeCard(self._context, notice)
        card.dismissed.connect(self._take_away)
        self._cards[notice.key] = card
        self._column.insertWidget(place, card)
        self.place()

    def clear_notice(self, key: str) -> None:
        """Remove the card: its cause is over. An unknown key is ignored."""
        self._lasting.pop(key, None)
        self._take_away(key)

    def _take_away(self, key: str) -> None:
        card = self._cards.pop(key, None)
        if card is not None:
            self._drop(card)
            self.place()

    def clear_read(self) -> None:
        """Remove the cards without buttons that the user has had time to read: another chat is in front now."""
        for key, card in tuple(self._cards.items()):
            if not card.buttons and monotonic() - card.since >= _READ_S:
                self._take_away(key)

    def _drop(self, card: NoticeCard) -> None:
        had_keyboard = card.isAncestorOf(QApplication.focusWidget() or self)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()
        if had_keyboard:
            self.left.emit()

    def turn_to(self, *conversations: str) -> None:
        """Show the cards about these chats, which are in view now, and hide those about others."""
        self._in_front = frozenset(conversations)
        self.place()

    def keys(self) -> tuple[str, ...]:
        """The keys of the notices shown. The newest is always among them, and passing ones are hidden before others."""
        chats = self._in_front | {""}
        in_view = {key: card.notice for key, card in self._cards.items() if card.notice.conversation in chats}
        first_to_hide = sorted(tuple(in_view)[:-1], key=lambda key: not in_view[key].passing)
        hidden = first_to_hide[: max(0, len(in_view) - _MOST_CARDS)]
        return tuple(key for key in in_view if key not in hidden)

    def notices(self) -> tuple[Notice, ...]:
        """All notices, also those about chats that are not in view."""
        return tuple(card.notice for card in self._cards.values())

    def newest_undo(self) -> NoticeCard | None:
        """The newest card in view that undoes something."""
        shown = [self._cards[key] for key in self.keys() if self._cards[key].notice.undoes]
        return max(shown, key=lambda card: card.since, default=None)

    def place(self) -> None:
        """Move to the top centre of the page, as wide as it allows."""
        page, shown, column = self._page, self.keys(), self._column
        for key, card in self._cards.items():
            card.setVisible(key in shown)  # a hidden card has no height
            if key in shown:
                card.note_shown(monotonic())
        width = min(_WIDEST_PX, page.width() - 32)
        self.setFixedWidth(width)
        height = column.heightForWidth(width) if column.hasHeightForWidth() else column.sizeHint().height()
        self.setGeometry((page.width() - width) // 2, self.y(), width, height)
        self.setVisible(bool(shown))
        self.raise_()
        self._grow_to(_TOP_PX + height + _BELOW_PX if shown else 0)

    def _grow_to(self, room: int) -> None:
        """Let the page make this room for the cards, without a jump."""
        if self._growth.state() is QVariantAnimation.State.Running and self._growth.endValue() == room:
            return
        self._growth.stop()
        if appearance.theme.reading.calm or not self._page.isVisible() or room == self._room:
            self._make_room(room)
            return
        with QSignalBlocker(self._growth):  # a stopped animation emits a value for the time at which it was stopped
            self._growth.setStartValue(self._room)
            self._growth.setEndValue(room)
        self._growth.start()

    def _make_room(self, room: int) -> None:
        self._room = room
        self._page.setContentsMargins(0, room, 0, 0)
        self.move(self.x(), room - _BELOW_PX - self.height())


class NoticeCard(QFrame):
    """One notice. `since` is when the user first saw it, in monotonic seconds."""

    dismissed = Signal(str)

    def __init__(self, context: WindowContext, notice: Notice) -> None:
        super().__init__()
        self._context = context
        self.since = math.inf
        self.notice = notice
        stay_ms = PASSING_MS * (_WITH_BUTTON if notice.intent is not None else 1)
        self._passing = QTimer(self, singleShot=True, interval=stay_ms) if notice.passing else None
        if self._passing is not None:
            self._passing.timeout.connect(self._pass)
        named(self, "notice", label=notice.text)
        self.text = named(QLabel(breakable(notice.text), wordWrap=True, textFormat=Qt.TextFormat.PlainText), "", 13)
        self.close_button = IconButton(
            "x", tr("Put away"), name="putAway", pixels=(16, 26), act=lambda: self.dismissed.emit(notice.key)
        )
        if notice.stays:
            self.close_button.hide()
        buttons = (("noticeOther", notice.other, notice.other_intent), ("noticeAction", notice.action, notice.intent))
        self.buttons = [self._button(name, words, intent) for name, words, intent in buttons if intent is not None]
        # a single button stands beside the text, two below it: beside it they leave no room
        is_single = len(self.buttons) <= 1
        end = Qt.AlignmentFlag.AlignVCenter if is_single else Qt.AlignmentFlag.AlignTop
        beside = (*(self.buttons if is_single else ()), Placed(self.close_button, 0, end))
        row = in_row(Placed(self.text), *beside, spacing=10)
        below = () if is_single else (in_row(Placed(), *self.buttons, spacing=-1),)
        in_column(row, *below, spacing=2, margins=(16, 9, 8, 9), of=self)

    def note_shown(self, now: float) -> None:
        """The user sees the card."""
        if self.since == math.inf and self._passing is not None:
            self._passing.start()
        self.since = min(self.since, now)

    def act(self) -> None:
        """Do what the card's first button does."""
        assert self.notice.intent is not None, "a card that undoes something has a button"
        self._context.send(self.notice.intent)

    def _pass(self) -> None:
        """Leave, unless the user is at it."""
        focused = QApplication.focusWidget()
        is_in_use = self.underMouse() or (focused is not None and self.isAncestorOf(focused))
        if self._passing is not None and is_in_use:
            self._passing.start()
        else:
            self.dismissed.emit(self.notice.key)

    def _button(self, name: str, words: str, intent: Intent) -> PushButton:
        button = named(PushButton(words, act=lambda: self._context.send(intent)), name, 13)
        button.setFixedHeight(28)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where the user types
        return button
