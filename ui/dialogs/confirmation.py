"""Message boxes: a question before an action that cannot be undone, and a word about a link that no program opens."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QMessageBox, QWidget

from resources.language.text import tr
from ui.theme.long_texts import breakable, shortened
from ui.theme.theme import MAC

_MARGINS_PX = (0, 18, 20, 18)
_BUTTONS_LEFT_PX = 20
_LONGEST_BUTTON = 80


def confirm(
    parent: QWidget, question: str, about: str, words: str, yes: Callable[[], object], no: str | None = None
) -> QMessageBox:
    """Ask `question`, and call `yes` if the user clicks the button `words`. Return and Escape choose `no`, which is
    "Cancel" if there is no better word. Returns the open box, which deletes itself when it is closed.

    Both texts are plain: the names in them come from users and from the hub.
    """
    icon = QMessageBox.Icon.Warning if MAC else QMessageBox.Icon.NoIcon  # platform: a sheet has the app's icon there
    box = _box(icon, question, about, parent)
    box.setObjectName("question")
    box.setWindowTitle(parent.windowTitle())
    declining = box.addButton(QMessageBox.StandardButton.Cancel)
    declining.setText(no or tr("Cancel"))
    agreeing = box.addButton(shortened(words, _LONGEST_BUTTON), QMessageBox.ButtonRole.DestructiveRole)
    agreeing.setProperty("kind", "destructive")
    agreeing.style().polish(agreeing)  # the button had its look before it had its kind
    agreeing.clicked.connect(lambda _on: yes())
    box.setDefaultButton(declining)
    if not MAC:  # before the box takes its size
        for buttons in box.findChildren(QDialogButtonBox):
            buttons.setContentsMargins(_BUTTONS_LEFT_PX, 0, 0, 0)
    box.open()
    if (layout := box.layout()) is not None and not MAC:  # Qt leaves room for an icon at the left
        layout.setContentsMargins(*_MARGINS_PX)
    return box


def tell_unopened(parent: QWidget, address: str) -> QMessageBox:
    """Say that nothing opened, and offer to copy the address. Returns the open box, which deletes itself when it is
    closed.
    """
    box = _box(QMessageBox.Icon.NoIcon, tr("No program on this computer opens this link."), address, parent)
    box.setObjectName("unopenedLink")
    for label in box.findChildren(QLabel):
        label.setWordWrap(True)
    copy = box.addButton(tr("Copy link"), QMessageBox.ButtonRole.ActionRole)
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(address))
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Close))
    box.open()
    return box


def _box(icon: QMessageBox.Icon, words: str, about: str, parent: QWidget) -> QMessageBox:
    box = QMessageBox(icon, "", breakable(words), parent=parent)
    box.setInformativeText(breakable(about))
    for label in box.findChildren(QLabel):  # the box has no format of its own for the informative text
        label.setTextFormat(Qt.TextFormat.PlainText)
    box.finished.connect(box.deleteLater)
    return box
