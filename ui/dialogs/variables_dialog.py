"""The form that asks for the variables of a prompt before it is used."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from resources.language.text import tr
from ui.search.variables import filled, variables
from ui.state.library import PromptView
from ui.theme.long_texts import breakable
from ui.widgets.layouts import Piece, Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import named, text_label
from ui.widgets.sheet import Sheet

_WIDTH_PX = 420
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


class VariablesDialog(Sheet):
    """The prompt, and a field for each variable. Return goes to the next field, and in the last one it inserts all."""

    def __init__(self, prompt: PromptView, on_text: Callable[[str], object], parent: QWidget) -> None:
        super().__init__("variablesDialog", prompt.name, parent)
        self.setMinimumWidth(_WIDTH_PX)
        self._prompt, self._on_text = prompt, on_text
        self.fields: dict[str, QLineEdit] = {}
        rows: list[Piece] = [text_label(prompt.text, "sheetText", 13, _SHOWN), 8]
        for name in variables(prompt.text):
            label = QLabel(breakable(name), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            field = named(QLineEdit(), "", 13, name)
            field.returnPressed.connect(partial(self._advance, len(self.fields)))
            label.setBuddy(field)
            self.fields[name] = field
            rows += [named(label, "", 13), field, 6]
        cancel = PushButton(tr("Cancel"), "variablesCancel", self.reject)
        self.insert_button = PushButton(tr("Insert"), "variablesInsert", self.accept)
        self.insert_button.setDefault(True)
        foot = in_row(Placed(), cancel, self.insert_button, spacing=-1)
        in_column(*rows, 8, foot, spacing=6, margins=(22, 20, 22, 18), of=self)
        self.accepted.connect(self._insert)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Keep Return in a field from pressing the default button as well."""
        is_return = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if not (is_return and self.focusWidget() in self.fields.values()):
            super().keyPressEvent(event)

    def _advance(self, at: int) -> None:
        fields = list(self.fields.values())
        if at + 1 < len(fields):
            fields[at + 1].setFocus()
        else:
            self.accept()

    def _insert(self) -> None:
        values = {name: field.text() for name, field in self.fields.items() if field.text()}
        self._on_text(filled(self._prompt.text, values))
