"""SettingsDialog: owns the settings window, pane by pane; what is set and measured there is the app's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

if TYPE_CHECKING:
    from ui.state import StorageView
    from ui.theme import Theme


class SettingsDialog(QDialog):
    """Shows what it is told and says what the user wants; it keeps nothing by itself."""

    quota_changed = Signal(object)  # bytes, more than Qt's own int holds; 0 lets Hearth choose
    caching_changed = Signal(bool)
    caches_clear_requested = Signal()
    backup_restore_requested = Signal(str)
    reveal_requested = Signal(str)  # "data", "logs" or "backups"

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settings")
        self.setWindowTitle("Settings")
        self.setMinimumSize(640, 460)
        self.set_theme(theme)

    def show_storage(self, view: StorageView) -> None:
        """Show what Hearth takes on this disk."""
        self.setAccessibleDescription("\n".join(view.facts))

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        self.setPalette(theme.palette())
