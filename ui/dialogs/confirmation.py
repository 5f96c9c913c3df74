"""The dialog that asks for confirmation before an action that cannot be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

if TYPE_CHECKING:
    from collections.abc import Callable


def confirm(
    parent: QWidget, question: str, about: str, words: str, yes: Callable[[], object], no: str = "Cancel"
) -> QMessageBox:
    """Ask `question`, and call `yes` if the user clicks the button `words`. Return and Escape choose `no`. Returns the
    open box, which deletes itself when it is closed.

    Both texts are plain: the names in them come from users and from the hub.
    """
    box = QMessageBox(QMessageBox.Icon.Warning, parent.windowTitle(), question, parent=parent)
    box.setObjectName("question")
    box.setInformativeText(about)
    for label in box.findChildren(QLabel):  # the box has no format of its own for the informative text
        label.setTextFormat(Qt.TextFormat.PlainText)
    declining = box.addButton(QMessageBox.StandardButton.Cancel)
    declining.setText(no)
    box.addButton(words, QMessageBox.ButtonRole.DestructiveRole).clicked.connect(lambda _on: yes())
    box.setDefaultButton(declining)
    box.finished.connect(box.deleteLater)
    box.open()
    return box
