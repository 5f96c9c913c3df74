from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QInputDialog, QStyle, QWidget

from ui.dialogs.text_dialogs import ask_folder, ask_folder_name, ask_tags, ask_title
from ui.theme.theme import DARK, MAC

if TYPE_CHECKING:
    from collections.abc import Callable


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


@pytest.mark.skipif(MAC, reason="there the combo box has the system's own arrow")
def test_an_arrow_in_the_field_opens_the_list_of_folders(parent: QWidget) -> None:
    """It has the colours of the window. Without folders there is no arrow."""
    parent.setPalette(DARK.palette())
    ask_folder(parent, ("Work", "Home"), "Work", lambda _: None)
    (arrow,) = (action for action in dialog(parent).findChildren(QAction) if action.text() == "Show folders")
    image = arrow.icon().pixmap(16, 16).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert DARK.placeholder in colours
    box = dialog(parent).findChild(QComboBox)
    assert box is not None
    arrow.trigger()
    assert box.view().isVisible()
    box.hidePopup()


@pytest.mark.skipif(MAC, reason="macOS keeps its own dialogs")
def test_buttons_of_dialogs_have_no_icons(parent: QWidget) -> None:
    """Not even on a desktop whose style would add a check mark and a cross."""
    parent.setStyleSheet(DARK.qss())
    ask_title(parent, "Boats", lambda _: None)
    box = parent.findChild(QDialogButtonBox)
    assert box is not None
    assert not box.style().styleHint(QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons, None, box)
