"""The settings page about the caches on disk."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import QWidget

from resources.language.text import mark, tr
from ui.context import WindowContext, follow
from ui.dialogs.confirmation import confirm
from ui.dialogs.stored_chats import StoredChats
from ui.intents.settings import CheckCaches, ClearCaches, RemoveArrived, SetCaching, SetQuota, StopCheck
from ui.state.settings import CheckView, StorageView
from ui.theme.phrases import of_total, size
from ui.widgets.blocks import UsageBar
from ui.widgets.layouts import Placed, in_column
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, SettingsRow, text_label
from ui.widgets.stop_slider import CalmSlider
from ui.widgets.switch import Switch

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
_ASK: Final = (
    mark("Clear what is kept of all chats?"),
    mark("No chat is lost. Each is read again when it is answered next, which takes a while for a long one."),
)
_ASK_ARRIVED: Final = (
    mark("Remove what has arrived?"),
    mark("A Mac that copies one of these models again begins anew."),
)


class StoragePane(QWidget):
    """Shows the values that the app sends, and reports what the user wants."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._view: StorageView | None = None
        self._stops = _STOPS
        self.caching = Switch(tr("Keep chats ready on disk"))
        self.automatic = Switch(tr("Choose the limit automatically"))
        self.slider = CalmSlider()
        self.slider.setAccessibleName(tr("Limit"))
        self.slider.setPageStep(3)
        self.clear_button = PushButton(tr("Clear…"), "clear")
        self.check_button = PushButton(tr(_VERIFY), "check")
        self.remove_button = PushButton(tr("Remove…"), "removeArrived")
        self.remove_button.setAccessibleName(tr("Remove unfinished copies"))
        self.bar = UsageBar()
        self.chats = StoredChats(context)
        self._build()
        self._connect()
        self.setEnabled(False)
        follow(self, context.store.storage, self._show_storage)

    def _build(self) -> None:
        warm = SettingsGroup()
        warm.add(
            SettingsRow(
                tr("Keep chats ready on disk"),
                tr(
                    "What the model has read of a chat is kept, so that the chat answers at once whenever it is opened "
                    "again. Switched off, nothing of this is written."
                ),
                self.caching,
            )
        )
        space = SettingsGroup()
        self.usage_label = text_label("", "rowValue", 13)
        self.usage_label.setWordWrap(False)
        self.usage = SettingsRow(tr("Ready chats"), tr("Your messages are not part of this."), self.usage_label)
        self.usage.column.addWidget(self.bar)
        space.add(self.usage)
        space.add(
            SettingsRow(
                tr("Choose the limit automatically"), tr("A share of the free space on this disk."), self.automatic
            )
        )
        space.add(self._limit_row())
        self.check = SettingsRow(tr("Check for damage"), tr(_ABOUT_CHECK), self.check_button)
        space.add(self.check)
        space.add(
            SettingsRow(
                tr("Clear what is kept"),
                tr("Chats stay. Each is read again when it is answered next."),
                self.clear_button,
            )
        )
        self.arrived = SettingsRow(tr("Unfinished copies from other Macs"), "", self.remove_button)
        self.arrived.hide()
        space.add(self.arrived)
        self.trouble = text_label("", "trouble", 12)
        self.trouble.hide()
        self.facts = text_label("", "footnote", 12)
        in_column(warm, self.trouble, space, self.chats, self.facts, Placed(), spacing=14, of=self)

    def _limit_row(self) -> SettingsRow:
        self.limit_label = text_label("", "rowValue", 13)
        self.limit_label.setWordWrap(False)
        self.limit_label.setFixedWidth(66)  # the words beside it must not wrap anew when this text changes
        self.limit_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = SettingsRow(tr("Limit"), tr(_ABOUT_LIMIT), self.limit_label)
        row.column.addWidget(self.slider)
        return row

    def _connect(self) -> None:
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._report_limit)
        self.caching.clicked.connect(lambda enabled: self._context.send(SetCaching(enabled)))
        self.automatic.clicked.connect(self._report_automatic)
        self.slider.valueChanged.connect(self._preview_limit)
        self.slider.sliderReleased.connect(self._report_limit)
        self.clear_button.clicked.connect(self._ask_to_clear)
        self.remove_button.clicked.connect(self._ask_to_remove)
        self.check_button.clicked.connect(self._check_or_stop)

    def _show_storage(self, view: StorageView) -> None:
        """Show the figures. The slider does not move while the user drags it."""
        self._view = view
        self.setEnabled(True)
        self.caching.set_on(view.cached)
        self.automatic.set_on(view.automatic)
        self.usage_label.setText(
            tr("{held_bytes} of {quota_bytes}", held_bytes=size(view.held_bytes), quota_bytes=size(view.quota_bytes))
        )
        self.chats.show_chats(view.chats)
        self.bar.set_share(view.held_bytes / view.quota_bytes if view.quota_bytes else 0.0)
        self.clear_button.setEnabled(view.held_bytes > 0)
        self._show_arrived(view.arrived_bytes)
        self.facts.setText("\n".join(view.facts))
        self._show_check(view.check)
        self.trouble.setText(view.trouble)
        self.trouble.setVisible(bool(view.trouble))
        if not self.slider.isSliderDown() and not self._pause.isActive():
            self._show_limit(view)

    def _show_arrived(self, arrived: int) -> None:
        about = tr(
            "{size} of models that paired Macs began to copy to this one. Hearth removes them after a week, unless the "
            "copy goes on.",
            size=size(arrived),
        )
        self.arrived.set_about(about)
        self.arrived.setVisible(arrived > 0)

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
        self.chats.set_checking(is_checking=check.is_running)

    def _check_or_stop(self) -> None:
        is_running = self._view is not None and self._view.check.is_running
        self._context.send(StopCheck() if is_running else CheckCaches(""))

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

    def _ask_to_clear(self) -> None:
        question, about = _ASK
        drop = partial(self._context.send, ClearCaches())
        confirm(self.window(), tr(question), tr(about), tr("Clear", "what is kept"), drop)

    def _ask_to_remove(self) -> None:
        question, about = _ASK_ARRIVED
        remove = partial(self._context.send, RemoveArrived())
        confirm(self.window(), tr(question), tr(about), tr("Remove"), remove)
