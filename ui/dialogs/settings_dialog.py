"""The settings window and its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ui.dialogs.backup_pane import BackupPane
from ui.dialogs.models_pane import ModelsPane
from ui.dialogs.privacy_pane import PrivacyPane
from ui.dialogs.storage_pane import StoragePane
from ui.widgets.pane_button import PaneButton

if TYPE_CHECKING:
    from ui.state.settings import StorageView
    from ui.theme.theme import Theme

_WIDTH_PX, _HEIGHT_PX = 620, 624


class SettingsDialog(QDialog):
    """Shows the values that the app sends, and reports what the user wants. It stores nothing itself."""

    requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settings")
        self.storage, self.models = StoragePane(theme), ModelsPane(theme)
        self.backups, self.privacy = BackupPane(theme), PrivacyPane(theme)
        self.panes = QStackedWidget()
        self.pane_buttons = (
            PaneButton("hard-drive", "Storage", theme),
            PaneButton("box", "Models", theme),
            PaneButton("history", "Backups", theme),
            PaneButton("eye-off", "Privacy", theme),
        )
        self._lay_out()
        self._connect()
        self.pane_buttons[0].click()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # otherwise the first button would show the focus ring
        self.setFixedSize(_WIDTH_PX, _HEIGHT_PX)  # every page fits, so the window never resizes

    def _lay_out(self) -> None:
        bar = QFrame()
        bar.setObjectName("paneBar")
        line = QHBoxLayout(bar)
        line.setContentsMargins(12, 8, 12, 8)
        line.setSpacing(4)
        line.addStretch(1)
        for button in self.pane_buttons:
            line.addWidget(button)
        line.addStretch(1)
        for pane in (self.storage, self.models, self.backups, self.privacy):
            self.panes.addWidget(pane)
        inside = QVBoxLayout()
        inside.setContentsMargins(24, 20, 24, 20)
        inside.addWidget(self.panes)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addLayout(inside, 1)

    def _connect(self) -> None:
        for number, button in enumerate(self.pane_buttons):
            button.clicked.connect(lambda _on, number=number: self._show_pane(number))
        for pane in (self.storage, self.models, self.backups, self.privacy):
            pane.requested.connect(self.requested)

    def _show_pane(self, number: int) -> None:
        self.panes.setCurrentIndex(number)
        self.setWindowTitle(self.pane_buttons[number].text())

    def show_storage(self, view: StorageView) -> None:
        """Show the use of the disk."""
        self.storage.show_storage(view)
        self.backups.show_backups(view.backups)
        self.privacy.show_folder(view.folder)

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        for part in (*self.pane_buttons, self.storage, self.models, self.backups, self.privacy):
            part.set_theme(theme)
