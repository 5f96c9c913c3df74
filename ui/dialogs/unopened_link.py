"""The dialog about a link that no program on this machine opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QMessageBox

from resources.language.text import tr
from ui.theme.long_texts import breakable

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def tell_unopened(parent: QWidget, address: str) -> QMessageBox:
    """Say that nothing opened, and offer to copy the address. Returns the open box, which deletes itself when it is
    closed.
    """
    box = QMessageBox(QMessageBox.Icon.NoIcon, "", tr("No program on this computer opens this link."), parent=parent)
    box.setObjectName("unopenedLink")
    box.setInformativeText(breakable(address))
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
    copy = box.addButton(tr("Copy link"), QMessageBox.ButtonRole.ActionRole)
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(address))
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Close))
    box.finished.connect(box.deleteLater)
    box.open()
    return box
