"""The settings page with the keys of every action, which can be changed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from resources.language.text import mark, tr
from ui.context import WindowContext, follow
from ui.dialogs.key_conflict import ShortcutSpec, conflict
from ui.intents.settings import SetPreferences
from ui.theme.theme import ui_font
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, held, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, SettingsRow, hidden_label, named, show_words, text_label

_WIDTH_PX: Final = 168
_ASKING: Final = mark("Press the keys…")
_NONE: Final = mark("None")


class ShortcutsPane(QWidget):
    """A button for each action. A click asks for keys; Escape keeps the old ones, Backspace takes them away. An action
    with other keys than its own has a button that brings those back.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._specs: tuple[ShortcutSpec, ...] = ()
        self.buttons: dict[str, KeyButton] = {}
        self.resets: dict[str, IconButton] = {}
        self.trouble = hidden_label("trouble", 12)
        self.reset_button = PushButton(tr("Reset all"), "resetShortcuts", lambda: self._set(()))
        about = text_label(tr("Click the keys of an action, then press others."), "footnote", 12)
        at_right = Placed(self.reset_button, 0, Qt.AlignmentFlag.AlignRight)
        self._column = in_column(about, self.trouble, at_right, spacing=10, of=self)
        follow(self, context.store.preferences, lambda _: self._show_resets())

    def set_actions(self, specs: tuple[ShortcutSpec, ...]) -> None:
        """List these actions, in their groups, with the keys that they have now."""
        if tuple(spec.name for spec in specs) != tuple(spec.name for spec in self._specs):
            self._list(specs)
        self._specs = specs
        for spec in specs:
            self.buttons[spec.name].show_keys(spec.keys)

    def _list(self, specs: tuple[ShortcutSpec, ...]) -> None:
        for name in dict.fromkeys(spec.group for spec in specs):
            heading = text_label(name, "rowName", ui_font(13, QFont.Weight.DemiBold))
            heading.setContentsMargins(0, 8, 0, 0)
            for part in (heading, SettingsGroup(*(self._row(spec) for spec in specs if spec.group == name))):
                self._column.insertWidget(self._column.count() - 1, part)
        self._show_resets()

    def _row(self, spec: ShortcutSpec) -> SettingsRow:
        button = KeyButton(spec)
        button.pressed_keys.connect(partial(self._pick, spec.name))
        self.buttons[spec.name] = button
        words = tr("Give “{text}” its own keys again", text=spec.text)
        reset = IconButton("rotate-ccw", words, act=lambda: self._set(self._without(spec.name)))
        self.resets[spec.name] = named(reset, f"reset_{spec.name}")
        row = SettingsRow(spec.text, "", held(in_row(reset, button, spacing=6)))
        row.column.setContentsMargins(14, 5, 14, 5)
        return row

    def _without(self, name: str) -> tuple[tuple[str, str], ...]:
        """The keys that the user changed, but for those of this action."""
        return tuple(pair for pair in self._context.store.preferences.now.shortcuts if pair[0] != name)

    def _show_resets(self) -> None:
        """Offer to reset the keys that the user changed."""
        changed = dict(self._context.store.preferences.now.shortcuts)
        self.reset_button.setEnabled(bool(changed))
        for name, reset in self.resets.items():
            reset.setVisible(name in changed)

    def _pick(self, name: str, keys: str) -> None:
        """Keys that another action has are refused in words."""
        why = conflict(name, keys, self._specs)
        show_words(self.trouble, why)
        if not why:
            self._set((*self._without(name), (name, keys)))

    def _set(self, shortcuts: tuple[tuple[str, str], ...]) -> None:
        self._context.send(SetPreferences(replace(self._context.store.preferences.now, shortcuts=shortcuts)))


class KeyButton(PushButton):
    """Shows the keys of an action. `pressed_keys` carries the keys that the user pressed, "" for none."""

    pressed_keys = Signal(str)

    def __init__(self, spec: ShortcutSpec) -> None:
        super().__init__(name=f"keys_{spec.name}")
        self._words = spec.text
        self._keys: tuple[str, ...] = ()
        self._is_asking = False
        self.setFont(ui_font(13))
        self.setMinimumWidth(_WIDTH_PX)
        self.clicked.connect(self._ask)
        self.show_keys(spec.keys)

    def show_keys(self, keys: tuple[str, ...]) -> None:
        """Show the keys that hold."""
        self._keys = keys
        self._end()

    def _ask(self) -> None:
        self._is_asking = True
        self.setText(tr(_ASKING))

    def _end(self) -> None:
        self._is_asking = False
        native = [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in self._keys]
        self.setText(", ".join(filter(None, native)) or tr(_NONE))
        self.setAccessibleName(f"{self._words}: {self.text()}")

    def event(self, event: QEvent) -> bool:
        """While keys are asked for, every key belongs to this button."""
        if not self._is_asking:
            return super().event(event)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._take(event)
            return True
        if event.type() == QEvent.Type.FocusOut:
            self._end()
        return super().event(event)

    def _take(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta}:
            return
        self._end()
        if event.key() == Qt.Key.Key_Escape:
            return
        is_none = event.key() in {Qt.Key.Key_Backspace, Qt.Key.Key_Delete} and not event.modifiers()
        self.pressed_keys.emit("" if is_none else QKeySequence(event.keyCombination()).toString())
