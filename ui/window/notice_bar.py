"""NoticeBar: cards with messages to the user, on top of the page. The app decides when they appear."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.intents.settings import NoticeAction, NoticeOther
from ui.theme.phrases import breakable
from ui.theme.theme import ui_font
from ui.widgets.icon_button import IconButton

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.intents.settings import NoticeIntent
    from ui.state.notice import Notice
    from ui.theme.theme import Theme

_WIDEST_PX = 620
_TOP_PX = 10
_READ_S = 5.0
"""Seconds after which a card counts as read."""


class NoticeBar(QWidget):
    """A column of cards, newest last. A card stays until the user acts on it or dismisses it, or the app clears it.

    A card without buttons also goes when the user turns to another chat, once it was there long enough to be read.
    A card about one chat is hidden while another chat is in front.
    """

    requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self.setObjectName("notices")
        self._theme = theme
        self._page = parent
        self._clock = clock
        self._cards: dict[str, NoticeCard] = {}
        self._lasting: dict[str, Notice] = {}
        self._in_front = ""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        parent.installEventFilter(self)
        self.hide()

    def move_to(self, page: QWidget) -> None:
        """Show the cards on top of another page."""
        if page is not self._page:
            self._page.removeEventFilter(self)
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
        card = NoticeCard(notice, self._theme)
        card.requested.connect(self.requested)
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
            if not card.buttons and self._clock() - card.since >= _READ_S:
                self._take_away(key)

    def _drop(self, card: NoticeCard) -> None:
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def turn_to(self, conversation: str) -> None:
        """Show the cards about this chat, which is in front now ("" for none), and hide those about others."""
        self._in_front = conversation
        self.place()

    def keys(self) -> tuple[str, ...]:
        """The keys of the notices shown."""
        return tuple(key for key, card in self._cards.items() if card.conversation in {"", self._in_front})

    def place(self) -> None:
        """Move to the top centre of the page, as wide as it allows."""
        page, shown = self._page, self.keys()
        for key, card in self._cards.items():
            card.setVisible(key in shown)  # a hidden card has no height
            if key in shown:
                card.since = min(card.since, self._clock())
        width = min(_WIDEST_PX, page.width() - 32)
        self.setFixedWidth(width)
        height = (
            self._column.heightForWidth(width) if self._column.hasHeightForWidth() else self._column.sizeHint().height()
        )
        self.setGeometry((page.width() - width) // 2, _TOP_PX, width, height)
        self.setVisible(bool(shown))
        self.raise_()

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        self._theme = theme
        for card in self._cards.values():
            card.close_button.set_theme(theme)


class NoticeCard(QFrame):
    """One notice. `since` is when the user first saw it, in seconds of the bar's clock."""

    requested = Signal(object)
    dismissed = Signal(str)

    def __init__(self, notice: Notice, theme: Theme) -> None:
        super().__init__()
        self.since = math.inf
        self.conversation = notice.conversation
        self.setObjectName("notice")
        self.setAccessibleName(notice.text)
        self.text = QLabel(breakable(notice.text), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.text.setFont(ui_font(13))
        self.close_button = IconButton("x", "Put away", theme)
        self.close_button.setObjectName("putAway")
        self.close_button.set_icon_pixels(16, 26)
        self.close_button.clicked.connect(lambda: self.dismissed.emit(notice.key))
        self.buttons = [
            self._button(name, words, intent)
            for name, words, intent in (
                ("noticeOther", notice.other, NoticeOther(notice.key)),
                ("noticeAction", notice.action, NoticeAction(notice.key)),
            )
            if words
        ]
        self._lay_out(self.buttons)

    def _lay_out(self, buttons: list[QPushButton]) -> None:
        """Put a single button beside the text, and two below it: beside it they leave no room."""
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 9, 8, 9)
        column.setSpacing(2)
        row, below = QHBoxLayout(), QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.text, 1)
        column.addLayout(row)
        if len(buttons) > 1:
            below.addStretch(1)
            column.addLayout(below)
        for button in buttons:
            (below if len(buttons) > 1 else row).addWidget(button)
        row.addWidget(
            self.close_button, 0, Qt.AlignmentFlag.AlignTop if len(buttons) > 1 else Qt.AlignmentFlag.AlignVCenter
        )

    def _button(self, name: str, words: str, intent: NoticeIntent) -> QPushButton:
        button = QPushButton(words)
        button.setObjectName(name)
        button.setFont(ui_font(13))
        button.setFixedHeight(28)
        button.clicked.connect(lambda: self.requested.emit(intent))
        return button
