"""The field of the sidebar in which the user searches all chats. It runs on the GUI thread."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent

from resources.language.text import tr
from ui.theme.appearance import appearance
from ui.theme.theme import ui_font
from ui.widgets.clearable_field import ClearableField

_PAUSE_MS: Final = 120


class SearchField(ClearableField):
    """`searched` carries what was typed, after a pause. `left` is emitted when Escape leaves the empty field."""

    searched = Signal(str)
    down_pressed = Signal()
    best_wanted = Signal()  # Return was pressed, and the results of these words are listed
    left = Signal()

    def __init__(self) -> None:
        super().__init__("search", "faint", tr("Clear search"))
        self.ask(tr("Search chats"))
        self.setTextMargins(4, 0, 0, 0)
        self._is_stale = False  # the words have changed since the results were listed
        self._wants_best = False
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(lambda: self.searched.emit(self.query()))
        self.textChanged.connect(self._note_typed)
        self.returnPressed.connect(self._ask_for_best)
        appearance.follow(self._follow_theme)

    def query(self) -> str:
        """The words that are searched, "" for none."""
        return self.text().strip()

    def note_results(self) -> None:
        """The results are listed."""
        self._is_stale = self._pause.isActive()
        if self._wants_best and not self._is_stale:
            self._want_best()

    def _follow_theme(self) -> None:
        px = appearance.theme.reading.pane_px
        self.setFont(ui_font(px(13)))
        self.setFixedHeight(px(30))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Let Down move to the results, and let Escape leave the empty field."""
        if event.key() == Qt.Key.Key_Down:
            self.down_pressed.emit()
        else:
            if event.key() == Qt.Key.Key_Escape:
                self.left.emit()
            super().keyPressEvent(event)

    def _note_typed(self) -> None:
        self._is_stale, self._wants_best = True, False
        self._pause.start()

    def _ask_for_best(self) -> None:
        self._wants_best = bool(self.query())
        if self._wants_best and not self._is_stale:
            self._want_best()

    def _want_best(self) -> None:
        self._wants_best = False
        self.best_wanted.emit()
