"""The settings page about what is kept of the chats on disk: how much, what it saves, and what each chat takes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from resources.language.text import mark, tr
from ui.context import WindowContext, follow
from ui.dialogs.confirmation import confirm
from ui.intents.chat import InChat
from ui.intents.chat_settings import ClearMemory, UndoClearMemory
from ui.intents.library import PinChats
from ui.intents.settings import ClearCaches, RemoveArrived, SetCaching, SetQuota, UndoClearCaches
from ui.state.chat import Warmth
from ui.state.settings import StorageView, StoredChat
from ui.theme.long_texts import cut
from ui.theme.phrases import TONES, Badge, about_time, of_total, one_line, size, time_label, undo_words
from ui.theme.theme import title_font, ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.gauge import Gauge, Part
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, held, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, SettingsRow, hidden_label, named, show_words, text_label
from ui.widgets.stop_slider import CalmSlider
from ui.widgets.switch import Switch
from ui.widgets.tone_pill import TonePill

_MOST: Final = 60
"""Rows that are shown at once."""
_SIZE_PX: Final = 78
_GAP_PX: Final = 10
_PIN_PX: Final = 28
_BUTTON_PAD_PX: Final = 16
_FREE: Final = mark("Free this space")
_NOTHING: Final = "—"


class StoredChats(QWidget):
    """What is kept of each chat on disk, the largest first, with ways to free its space and to pin it.

    Once the user frees a chat's space, the rows keep their places until the page is opened again: else the row would
    move away from the pointer, and a second click would free that of the next chat.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._chats: tuple[StoredChat, ...] = ()
        self._places: dict[str, int] = {}
        self.group = SettingsGroup()
        self.rows: dict[str, _Row] = {}
        self.rest = text_label("", "footnote", 12)
        in_column(self.group, self.rest, spacing=6, of=self)
        headings = [text_label(words, "rowAbout", 12) for words in (tr("Chat"), tr("Size"))]
        behind = _button_width() + _PIN_PX + 2 * _GAP_PX
        self.group.add(held(in_row(headings[0], Placed(), headings[1], behind, margins=(14, 8, 8, 8))))
        follow(self, context.store.clearing, lambda _: self._show_states())

    def show_chats(self, chats: tuple[StoredChat, ...]) -> None:
        """List these chats. If only pins changed, the rows stay."""
        is_new = _unpinned(chats) != _unpinned(self._chats)
        self._chats = chats
        if is_new:
            self._fill()
        self._show_states()

    def _fill(self) -> None:
        ordered = sorted(self._chats, key=lambda chat: (self._places.get(chat.id, len(self._places)), *_order(chat)))
        self.group.remove(*self.rows.values())
        self.rows = {chat.id: self._row(chat) for chat in ordered[:_MOST]}
        self.group.add(*self.rows.values())
        self._show_states()
        left = len(ordered) - len(self.rows)
        show_words(self.rest, tr("{left} smaller chats are not shown.", left=left) if left else "")
        self.setVisible(bool(ordered))

    def _row(self, chat: StoredChat) -> _Row:
        row = _Row(chat)
        row.free.clicked.connect(lambda: self._free_or_undo(chat.id))
        row.pin.clicked.connect(lambda: self._ask(PinChats((chat.id,), not row.is_pinned)))
        return row

    def _free_or_undo(self, chat: str) -> None:
        can_undo = chat in self._context.store.clearing.now
        self._ask(InChat(chat, UndoClearMemory() if can_undo else ClearMemory()))

    def _show_states(self) -> None:
        clearing = self._context.store.clearing.now
        for chat in self._chats:
            if (row := self.rows.get(chat.id)) is not None:
                row.show_pinned(is_pinned=chat.pinned)
                row.show_state(is_kept=chat.is_kept and "" not in clearing, left=clearing.get(chat.id, 0))
                row.free.setEnabled(chat.is_kept and "" not in clearing)

    def _ask(self, intent: InChat | PinChats) -> None:
        self._places = {listed: place for place, listed in enumerate(self.rows)}
        self._context.send(intent)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Sort anew what has changed meanwhile."""
        super().showEvent(event)
        self._places = {}
        self._fill()


def _order(chat: StoredChat) -> tuple[int, int, int]:
    return -chat.bytes, -chat.shared, -chat.updated


def _button_width() -> int:
    """The width of the buttons of all rows, whose words change."""
    metrics = QFontMetrics(ui_font(13))
    return max(metrics.horizontalAdvance(words) for words in (tr(_FREE), undo_words(10))) + 2 * _BUTTON_PAD_PX


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
        self.pill = TonePill(Badge("", "quiet"))
        self._size = size(chat.bytes) if chat.bytes else _NOTHING
        self.bytes = text_label(self._size, "rowName", 13)
        self.bytes.setFixedWidth(_SIZE_PX)
        self.bytes.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.free = named(PushButton(tr(_FREE)), "freeSpace", 13)
        self.free.setFixedWidth(_button_width())
        self.pin = IconButton("pin", "")
        text = in_column(title, self.about, spacing=2)
        parts = (Placed(text), self.pill, self.bytes, self.free, self.pin)
        in_row(*parts, spacing=_GAP_PX, margins=(14, 8, 8, 8), of=self)

    def show_state(self, *, is_kept: bool, left: int) -> None:
        """Say whether the chat answers at once. If its space is about to be freed, the button undoes that for so many
        seconds.
        """
        is_ready = is_kept and not left
        words = tr("ready", "badge") if is_ready else tr("not kept", "badge")
        self.pill.show_badge(Badge(words, TONES[Warmth.WARM if is_ready else Warmth.COLD]))
        self.bytes.setText(self._size if is_ready else _NOTHING)
        self.free.setText(undo_words(left) if left else tr(_FREE))
        free, undo = tr("Free the space of {title}", title=self._words), tr("Keep {title} ready", title=self._words)
        self.free.setAccessibleName(undo if left else free)

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
    used, now = datetime.fromtimestamp(chat.updated / 1000, UTC), datetime.now(UTC).astimezone()
    parts = [tr("{tokens} tokens", tokens=chat.tokens)] if chat.is_kept else []
    time = time_label(used, now)
    parts += [tr("used just now") if time == tr("now") else tr("used {time}", time=time)] if chat.updated else []
    parts += [tr("{size} shared", "bytes", size=size(chat.shared))] if chat.shared else []
    return " · ".join(part.replace(" ", "\u00a0") for part in parts)  # no line ends inside of a part


_GIB: Final = 2**30
_STOPS: Final = tuple(
    count * _GIB
    for count in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500)
)
"""The limits that the slider offers, if the disk is large enough."""
_PAUSE_MS: Final = 350
_ABOUT: Final = mark("What the model has read of them. Your messages are not part of this.")
_ABOUT_LIMIT: Final = mark("Above it, the least recently used chats are freed first. Pinned chats stay ready.")
_ABOUT_SAVED: Final = mark(
    "How much longer the model would have read before its answers if nothing had been kept on disk, at the speed that "
    "was measured."
)
_ABOUT_SHARED: Final = mark(
    "Chats that begin alike share a part. It is free again once all of these chats are cleared."
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
        self._stops = _STOPS
        self.caching = Switch(tr("Keep chats ready on disk"), lambda enabled: context.send(SetCaching(enabled)))
        self.automatic = Switch(tr("Choose the limit automatically"), self._report_automatic)
        self.slider = named(CalmSlider(), "", label=tr("Limit"))
        self.slider.setPageStep(3)
        self.slider.valueChanged.connect(self._preview_limit)
        self.slider.sliderReleased.connect(self._report_limit)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._report_limit)
        self.limit_button = PushButton(tr("Change limit"), "changeLimit")
        self.limit_button.setCheckable(True)
        self.clear_button = PushButton(name="clear", act=self._clear_or_undo)
        self.remove_button = PushButton(tr("Remove…"), "removeArrived", self._ask_to_remove)
        self.remove_button.setAccessibleName(tr("Remove unfinished copies"))
        self.gauge = Gauge()
        self.saved = SavedWaits()
        self.chats = StoredChats(context)
        self._lay_out()
        self.setEnabled(False)
        follow(self, context.store.storage, self._show_storage)
        follow(self, context.store.clearing, self._show_clearing)

    def _lay_out(self) -> None:
        self.limit_label = text_label("", "rowValue", 13)
        self.limit_label.setWordWrap(False)
        self.limit_label.setFixedWidth(66)  # the words beside it must not wrap anew when this text changes
        self.limit_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.usage = SettingsRow("", tr(_ABOUT), self.limit_button)
        self.usage.name.setFont(ui_font(14, QFont.Weight.DemiBold))
        self.usage.column.addWidget(self.gauge)
        about = tr("A share of the free space on this disk.")
        automatic = SettingsRow(tr("Choose the limit automatically"), about, self.automatic)
        limit = SettingsRow(tr("Limit"), tr(_ABOUT_LIMIT), self.limit_label)
        limit.column.addWidget(self.slider)
        caching = SettingsRow(tr("Keep chats ready on disk"), tr("If this is off, nothing is kept."), self.caching)
        about = tr("Chats stay. Each is read again when it is answered next.")
        clear = SettingsRow(tr("Free the space of all chats"), about, self.clear_button)
        self.arrived = SettingsRow(tr("Unfinished copies from other Macs"), "", self.remove_button)
        self.trouble, self.facts = hidden_label("trouble", 12), text_label("", "footnote", 12)
        space, rest = SettingsGroup(self.usage, automatic, limit), SettingsGroup(caching, clear, self.arrived)
        in_column(self.trouble, space, self.saved, self.chats, rest, self.facts, Placed(), spacing=14, of=self)
        for row in (automatic, limit):
            row.hide()
            self.limit_button.toggled.connect(row.setVisible)
        self.arrived.hide()

    def _show_storage(self, view: StorageView) -> None:
        """Show the figures. The slider does not move while the user drags it."""
        self.setEnabled(True)
        self.caching.set_on(view.cached)
        self.automatic.set_on(view.automatic)
        used = of_total(view.held_bytes, view.quota_bytes)
        self.usage.name.setText(tr("Ready chats take {used}", used=used))
        self.gauge.show_parts(_parts(view), tr("Ready chats take {used}", used=used), tr(_ABOUT_SHARED))
        self.saved.show_waits(view.saved_today_s, view.saved_s)
        self.chats.show_chats(view.chats)
        self.clear_button.setEnabled(view.held_bytes > 0)
        self.arrived.set_about(tr(_ABOUT_ARRIVED, size=size(view.arrived_bytes)))
        self.arrived.setVisible(view.arrived_bytes > 0)
        show_words(self.facts, "\n".join(view.facts))
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

    def _show_clearing(self, clearing: Mapping[str, int]) -> None:
        self.clear_button.setText(undo_words(clearing[""]) if "" in clearing else tr("Free all"))

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

    def _clear_or_undo(self) -> None:
        can_undo = "" in self._context.store.clearing.now
        self._context.send(UndoClearCaches() if can_undo else ClearCaches())

    def _ask_to_remove(self) -> None:
        remove, about = partial(self._context.send, RemoveArrived()), tr(_ABOUT_REMOVAL)
        confirm(self.window(), tr("Remove what has arrived?"), about, tr("Remove"), remove)


def _parts(view: StorageView) -> tuple[Part, ...]:
    """What takes space, and what is left of the limit. What has no byte is left out."""
    own = max(0, view.held_bytes - view.shared_bytes - view.deleted_bytes)
    parts = (
        Part(tr("chats"), own, "chats_share"),
        Part(tr("shared by several chats"), view.shared_bytes, "accent"),
        Part(tr("recently deleted chats"), view.deleted_bytes, "others_share"),
        Part(tr("free", "disk"), max(0, view.quota_bytes - view.held_bytes), "rim"),
    )
    return tuple(part for part in parts if part.bytes)


class SavedWaits(QWidget):
    """Two cards with the waiting that kept state saved."""

    def __init__(self) -> None:
        super().__init__()
        self.today, self.all = (text_label("", "rowName", title_font(17)) for _ in range(2))
        names = ((tr("Waiting saved today"), self.today), (tr("Waiting saved in all"), self.all))
        in_row(*(Placed(_tile(name, figure), 1) for name, figure in names), spacing=14, of=self)
        self.setToolTip(plain_tip(tr(_ABOUT_SAVED)))

    def show_waits(self, today_s: float, all_s: float) -> None:
        """Show these estimates, in seconds."""
        for figure, seconds in ((self.today, today_s), (self.all, all_s)):
            figure.setText(about_time(seconds) if seconds >= 1 else tr("nothing yet"))


def _tile(name: str, figure: QWidget) -> SettingsGroup:
    return SettingsGroup(held(in_column(text_label(name, "rowAbout", 12), figure, spacing=2, margins=(14, 10, 14, 10))))
