"""SettingsPane: a page of the settings, made from its rows of the table. Two pages add buttons to theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from resources.language.text import plural, tr
from ui.context import WindowContext, follow
from ui.dialogs.confirmation import confirm
from ui.intents.settings import Reveal, SetPreferences, SetUnloadAfter
from ui.state.models import LocalModelsView
from ui.state.preferences import Preferences
from ui.state.settings import StorageView
from ui.state.settings_table import (
    ADVANCED,
    FOLDER,
    HELD_MODELS,
    MODELS,
    RESET,
    SETTINGS,
    UNLOAD_AFTER,
    Setting,
    SettingKind,
)
from ui.theme.phrases import size
from ui.theme.theme import ui_font
from ui.widgets.announcement import announce
from ui.widgets.choice_pill import ChoicePill
from ui.widgets.layouts import in_row
from ui.widgets.push_button import PushButton
from ui.widgets.segmented import Segmented
from ui.widgets.settings_group import SettingsGroup, SettingsRow, stack_groups, text_label
from ui.widgets.stop_slider import StopSlider
from ui.widgets.switch import Switch
from ui.widgets.text_field import TextField

_TEXT_PX: Final = 110
_HOUR: Final = 60


class SettingsPane(QWidget):
    """Shows the values that the app sends, and reports what the user wants. `controls` has what changes each field, and
    `rows` the row of each setting by its name in the table.
    """

    def __init__(self, context: WindowContext, page: str) -> None:
        super().__init__()
        self._context = context
        self._preferences = context.store.preferences
        self.controls: dict[str, Any] = {}
        self.rows: dict[str, SettingsRow] = {}
        self._show: dict[str, Callable[[Any], object]] = {}
        self.column = stack_groups(self, tuple(map(self._card, SETTINGS[page])))
        follow(self, context.store.preferences, self._show_preferences)

    def _card(self, settings: tuple[Setting, ...]) -> SettingsGroup:
        card = SettingsGroup()
        for setting in settings:
            row = SettingsRow(tr(setting.name), tr(setting.about) if setting.about else "")
            if setting.kind is not SettingKind.FACT:
                self.controls[setting.field] = control = self._control(setting)
                if setting.kind is SettingKind.TEXT:
                    row.column.addWidget(control)
                else:
                    row.add_control(control)
            self.rows[setting.name] = row
            card.add(row)
        return card

    def _control(self, setting: Setting) -> QWidget:
        make: Callable[[Setting], QWidget] = {
            SettingKind.SWITCH: self._switch,
            SettingKind.CHOICE: self._segments,
            SettingKind.NUMBER: self._slider,
            SettingKind.MINUTES: self._minutes,
            SettingKind.PRESET: self._presets,
            SettingKind.TEXT: self._text,
        }[setting.kind]
        return make(setting)

    def _switch(self, setting: Setting) -> Switch:
        switch = Switch(tr(setting.name))
        switch.clicked.connect(lambda on: self._set(setting.field, on))
        self._show[setting.field] = switch.set_on
        return switch

    def _segments(self, setting: Setting) -> Segmented:
        values = [choice.value for choice in setting.choices]
        segments = Segmented(tuple(tr(choice.name, choice.comment) for choice in setting.choices))
        segments.setAccessibleName(tr(setting.name))
        segments.picked.connect(lambda number: self._set(setting.field, values[number]))
        self._show[setting.field] = lambda value: segments.choose(values.index(value))
        return segments

    def _slider(self, setting: Setting) -> StopSlider:
        numbers, now = setting.numbers, getattr(self._preferences.now, setting.field)
        words = [tr("{percent}%", percent=number) for number in numbers]
        control = StopSlider(tr(setting.name), words, numbers.index(now))
        control.slider.valueChanged.connect(lambda stop: self._set(setting.field, numbers[stop]))
        self._show[setting.field] = lambda value: control.slider.setValue(
            min(range(len(numbers)), key=lambda stop: abs(numbers[stop] - value))
        )
        return control

    def _text(self, setting: Setting) -> TextField:
        field = TextField(placeholder=tr("None"))
        field.setObjectName("notes")
        field.setAccessibleName(tr(setting.name))
        field.setFont(ui_font(13))
        field.setTabChangesFocus(True)
        field.setFixedHeight(_TEXT_PX)
        field.left.connect(self.flush)
        self._show[setting.field] = lambda text: None if field.hasFocus() else field.setPlainText(text)
        return field

    def _presets(self, setting: Setting) -> ChoicePill:
        pill, presets = ChoicePill("", tr(setting.name)), self._context.store.presets

        def show(preset: str) -> None:
            pill.set_choices(tuple((one.id, one.name, one.about) for one in presets.now), preset)

        pill.picked.connect(lambda preset: self._set(setting.field, preset))
        self._show[setting.field] = show
        follow(self, presets, lambda _: show(getattr(self._preferences.now, setting.field)))
        return pill

    def _minutes(self, setting: Setting) -> ChoicePill:
        pill = ChoicePill("", tr(setting.name))

        def show(minutes: int) -> None:
            times = sorted({*setting.numbers, minutes})  # also a time that was written into the file by hand
            pill.set_choices(tuple((str(time), _time(time), "") for time in times), str(minutes))

        assert setting.field == UNLOAD_AFTER, "no other setting is a time"
        pill.picked.connect(lambda minutes: self._context.send(SetUnloadAfter(int(minutes))))
        follow(self, self._context.store.unload_after, show)
        return pill

    def _set(self, field: str, value: object) -> None:
        preferences = replace(self._preferences.now, **{field: value})  # type: ignore[arg-type] # the table has its fields
        if preferences != self._preferences.now:
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
        super().__init__(context, MODELS)
        self.show_button = PushButton(tr("Show models"))
        self.show_button.clicked.connect(self.models_requested)
        self.rows[HELD_MODELS].add_control(self.show_button)
        follow(self, context.store.local_models, self._count_models)

    def _count_models(self, view: LocalModelsView) -> None:
        if view.usable:
            about = plural(
                "{count} model, {size}. Find new ones, and see, set up or delete those that you have.",
                "{count} models, {size}. Find new ones, and see, set up or delete those that you have.",
                view.usable,
                size=size(view.bytes_),
            )
            self.rows[HELD_MODELS].set_about(about)


class AdvancedPane(SettingsPane):
    """Shows Hearth's folder, and resets the settings."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context, ADVANCED)
        self.folder = self.rows[FOLDER]
        self.data_button = PushButton(tr("Show data"), "showData")
        self.logs_button = PushButton(tr("Show logs"), "showLogs")
        self.reset_button = PushButton(tr("Reset…"), "resetPreferences")
        buttons = QWidget()
        in_row(self.logs_button, self.data_button, spacing=8, of=buttons)
        self.folder.add_control(buttons)
        self.rows[RESET].add_control(self.reset_button)
        self.trouble = text_label("", "trouble", 13)
        self.trouble.hide()
        self.column.insertWidget(1, self.trouble)
        self.data_button.clicked.connect(lambda: context.send(Reveal("data")))
        self.logs_button.clicked.connect(lambda: context.send(Reveal("logs")))
        self.reset_button.clicked.connect(self._ask)
        follow(self, context.store.storage, self._show_folder)

    def _ask(self) -> None:
        reset = partial(self._context.send, SetPreferences(Preferences()))
        confirm(
            self.window(), tr("Reset the settings?"), tr("Chats, models, presets and limits stay."), tr("Reset"), reset
        )

    def warn(self, words: str) -> None:
        """Show a sentence below the folder."""
        self.trouble.setText(words)
        self.trouble.show()
        announce(self.trouble, words)

    def _show_folder(self, view: StorageView) -> None:
        self.folder.set_about(view.folder)
