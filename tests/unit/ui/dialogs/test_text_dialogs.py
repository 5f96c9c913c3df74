from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QInputDialog, QLabel, QPushButton, QStyle, QWidget

from ui.dialogs.text_dialogs import ask_folder, ask_folder_name, ask_tags, ask_title
from ui.dialogs.variables_dialog import VariablesDialog
from ui.state.library import PromptView
from ui.theme.theme import DARK, LIGHT, MAC


def dialog(parent: QWidget) -> QInputDialog:
    found = parent.findChild(QInputDialog)
    assert found is not None
    return found


@pytest.mark.parametrize("ask", [ask_title, ask_folder_name])
def test_a_name_is_one_line_and_not_blank(parent: QWidget, ask: Callable[..., None]) -> None:
    """A blank input is not reported."""
    taken: list[str] = []
    ask(parent, "Old", taken.append)
    assert dialog(parent).textValue() == "Old"
    dialog(parent).textValueSelected.emit("   ")
    assert taken == []
    dialog(parent).textValueSelected.emit(" New\n name ")
    assert taken == ["New name"]


def test_a_folder_is_chosen_or_created(parent: QWidget) -> None:
    """Existing folders are in the list. "" means no folder."""
    taken: list[str] = []
    ask_folder(parent, ("Work", "Home"), "attic", taken.append)
    asked = dialog(parent)
    assert asked.comboBoxItems() == ["attic", "Home", "Work"]
    assert (asked.textValue(), asked.isComboBoxEditable()) == ("attic", True)
    asked.textValueSelected.emit("Garden")
    asked.textValueSelected.emit(" ")
    assert taken == ["Garden", ""]


def test_tags_are_separated_by_commas(parent: QWidget) -> None:
    """An empty input removes all tags."""
    taken: list[str] = []
    ask_tags(parent, ("one", "two"), taken.append)
    assert dialog(parent).textValue() == "one, two"
    dialog(parent).textValueSelected.emit("")
    assert taken == [""]


def test_a_very_long_name_is_kept_unless_it_is_changed(parent: QWidget) -> None:
    """Only its beginning is offered, and a folder that is chosen by its beginning is meant as a whole."""
    taken: list[str] = []
    long, other = "a" * 5_000, "b" * 5_000
    ask_folder(parent, (other,), long, taken.append)
    asked = dialog(parent)
    assert len(asked.textValue()) < 1_100
    asked.textValueSelected.emit(asked.textValue())
    assert taken == []
    asked.textValueSelected.emit(asked.comboBoxItems()[1])
    assert taken == [other]


def test_without_folders_there_is_no_list(parent: QWidget) -> None:
    """An arrow that opens nothing would look broken."""
    taken: list[str] = []
    ask_folder(parent, (), "", taken.append)
    assert dialog(parent).findChild(QComboBox) is None
    dialog(parent).textValueSelected.emit("Garden")
    assert taken == ["Garden"]


@pytest.mark.skipif(MAC, reason="there the combo box has the system's own arrow")
def test_the_field_of_folders_has_one_arrow(parent: QWidget) -> None:
    """That of the field, clear of its edge, and none of Qt beside it."""
    parent.setStyleSheet(LIGHT.qss())
    ask_folder(parent, ("Work", "Home"), "", lambda _: None)
    box = dialog(parent).findChild(QComboBox)
    assert box is not None
    image = box.grab().toImage()
    middle = range(8, image.height() - 8)
    dark = [x for x in range(100, image.width() - 2) for y in middle if image.pixelColor(x, y).lightness() < 180]
    assert max(dark) < image.width() - 7
    assert max(dark) - min(dark) < 14


@pytest.mark.skipif(MAC, reason="macOS keeps its own dialogs")
def test_buttons_of_dialogs_have_no_icons(parent: QWidget) -> None:
    """Not even on a desktop whose style would add a check mark and a cross."""
    parent.setStyleSheet(DARK.qss())
    ask_title(parent, "Boats", lambda _: None)
    box = parent.findChild(QDialogButtonBox)
    assert box is not None
    assert not box.style().styleHint(QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons, None, box)


@pytest.mark.skipif(MAC, reason="macOS has an order of its own")
def test_what_return_does_is_at_the_right(parent: QWidget) -> None:
    """As in every dialog: the button that it presses is the last one, and is drawn as such."""
    parent.setStyleSheet(LIGHT.qss())
    ask_tags(parent, (), lambda _: None)
    buttons = dialog(parent).findChild(QDialogButtonBox)
    assert isinstance(buttons, QDialogButtonBox)
    save, cancel = (
        buttons.button(kind) for kind in (QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel)
    )
    assert save.isDefault()
    assert save.x() > cancel.x()


def test_a_form_of_variables_shows_what_return_does(parent: QWidget) -> None:
    """The button at the right is the default one. Return in a field before the last one does not press it. The prompt
    stands above, short.
    """
    taken: list[str] = []
    form = VariablesDialog(PromptView("t", "Translate", "{{text}} in {{language}}"), taken.append, parent)
    form.open()
    assert [label.text() for label in form.findChildren(QLabel)] == ["{{text}} in {{language}}", "text", "language"]
    cancel = form.findChild(QPushButton, "variablesCancel")
    assert isinstance(cancel, QPushButton)
    assert form.insert_button.isDefault()
    assert form.insert_button.x() > cancel.x()
    form.fields["text"].setFocus()
    QTest.keyClicks(form.fields["text"], "Hello")
    QTest.keyClick(form.fields["text"], Qt.Key.Key_Return)
    assert taken == []
    QTest.keyClick(form.fields["language"], Qt.Key.Key_Return)
    assert len(taken) == 1
