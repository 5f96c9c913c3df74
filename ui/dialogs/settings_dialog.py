"""The settings window: a list of its pages at the left, and the page that was picked. A `SettingsPane` is made from its
rows of the table; three pages add buttons to theirs, and others are made by hand, in files of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedWidget, QStyle, QWidget

from resources.language.text import plural, tr
from ui.context import WindowContext, follow
from ui.dialogs.backup_pane import BackupPane
from ui.dialogs.confirmation import confirm
from ui.dialogs.macs_pane import MacsPane
from ui.dialogs.shortcuts_pane import ShortcutsPane
from ui.dialogs.storage_pane import StoragePane
from ui.intents.settings import CheckCaches, Reveal, SetPreferences, SetUnloadAfter, StopCheck
from ui.state import settings_table as table
from ui.state.models import LocalModelsView
from ui.state.preferences import Preferences
from ui.state.settings import StorageView
from ui.state.settings_table import PAGES, SETTINGS, Setting
from ui.theme.appearance import appearance
from ui.theme.phrases import of_total, size
from ui.theme.theme import title_font, ui_font
from ui.widgets.announcement import announce, show_aloud
from ui.widgets.choice_pill import ChoicePill
from ui.widgets.face_button import FaceButton
from ui.widgets.focus_ring import FocusRing
from ui.widgets.layouts import Placed, held, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.scroll_area import ScrollArea
from ui.widgets.segmented import Segmented
from ui.widgets.settings_group import SettingsGroup, SettingsRow, hidden_label, named, text_label
from ui.widgets.sheet import Sheet
from ui.widgets.stop_slider import StopSlider
from ui.widgets.switch import Switch
from ui.widgets.text_field import TextField

_BUTTON_PX: Final = 34
_TEXT_PX: Final = 110
_HOUR: Final = 60


class SettingsPane(QWidget):
    """Shows the values that the app sends, and reports what the user wants. `controls` has what changes each field, and
    `rows` the row of each setting by its name in the table.
    """

    def __init__(self, context: WindowContext, page: str) -> None:
        super().__init__()
        self._context = context
        self.controls: dict[str, Any] = {}
        self.rows: dict[str, SettingsRow] = {}
        self._show: dict[str, Callable[[Any], object]] = {}
        self.column = in_column(*map(self._card, SETTINGS[page]), Placed(), spacing=14, of=self)
        follow(self, context.store.preferences, self._show_preferences)

    def _card(self, rows: Setting | tuple[Setting, ...]) -> SettingsGroup:
        settings = (rows,) if isinstance(rows, Setting) else rows
        make: dict[str, Callable[[Setting], QWidget]] = {
            "switch": self._switch,
            "choice": self._segments,
            "number": self._slider,
            "minutes": self._minutes,
            "preset": self._presets,
            "text": self._text,
        }
        for setting in settings:
            self.rows[setting.name] = row = SettingsRow(tr(setting.name), tr(setting.about) if setting.about else "")
            if setting.kind in make:
                self.controls[setting.field] = control = make[setting.kind](setting)
                if setting.kind == "text":
                    row.column.addWidget(control)
                else:
                    row.add_control(control)
        return SettingsGroup(*(self.rows[setting.name] for setting in settings))

    def _switch(self, setting: Setting) -> Switch:
        switch = Switch(tr(setting.name), lambda on: self._set(setting.field, on))
        self._show[setting.field] = switch.set_on
        return switch

    def _segments(self, setting: Setting) -> Segmented:
        values, names = list(setting.choices), tuple(map(tr, setting.choices.values()))
        segments = named(Segmented(names), "", label=tr(setting.name))
        segments.picked.connect(lambda number: self._set(setting.field, values[number]))
        self._show[setting.field] = lambda value: segments.choose(values.index(value))
        return segments

    def _slider(self, setting: Setting) -> StopSlider:
        numbers, now = setting.numbers, getattr(self._context.store.preferences.now, setting.field)
        words = [tr("{percent}%", percent=number) for number in numbers]
        control = StopSlider(tr(setting.name), words, numbers.index(now), text_px=0)
        control.slider.valueChanged.connect(lambda stop: self._set(setting.field, numbers[stop]))
        self._show[setting.field] = lambda value: control.slider.setValue(
            min(range(len(numbers)), key=lambda stop: abs(numbers[stop] - value))
        )
        return control

    def _text(self, setting: Setting) -> TextField:
        field = named(TextField(placeholder=tr("None")), "notes", 13, tr(setting.name))
        field.setTabChangesFocus(True)
        field.setFixedHeight(_TEXT_PX)
        field.rested.connect(self.flush)
        self._show[setting.field] = lambda text: None if field.hasFocus() else field.setPlainText(text)
        return field

    def _presets(self, setting: Setting) -> ChoicePill:
        pill, presets = ChoicePill("", tr(setting.name)), self._context.store.presets

        def show(preset: str) -> None:
            pill.set_presets(presets.now, preset)

        pill.picked.connect(lambda preset: self._set(setting.field, preset))
        self._show[setting.field] = show
        follow(self, presets, lambda _: show(getattr(self._context.store.preferences.now, setting.field)))
        return pill

    def _minutes(self, setting: Setting) -> ChoicePill:
        pill = ChoicePill("", tr(setting.name))

        def show(minutes: int) -> None:
            times = sorted({*setting.numbers, minutes})  # also a time that was written into the file by hand
            pill.set_choices(tuple((str(time), _time(time), "") for time in times), str(minutes))

        assert setting.field == table.UNLOAD_AFTER, "no other setting is a time"
        pill.picked.connect(lambda minutes: self._context.send(SetUnloadAfter(int(minutes))))
        follow(self, self._context.store.unload_after, show)
        return pill

    def _set(self, field: str, value: object) -> None:
        preferences = replace(self._context.store.preferences.now, **{field: value})  # type: ignore[arg-type] # the table has its fields
        if preferences != self._context.store.preferences.now:
            self._context.send(SetPreferences(preferences))

    def _show_preferences(self, preferences: Preferences) -> None:
        """Show the values that hold. A text that is being typed stays."""
        for field, show in self._show.items():
            show(getattr(preferences, field))

    def flush(self) -> None:
        """Report texts that are being typed, if they are new."""
        for field, control in self.controls.items():
            if isinstance(control, TextField):
                self._set(field, control.toPlainText().strip())


def _time(minutes: int) -> str:
    if not minutes:
        return tr("Never")
    hours, rest = divmod(minutes, _HOUR)
    if rest:
        return plural("After {count} minute", "After {count} minutes", minutes)
    return plural("After {count} hour", "After {count} hours", hours)


class ModelsPane(SettingsPane):
    """Leads to the models page, which has all models: `models_requested` asks for it."""

    models_requested = Signal()

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context, table.MODELS)
        self.show_button = PushButton(tr("Show models"), act=self.models_requested)
        self.rows[table.HELD_MODELS].add_control(self.show_button)
        follow(self, context.store.local_models, self._count_models)

    def _count_models(self, view: LocalModelsView) -> None:
        if view.usable:
            about = plural("{count} model, {size}", "{count} models, {size}", view.usable, size=size(view.bytes_))
            self.rows[table.HELD_MODELS].set_about(about)


class ChatsPane(SettingsPane):
    """Leads to the saved prompts: `prompts_requested` asks for them."""

    prompts_requested = Signal()

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context, table.CHATS)
        self.rows[table.PROMPTS].add_control(PushButton(tr("Edit prompts…"), "editPrompts", self.prompts_requested))


class AdvancedPane(SettingsPane):
    """Shows Hearth's folder, checks what is kept of the chats, and resets the settings."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context, table.ADVANCED)
        self.data_button = PushButton(tr("Show data"), "showData", lambda: context.send(Reveal("data")))
        self.logs_button = PushButton(tr("Show logs"), "showLogs", lambda: context.send(Reveal("logs")))
        self.check_button = PushButton(tr("Verify"), "check", self._check_or_stop)
        self.reset_button = PushButton(tr("Reset…"), "resetPreferences", self._ask)
        self.rows[table.FOLDER].add_control(held(in_row(self.logs_button, self.data_button, spacing=8)))
        self.rows[table.CHECK].add_control(self.check_button)
        self.rows[table.RESET].add_control(self.reset_button)
        self.trouble = hidden_label("trouble", 13)
        self.column.insertWidget(1, self.trouble)
        self._about_check = self.rows[table.CHECK].about.text()
        follow(self, context.store.storage, self._show_storage)

    def _show_storage(self, view: StorageView) -> None:
        self.rows[table.FOLDER].set_about(view.folder)
        check = view.check
        running = tr("Checking {amount}", amount=of_total(check.done, check.total)) if check.total else tr("Checking…")
        self.rows[table.CHECK].set_about(running if check.is_running else check.text or self._about_check)
        self.check_button.setText(tr("Stop") if check.is_running else tr("Verify"))
        self.check_button.setAccessibleName(tr("Stop the check") if check.is_running else tr("Verify what is kept"))

    def _check_or_stop(self) -> None:
        self._context.send(StopCheck() if self._context.store.storage.now.check.is_running else CheckCaches())

    def _ask(self) -> None:
        about = tr("Chats, instructions, models, presets and limits stay.")
        reset = SetPreferences(Preferences(system=self._context.store.preferences.now.system))
        confirm(self.window(), tr("Reset the settings?"), about, tr("Reset"), partial(self._context.send, reset))

    def warn(self, words: str) -> None:
        """Show a sentence below the folder."""
        show_aloud(self.trouble, words)


class PaneButton(FaceButton):
    """One of several exclusive buttons. Tab reaches the checked one, and the arrow keys check its neighbours."""

    PAD_PX, ICON_PX, GAP_PX = 11, 17, 10

    def __init__(self, icon: str, name: str) -> None:
        super().__init__("pane", icon, name)
        self.setFont(ui_font(14))
        self.setAccessibleName(name)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        FocusRing(self)
        self._follow_check(self.isChecked())
        self.toggled.connect(self._follow_check)
        self.setFixedHeight(_BUTTON_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _follow_check(self, is_checked: bool) -> None:  # noqa: FBT001 - what Qt's signal carries
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_checked else Qt.FocusPolicy.ClickFocus)

    def inks(self, state: QStyle.StateFlag) -> tuple[str, str]:
        """The icon of the checked one is coloured."""
        is_on = state & QStyle.StateFlag.State_On
        return appearance.theme.accent if is_on else appearance.theme.muted, appearance.theme.text

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as the name."""
        beside = 2 * self.PAD_PX + self.ICON_PX + self.GAP_PX
        return QSize(beside + self.fontMetrics().horizontalAdvance(self.text()), _BUTTON_PX)


_SIZE_PX: Final = (900, 660)
_LEAST_PX: Final = (800, 440)
"""No page is cut off at this size, in any language."""
_LIST_PX: Final = 200
_SIDE_PX: Final = 26


class SettingsDialog(Sheet):
    """Shows the values that the app sends, and reports what the user wants. It stores nothing itself."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__("settings", tr("Settings"), parent)
        self.general, self.appearance = SettingsPane(context, table.GENERAL), SettingsPane(context, table.APPEARANCE)
        self.models, self.macs = ModelsPane(context), MacsPane(context)
        self.chats = ChatsPane(context)
        self.storage, self.backups = StoragePane(context), BackupPane(context)
        self.shortcuts, self.advanced = ShortcutsPane(context), AdvancedPane(context)
        self._pages = (
            *(self.general, self.appearance, self.models, self.macs, self.chats, self.storage),
            *(held(in_column(SettingsPane(context, table.PRIVACY), Placed(self.backups), spacing=18)), self.shortcuts),
            self.advanced,
        )
        self.panes = QStackedWidget()
        self.pane_buttons = tuple(PaneButton(icon, tr(name)) for icon, name in PAGES)
        for number, (button, pane) in enumerate(zip(self.pane_buttons, self._pages, strict=True)):
            self.panes.addWidget(_Page(button.text(), pane))
            button.clicked.connect(lambda _on, number=number: self._turn_to(number))
        bar = named(QFrame(), "paneBar")
        bar.setFixedWidth(_LIST_PX)
        title = text_label(tr("Settings"), "rowName", ui_font(15, QFont.Weight.DemiBold))
        title.setContentsMargins(12, 0, 0, 8)
        in_column(title, *self.pane_buttons, Placed(), spacing=2, margins=(10, 18, 10, 10), of=bar)
        in_row(bar, Placed(self.panes), of=self)
        self.pane_buttons[0].click()
        QShortcut(QKeySequence.StandardKey.Close, self, self.reject)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMinimumSize(*_LEAST_PX)
        self.resize(*_SIZE_PX)

    def _turn_to(self, number: int) -> None:
        self.panes.setCurrentIndex(number)
        self.pane_buttons[number].setFocus(Qt.FocusReason.TabFocusReason)  # a click has brought it there already

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Turn to the first and the last page from the list of pages."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(self.pane_buttons) - 1}
        if event.key() in ends and self.focusWidget() in self.pane_buttons:
            self.pane_buttons[ends[Qt.Key(event.key())]].click()
        else:
            super().keyPressEvent(event)

    def open_page(self, name: str, row: str = "") -> None:
        """Turn to the page with this name, and to the row with that one, if the page shows it."""
        next(button for button in self.pane_buttons if button.text() == name).click()
        page = self.panes.currentWidget()
        assert isinstance(page, _Page), "all are"
        for found in (one for one in page.findChildren(SettingsRow) if one.name.text() == row):
            page.reveal(found)
            announce(found, f"{row}. {found.about.text()}")

    def warn_of_folder(self, words: str) -> bool:
        """Say on the page in front why its folder is not shown. Returns whether that page has a folder to show."""
        in_front = next((pane for pane in (self.backups, self.advanced) if pane.isVisibleTo(self)), None)
        if in_front is not None:
            in_front.warn(words)
        return in_front is not None

    def done(self, result: int) -> None:
        """Report what is being typed, then close."""
        self.chats.flush()
        super().done(result)


class _Page(ScrollArea):
    """A page with its name above, which scrolls if the window is low. The content is as wide with a scroll bar as
    without: the bar takes its room from the margin.
    """

    def __init__(self, name: str, pane: QWidget) -> None:
        super().__init__("paneScroll")
        inside = named(QWidget(), "paneInside")
        title = text_label(name, "rowName", title_font(20))
        self._column = in_column(title, Placed(pane), spacing=16, of=inside)
        self._leave_margins()
        self.setWidget(inside)

    def _leave_margins(self) -> None:
        bar = self.width() - self.viewport().width()
        self._column.setContentsMargins(_SIDE_PX, 24, _SIDE_PX - bar, 24)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Qt resizes the content when the bar comes or goes, too."""
        super().resizeEvent(event)
        self._leave_margins()
