"""Sheet: a dialog of Hearth's own."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QWidget

from ui.theme.long_texts import cut


class Sheet(QDialog):
    """It deletes itself once it is closed. `title` may come from outside. The style sheet finds it by its `name`."""

    def __init__(self, name: str, title: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(cut(title))
        self.finished.connect(self.deleteLater)
