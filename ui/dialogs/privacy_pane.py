"""The settings page that says what is stored and what is never stored. It changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from resources.language.text import mark, tr
from ui.widgets.settings_group import SettingsGroup, SettingsRow

if TYPE_CHECKING:
    from ui.context import WindowContext

_DELETED = mark(
    "They wait in Recently Deleted for 30 days. On the second day of use after that at the latest, they are erased for "
    "good, with their files and caches."
)
_COPIES = mark(
    "When a deleted chat is erased, it is erased from the daily copies and from replaced libraries too. If you erase a "
    "chat yourself, older copies hold it for 30 days more, unless you have them replaced at once. A damaged library "
    "that was replaced cannot be cleaned; it is removed after 30 days."
)
_MACS = mark(
    "If you let a model run on several Macs, the others compute with your chats and keep a part of their caches. What "
    "they compute together is not encrypted on its way between them."
)
_FACTS = (
    (
        mark("Everything stays on this computer"),
        mark("Chats, files and caches lie in one folder that only you may read."),
    ),
    (mark("Except what you give to paired Macs"), _MACS),
    (mark("Private chats"), mark("A private chat is never saved. It is gone when its tab is closed.")),
    (
        mark("Chats that are not kept ready"),
        mark("“Keep ready on disk” in the menu of a chat: switched off, only its words are saved."),
    ),
    (mark("Deleted chats"), _DELETED),
    (mark("Backups of deleted chats"), _COPIES),
)


class PrivacyPane(QWidget):
    """Facts."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        facts = SettingsGroup()
        for name, about in _FACTS:
            facts.add(SettingsRow(tr(name), tr(about)))
        self.groups = (facts,)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        column.addWidget(facts)
        column.addStretch(1)
