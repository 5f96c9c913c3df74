"""The settings page about the caches on disk: what is kept of all chats, and of each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from resources.language.text import mark, tr
from ui.context import WindowContext, follow
from ui.dialogs.confirmation import confirm
from ui.intents.chat import InChat, Pin
from ui.intents.chat_settings import ClearMemory
from ui.intents.settings import CheckCaches, ClearCaches, RemoveArrived, SetCaching, SetQuota, StopCheck
from ui.state.settings import CheckView, StorageView, StoredChat
from ui.theme.long_texts import cut
from ui.theme.phrases import Badge, of_total, one_line, size, time_label
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import UsageBar
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, held, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, SettingsRow, named, show_words, text_label
from ui.widgets.stop_slider import CalmSlider
from ui.widgets.switch import Switch
from ui.widgets.tone_pill import TonePill

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
    """What is kept of each chat on disk, sorted as the user wants, with ways to clear and to pin it.

    Once the user clears a chat, the rows keep their places until they are sorted again: else the row would move away
    from the pointer, and a second click would clear the next chat.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._chats: tuple[StoredChat, ...] = ()
        self._places: dict[str, int] = {}
        self._is_checking = False
        self.group = SettingsGroup()
        self.rows: dict[str, _Row] = {}
        self.orders: dict[str, PushButton] = {}
        for name in _ORDERS:
            sort = PushButton(act=partial(self._sort, name), kind="column")
            self.orders[name] = button = named(sort, f"sort_{name}", 12)
            button.setFixedHeight(26)
        self.rest = text_label("", "footnote", 12)
        in_column(self.group, self.rest, spacing=6, of=self)
        columns = [_column(self.orders[name], width) for name, width in (("used", _USED_PX), ("size", _SIZE_PX))]
        parts = (self.orders["title"], Placed(), _GAP_PX, columns[0], _GAP_PX, columns[1], _BUTTONS_PX - _PADDING_PX)
        # the buttons have a padding, so their words stand above those of the rows
        self.group.add(held(in_row(*parts, margins=(6, 4, 8, 4))))
        self._sort("size")

    def _sort(self, order: str) -> None:
        self._order = order
        self._places = {}
        for name, button in self.orders.items():
            words = tr(_ORDERS[name][0])
            button.setText(f"{words} ↓" if name == order else words)
            chosen, other = tr("Sort by {words}, chosen", words=words), tr("Sort by {words}", words=words)
            button.setAccessibleName(chosen if name == order else other)
        self._fill()

    def show_chats(self, chats: tuple[StoredChat, ...], *, is_checking: bool = False) -> None:
        """List these chats. If only pins changed, the rows stay. While a check runs, no other can begin."""
        is_new = _unpinned(chats) != _unpinned(self._chats)
        self._chats, self._is_checking = chats, is_checking
        if is_new:
            self._fill()
        self._show_states()

    def _fill(self) -> None:
        places, order = self._places, _ORDERS[self._order][1]
        ordered = sorted(self._chats, key=lambda chat: (places.get(chat.id, len(places)), *order(chat)))
        self.group.remove(*self.rows.values())
        self.rows = {chat.id: self._row(chat) for chat in ordered[:_MOST]}
        self.group.add(*self.rows.values())
        self._show_states()
        left = len(ordered) - len(self.rows)
        self.rest.setText(tr("{left} more chats are not shown. Sort to see others.", left=left) if left else "")
        self.rest.setVisible(left > 0)
        self.setVisible(bool(ordered))

    def _row(self, chat: StoredChat) -> _Row:
        row = _Row(chat)
        row.check.clicked.connect(lambda: self._context.send(CheckCaches(chat.id)))
        row.clear.clicked.connect(lambda: self._ask(chat.id, ClearMemory()))
        row.pin.clicked.connect(lambda: self._ask(chat.id, Pin(not row.is_pinned)))
        return row

    def _show_states(self) -> None:
        for chat in self._chats:
            if (row := self.rows.get(chat.id)) is not None:
                row.show_pinned(is_pinned=chat.pinned)
                row.check.setEnabled(chat.is_kept and not self._is_checking)

    def _ask(self, chat: str, intent: ClearMemory | Pin) -> None:
        self._places = {listed: place for place, listed in enumerate(self.rows)}
        self._context.send(InChat(chat, intent))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Sort anew what has changed meanwhile."""
        super().showEvent(event)
        self._sort(self._order)


class _Row(QWidget):
    def __init__(self, chat: StoredChat) -> None:
        super().__init__()
        self._words = one_line(chat.title)
        self.title = title = text_label(self._words, "rowName", ui_font(13, QFont.Weight.DemiBold))
        title.setToolTip(plain_tip(self._words))
        title.setWordWrap(False)
        title.setMinimumWidth(0)
        title.setSizePolicy(title.sizePolicy().Policy.Ignored, title.sizePolicy().Policy.Preferred)
        self.about = text_label(_about(chat), "rowAbout", 12)
        ready, again = Badge(tr("ready", "badge"), "success"), Badge(tr("read again", "badge"), "warning")
        self.pill = TonePill(ready if chat.is_kept else again)
        used, now = datetime.fromtimestamp(chat.updated / 1000, UTC), datetime.now(UTC).astimezone()
        self.used = text_label(time_label(used, now) if chat.updated else "", "rowAbout", 12)
        self.bytes = text_label(size(chat.bytes) if chat.bytes else "0", "rowName", 13)
        for figure, width in ((self.used, _USED_PX), (self.bytes, _SIZE_PX)):
            figure.setFixedWidth(width)
            figure.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.check = IconButton("shield", tr("Verify what is kept of {title}", title=chat.title))
        self.clear = IconButton("x", tr("Clear what is kept of {title}", title=chat.title))
        self.clear.setEnabled(chat.is_kept)
        self.pin = IconButton("pin", "")
        text = in_column(title, self.about, spacing=2)
        parts = (Placed(text), self.pill, self.used, self.bytes, self.check, self.clear, self.pin)
        in_row(*parts, spacing=_GAP_PX, margins=(14, 8, 8, 8), of=self)

    def show_pinned(self, *, is_pinned: bool) -> None:
        """Say whether the chat is pinned. A click asks for the other state, and the app answers with this."""
        self.is_pinned = is_pinned
        label = tr("Unpin {title}", title=self._words) if is_pinned else tr("Pin {title}", title=self._words)
        self.pin.setAccessibleName(label)
        self.pin.setToolTip(plain_tip(f"{label}\n{tr('What is kept of a pinned chat is never cleared to make room.')}"))
        self.pin.show_icon("pin", "accent" if is_pinned else "muted")

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        metrics, room = self.title.fontMetrics(), self.title.width()
        self.title.setText(metrics.elidedText(cut(self._words), Qt.TextElideMode.ElideRight, room))


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


def _column(button: PushButton, width: int) -> QWidget:
    """A place of the width of a column, with its heading above the end of its figures."""
    place = held(in_row(Placed(), button, spacing=-1))
    place.setFixedWidth(width)
    return place


_GIB: Final = 2**30
_STOPS: Final = tuple(
    count * _GIB
    for count in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500)
)
"""The limits that the slider offers, if the disk is large enough."""
_PAUSE_MS: Final = 350
_VERIFY: Final = mark("Verify")
_ABOUT_CHECK: Final = mark(
    "Every file is read again and compared with its checksum. Damaged ones are removed; your messages stay."
)
_ABOUT_LIMIT: Final = mark(
    "At the limit, what is kept of the least recently used chats is cleared first. Pinned chats keep everything."
)
_ABOUT_CLEAR: Final = mark(
    "No chat is lost. Each is read again when it is answered next, which takes a while for a long one."
)
_ABOUT_CACHING: Final = mark(
    "What the model has read of a chat is kept, so that the chat answers at once whenever it is opened again. Switched "
    "off, nothing of this is written."
)
_ABOUT_ARRIVED: Final = mark(
    "{size} of models that paired Macs began to copy to this one. Hearth removes them after a week, unless the copy "
    "goes on."
)
_ABOUT_REMOVAL: Final = mark("A Mac that copies one of these models again begins anew.")


class StoragePane(QWidget):
    """Shows the values that the app sends, and reports what the user wants."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._view = StorageView()
        self._stops = _STOPS
        self.caching = Switch(tr("Keep chats ready on disk"), lambda enabled: context.send(SetCaching(enabled)))
        self.automatic = Switch(tr("Choose the limit automatically"), self._report_automatic)
        self.slider = named(CalmSlider(), "", label=tr("Limit"))
        self.slider.setPageStep(3)
        self.slider.valueChanged.connect(self._preview_limit)
        self.slider.sliderReleased.connect(self._report_limit)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._report_limit)
        self.clear_button = PushButton(tr("Clear…"), "clear", self._ask_to_clear)
        self.check_button = PushButton(tr(_VERIFY), "check", self._check_or_stop)
        self.remove_button = PushButton(tr("Remove…"), "removeArrived", self._ask_to_remove)
        self.remove_button.setAccessibleName(tr("Remove unfinished copies"))
        self.bar = UsageBar()
        self.chats = StoredChats(context)
        self._lay_out()
        self.setEnabled(False)
        follow(self, context.store.storage, self._show_storage)

    def _lay_out(self) -> None:
        self.usage_label, self.limit_label = text_label("", "rowValue", 13), text_label("", "rowValue", 13)
        for label in (self.usage_label, self.limit_label):
            label.setWordWrap(False)
        self.limit_label.setFixedWidth(66)  # the words beside it must not wrap anew when this text changes
        self.limit_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        usage = SettingsRow(tr("Ready chats"), tr("Your messages are not part of this."), self.usage_label)
        usage.column.addWidget(self.bar)
        about = tr("A share of the free space on this disk.")
        automatic = SettingsRow(tr("Choose the limit automatically"), about, self.automatic)
        limit = SettingsRow(tr("Limit"), tr(_ABOUT_LIMIT), self.limit_label)
        limit.column.addWidget(self.slider)
        self.check = SettingsRow(tr("Check for damage"), tr(_ABOUT_CHECK), self.check_button)
        about = tr("Chats stay. Each is read again when it is answered next.")
        clear = SettingsRow(tr("Clear what is kept"), about, self.clear_button)
        self.arrived = SettingsRow(tr("Unfinished copies from other Macs"), "", self.remove_button)
        self.arrived.hide()
        warm = SettingsGroup(SettingsRow(tr("Keep chats ready on disk"), tr(_ABOUT_CACHING), self.caching))
        space = SettingsGroup(usage, automatic, limit, self.check, clear, self.arrived)
        self.trouble = text_label("", "trouble", 12)
        self.trouble.hide()
        self.facts = text_label("", "footnote", 12)
        in_column(warm, self.trouble, space, self.chats, self.facts, Placed(), spacing=14, of=self)

    def _show_storage(self, view: StorageView) -> None:
        """Show the figures. The slider does not move while the user drags it."""
        self._view = view
        self.setEnabled(True)
        self.caching.set_on(view.cached)
        self.automatic.set_on(view.automatic)
        held, quota = size(view.held_bytes), size(view.quota_bytes)
        self.usage_label.setText(tr("{held_bytes} of {quota_bytes}", held_bytes=held, quota_bytes=quota))
        self.chats.show_chats(view.chats, is_checking=view.check.is_running)
        self.bar.set_share(view.held_bytes / view.quota_bytes if view.quota_bytes else 0.0)
        self.clear_button.setEnabled(view.held_bytes > 0)
        about = tr(_ABOUT_ARRIVED, size=size(view.arrived_bytes))
        self.arrived.set_about(about)
        self.arrived.setVisible(view.arrived_bytes > 0)
        self.facts.setText("\n".join(view.facts))
        self._show_check(view.check)
        show_words(self.trouble, view.trouble)
        if not self.slider.isSliderDown() and not self._pause.isActive():
            self._show_limit(view)

    def _show_limit(self, view: StorageView) -> None:
        self._stops = tuple(stop for stop in _STOPS if stop < view.most_bytes) or _STOPS[:1]
        self.slider.setEnabled(not view.automatic and len(self._stops) > 1)
        self.limit_label.setEnabled(not view.automatic)
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, len(self._stops) - 1)
            self.slider.setValue(max(0, bisect_right(self._stops, view.quota_bytes) - 1))
        self.limit_label.setText(size(view.quota_bytes))

    def _show_check(self, check: CheckView) -> None:
        running = tr("Checking {amount}", amount=of_total(check.done, check.total)) if check.total else tr("Checking…")
        self.check.set_about(running if check.is_running else check.text or tr(_ABOUT_CHECK))
        self.check_button.setText(tr("Stop") if check.is_running else tr(_VERIFY))
        self.check_button.setAccessibleName(tr("Stop the check") if check.is_running else tr("Verify what is kept"))

    def _preview_limit(self, stop: int) -> None:
        self.limit_label.setText(size(self._stops[stop]))
        if not self.slider.isSliderDown():
            self._pause.start()

    def _report_limit(self) -> None:
        self._pause.stop()
        self._context.send(SetQuota(self._stops[self.slider.value()]))

    def _report_automatic(self, automatic: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        self.slider.setEnabled(not automatic)
        self.limit_label.setEnabled(not automatic)
        self._context.send(SetQuota(0 if automatic else self._stops[self.slider.value()]))

    def _check_or_stop(self) -> None:
        self._context.send(StopCheck() if self._view.check.is_running else CheckCaches(""))

    def _ask_to_clear(self) -> None:
        clear, words = partial(self._context.send, ClearCaches()), tr("Clear", "what is kept")
        confirm(self.window(), tr("Clear what is kept of all chats?"), tr(_ABOUT_CLEAR), words, clear)

    def _ask_to_remove(self) -> None:
        remove, about = partial(self._context.send, RemoveArrived()), tr(_ABOUT_REMOVAL)
        confirm(self.window(), tr("Remove what has arrived?"), about, tr("Remove"), remove)
