"""StoredChats: what is kept of each chat on disk, sorted as the user wants, with ways to drop and to pin it.

Once the user clears a chat, the rows keep their places until they are sorted again: else the row would move away from
the pointer, and a second click would clear the next chat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from resources.language.text import mark, tr
from ui.context import Context, WindowContext
from ui.intents.chat import InChat, Pin
from ui.intents.chat_settings import ClearMemory
from ui.intents.settings import CheckCaches
from ui.state.settings import StoredChat
from ui.theme.long_texts import cut
from ui.theme.phrases import Badge, one_line, size, time_label
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, text_label
from ui.widgets.tone_pill import TonePill


class PinButton(IconButton):
    """A click asks for the other state; the app answers with `show_pinned`. `asked` carries whether to pin the chat."""

    asked = Signal(bool)

    def __init__(self, title: str, *, is_pinned: bool) -> None:
        self._title = title
        self._is_pinned = is_pinned
        super().__init__("pin", "")
        self.clicked.connect(lambda: self.asked.emit(not self._is_pinned))
        self.show_pinned(is_pinned=is_pinned)

    def show_pinned(self, *, is_pinned: bool) -> None:
        """Say whether the chat is pinned."""
        self._is_pinned = is_pinned
        label = tr("Unpin {title}", title=self._title) if is_pinned else tr("Pin {title}", title=self._title)
        self.setAccessibleName(label)
        self.setToolTip(plain_tip(f"{label}\n{tr('What is kept of a pinned chat is never cleared to make room.')}"))
        self.show_icon("pin", "accent" if is_pinned else "muted")


_MOST: Final = 60
"""Rows that are shown at once."""
_SIZE_PX: Final = 92
_USED_PX: Final = 124
_GAP_PX: Final = 10
_PADDING_PX: Final = 9
"""What a heading's button has beside its words."""
_BUTTONS_PX: Final = 3 * (28 + _GAP_PX)
"""The room of the buttons behind the figures of a row."""
_ORDERS: Final[dict[str, tuple[str, Callable[[StoredChat], tuple[object, ...]]]]] = {
    "size": (mark("Size"), lambda chat: (-chat.bytes, -chat.shared, -chat.updated)),
    "used": (mark("Last used"), lambda chat: (-chat.updated,)),
    "title": (mark("Chat"), lambda chat: (chat.title.casefold(),)),
}


class StoredChats(QWidget):
    """`requested` carries an `InChat` or a `CheckCaches`."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._chats: tuple[StoredChat, ...] = ()
        self._places: dict[str, int] = {}
        self._is_checking = False
        self.group = SettingsGroup()
        self.rows: dict[str, _Row] = {}
        self.orders = {name: _heading(name, tr(words)) for name, (words, _) in _ORDERS.items()}
        for name, button in self.orders.items():
            button.clicked.connect(partial(self._sort, name))
        self.rest = text_label("", "footnote", 12)
        in_column(self.group, self.rest, spacing=6, of=self)
        self.group.add(self._head())
        self._sort("size")

    def _head(self) -> QWidget:
        head = QWidget()
        line = QHBoxLayout(head)
        line.setContentsMargins(6, 4, 8, 4)  # the buttons have a padding, so their words stand above those of the rows
        line.setSpacing(0)
        line.addWidget(self.orders["title"])
        line.addStretch(1)
        for name, width in (("used", _USED_PX), ("size", _SIZE_PX)):
            line.addSpacing(_GAP_PX)
            line.addWidget(_column(self.orders[name], width))
        line.addSpacing(_BUTTONS_PX - _PADDING_PX)
        return head

    def _sort(self, order: str) -> None:
        self._order = order
        self._places = {}
        for name, button in self.orders.items():
            words = tr(_ORDERS[name][0])
            button.setText(f"{words} ↓" if name == order else words)
            button.setAccessibleName(
                tr("Sort by {words}, chosen", words=words) if name == order else tr("Sort by {words}", words=words)
            )
        self._fill()

    def show_chats(self, chats: tuple[StoredChat, ...]) -> None:
        """List these chats. If only pins changed, the rows stay."""
        is_new = _unpinned(chats) != _unpinned(self._chats)
        self._chats = chats
        if is_new:
            self._fill()
        for chat in chats:
            if (row := self.rows.get(chat.id)) is not None:
                row.pin.show_pinned(is_pinned=chat.pinned)

    def set_checking(self, *, is_checking: bool) -> None:
        """While a check runs, no other can begin."""
        self._is_checking = is_checking
        for row in self.rows.values():
            row.set_checking(is_checking=is_checking)

    def _fill(self) -> None:
        ordered = sorted(self._chats, key=self._place)
        for row in self.rows.values():
            self.group.remove(row)
        self.rows = {chat.id: self._row(chat) for chat in ordered[:_MOST]}
        left = len(ordered) - len(self.rows)
        self.rest.setText(tr("{left} more chats are not shown. Sort to see others.", left=left) if left else "")
        self.rest.setVisible(left > 0)
        self.setVisible(bool(ordered))

    def _place(self, chat: StoredChat) -> tuple[object, ...]:
        return self._places.get(chat.id, len(self._places)), *_ORDERS[self._order][1](chat)

    def _ask(self, chat: str, intent: ClearMemory | Pin) -> None:
        self._places = {listed: place for place, listed in enumerate(self.rows)}
        self._context.send(InChat(chat, intent))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Sort anew what has changed meanwhile."""
        super().showEvent(event)
        self._sort(self._order)

    def _row(self, chat: StoredChat) -> _Row:
        row = _Row(Context(self._context.store, partial(self._ask, chat.id)), chat)
        row.check.clicked.connect(lambda: self._context.send(CheckCaches(chat.id)))
        row.set_checking(is_checking=self._is_checking)
        self.group.add(row)
        return row


class _Row(QWidget):
    def __init__(self, context: Context[ClearMemory | Pin], chat: StoredChat) -> None:
        super().__init__()
        self._context = context
        self._is_kept = kept = chat.is_kept
        self._words = one_line(chat.title)
        self.title = title = text_label(self._words, "rowName", 13)
        title.setToolTip(plain_tip(self._words))
        title.setFont(ui_font(13, QFont.Weight.DemiBold))
        title.setWordWrap(False)
        title.setMinimumWidth(0)
        title.setSizePolicy(title.sizePolicy().Policy.Ignored, title.sizePolicy().Policy.Preferred)
        self.about = text_label(_about(chat), "rowAbout", 12)
        text = in_column(title, self.about, spacing=2)
        self.pill = TonePill(
            Badge(tr("ready", "badge"), "success") if kept else Badge(tr("read again", "badge"), "warning")
        )
        self.used = text_label(time_label(_day(chat.updated), _now()) if chat.updated else "", "rowAbout", 12)
        self.used.setFixedWidth(_USED_PX)
        self.used.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bytes = text_label(size(chat.bytes) if chat.bytes else "0", "rowName", 13)
        self.bytes.setFixedWidth(_SIZE_PX)
        self.bytes.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.check = IconButton("shield", tr("Verify what is kept of {title}", title=chat.title))
        self.clear = IconButton("x", tr("Clear what is kept of {title}", title=chat.title))
        self.clear.setEnabled(kept)
        self.pin = PinButton(self._words, is_pinned=chat.pinned)
        in_row(
            Placed(text, 1),
            self.pill,
            self.used,
            self.bytes,
            self.check,
            self.clear,
            self.pin,
            spacing=_GAP_PX,
            margins=(14, 8, 8, 8),
            of=self,
        )
        self.clear.clicked.connect(lambda: self._context.send(ClearMemory()))
        self.pin.asked.connect(lambda pinned: self._context.send(Pin(pinned)))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        metrics, room = self.title.fontMetrics(), self.title.width()
        self.title.setText(metrics.elidedText(cut(self._words), Qt.TextElideMode.ElideRight, room))

    def set_checking(self, *, is_checking: bool) -> None:
        self.check.setEnabled(self._is_kept and not is_checking)


def _unpinned(chats: tuple[StoredChat, ...]) -> tuple[StoredChat, ...]:
    return tuple(replace(chat, pinned=False) for chat in chats)


def _about(chat: StoredChat) -> str:
    if not chat.is_kept:
        return tr("Nothing is kept")
    tokens = tr("{tokens} tokens", tokens=chat.tokens)
    if not chat.shared:
        return tokens
    shared = tr("{size} shared", "bytes", size=size(chat.shared)).replace(" ", "\u00a0")  # no line ends inside of it
    return f"{tokens} · {shared}"


def _day(moment: int) -> datetime:
    return datetime.fromtimestamp(moment / 1000, UTC)


def _now() -> datetime:
    return datetime.now(UTC).astimezone()


def _column(button: PushButton, width: int) -> QWidget:
    """A place of the width of a column, with its heading above the end of its figures."""
    place = QWidget()
    place.setFixedWidth(width)
    in_row(Placed(), button, spacing=-1, of=place)
    return place


def _heading(name: str, words: str) -> PushButton:
    button = PushButton(words, f"sort_{name}")
    button.setProperty("kind", "column")
    button.setFont(ui_font(12))
    button.setFixedHeight(26)
    return button
