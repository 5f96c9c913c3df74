"""The dialog of saved prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from ui.dialogs.prompts_dialog import PromptsDialog
from ui.state.prompts import PromptView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def test_a_long_name_brings_no_scroll_bar(parent: QWidget) -> None:
    """It is elided at the end of the list."""
    dialog = PromptsDialog((PromptView("1", "Translate the text into another language " * 3, "x"),), parent)
    dialog.show()
    QApplication.processEvents()
    assert not dialog.list.horizontalScrollBar().isVisible()
