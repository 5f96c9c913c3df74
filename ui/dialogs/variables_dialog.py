"""The form that asks for the variables of a prompt before it is used."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from resources.language.text import tr
from ui.search.variables import filled, variables
from ui.state.library import PromptView
from ui.theme.long_texts import breakable
from ui.widgets.layouts import Piece, Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.scroll_area import ScrollArea
from ui.widgets.settings_group import named, text_label
from ui.widgets.sheet import Sheet
from ui.widgets.text_field import TextField

_WIDTH_PX = 420
_VALUE_PX = 46
_SIDE_PX = 22
MOST_FIELDS: Final = 50
_SHOWN: Final = 400
"""Characters of the prompt that stand above the fields."""


def use_prompt(parent: QWidget, prompt: PromptView, on_text: Callable[[str], object]) -> None:
    """Call `on_text` with the prompt's text; if it has variables, after the user gave their values. A text with more
    than MOST_FIELDS is used as it is: an imported one may have thousands, and the window would stand still for them.
    """
    if 0 < len(variables(prompt.text)) <= MOST_FIELDS:
        VariablesDialog(prompt, on_text, parent).open()
    else:
        on_text(prompt.text)


class _Value(TextField):
    """A value of several lines. Return is `done` with it; with Shift it begins a new line."""

    done = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Go on after Return."""
        is_return = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_return and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.done.emit()
        else:
            super().keyPressEvent(event)


class VariablesDialog(Sheet):
    """The prompt, and a field for each variable. Return goes to the next field, and in the last one it inserts all. The
    dialog is not higher than the window; more fields scroll.
    """

    def __init__(self, prompt: PromptView, on_text: Callable[[str], object], parent: QWidget) -> None:
        super().__init__("variablesDialog", prompt.name, parent)
        self.setMinimumWidth(_WIDTH_PX)
        self._prompt, self._on_text = prompt, on_text
        self.fields: dict[str, _Value] = {}
        rows: list[Piece] = [text_label(prompt.text, "sheetText", 13, _SHOWN), 8]
        for name in variables(prompt.text):
            label = QLabel(breakable(name), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            field = named(_Value(), "notes", 13, name)
            field.setTabChangesFocus(True)
            field.setFixedHeight(_VALUE_PX)
            field.done.connect(partial(self._advance, len(self.fields)))
            label.setBuddy(field)
            self.fields[name] = field
            rows += [named(label, "", 13), field, 6]
        cancel = PushButton(tr("Cancel"), "variablesCancel", self.reject)
        self.insert_button = PushButton(tr("Insert"), "variablesInsert", self.accept)
        self.insert_button.setDefault(True)
        foot = in_row(Placed(), cancel, self.insert_button, spacing=8, margins=(_SIDE_PX, 6, _SIDE_PX, 18))
        inside = named(QWidget(), "paneInside")
        column = in_column(*rows, spacing=6, margins=(_SIDE_PX, 20, _SIDE_PX, 8), of=inside)
        self.area = ScrollArea("paneScroll")
        self.area.setWidget(inside)
        in_column(Placed(self.area), foot, of=self)
        height = column.totalHeightForWidth(_WIDTH_PX) + foot.totalSizeHint().height()
        self.resize(_WIDTH_PX, min(height, parent.window().height()))
        self.accepted.connect(self._insert)

    def _advance(self, at: int) -> None:
        fields = list(self.fields.values())
        if at + 1 < len(fields):
            fields[at + 1].setFocus()
            self.area.ensureWidgetVisible(fields[at + 1])
        else:
            self.accept()

    def _insert(self) -> None:
        values = {name: text for name, field in self.fields.items() if (text := field.toPlainText())}
        self._on_text(filled(self._prompt.text, values))
