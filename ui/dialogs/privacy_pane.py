"""The settings page that says where data is stored and what is never stored. It changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ui.intents.settings import Reveal
from ui.widgets.settings_group import SettingsGroup, SettingsRow

if TYPE_CHECKING:
    from ui.theme.theme import Theme

_DELETED = (
    "They wait in Recently Deleted for 30 days. On the second day of use after that at the latest, they are erased for "
    "good, with their files and caches."
)
_COPIES = (
    "When a deleted chat is erased, it is erased from the daily copies and from replaced libraries too. If you erase a "
    "chat yourself, older copies hold it for 30 days more, unless you have them replaced at once. A damaged library "
    "that was replaced cannot be cleaned; it is removed after 30 days."
)
_FACTS = (
    ("Everything stays on this computer", "Chats, files and caches lie in one folder that only you may read."),
    ("Private chats", "A private chat is written nowhere. It is gone when its tab is closed."),
    (
        "Chats that are not kept ready",
        "“Keep ready on disk” in the menu of a chat: switched off, only its words are saved.",
    ),
    ("Deleted chats", _DELETED),
    ("Backups of deleted chats", _COPIES),
)


class PrivacyPane(QWidget):
    """Facts, then the folders."""

    requested = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        facts = SettingsGroup(theme)
        for name, about in _FACTS:
            facts.add(SettingsRow(name, about))
        self.data_button = QPushButton("Show data")
        self.data_button.setAutoDefault(False)
        self.logs_button = QPushButton("Show logs")
        self.logs_button.setAutoDefault(False)
        self.data_button.clicked.connect(lambda: self.requested.emit(Reveal("data")))
        self.logs_button.clicked.connect(lambda: self.requested.emit(Reveal("logs")))
        buttons = QWidget()
        line = QHBoxLayout(buttons)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.logs_button)
        line.addWidget(self.data_button)
        self.folder = SettingsRow("Folder", "", buttons)
        place = SettingsGroup(theme)
        place.add(self.folder)
        self.groups = (facts, place)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        column.addWidget(facts)
        column.addWidget(place)
        column.addStretch(1)

    def show_folder(self, folder: str) -> None:
        """Show the path of the data folder."""
        self.folder.set_about(folder)

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        for group in self.groups:
            group.set_theme(theme)
