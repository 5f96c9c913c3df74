"""The field of the sidebar in which the user searches all chats. It runs on the GUI thread."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from resources.language.text import tr
from ui.theme.appearance import appearance
from ui.theme.theme import ui_font
from ui.widgets.theme_icons import IconAction

_PAUSE_MS: Final = 120


class SearchField(QLineEdit):
    """`searched` carries what was typed, after a pause. `left` is emitted when Escape leaves the empty field."""

    searched = Signal(str)
    down_pressed = Signal()
    best_wanted = Signal()  # Return was pressed, and the results of these words are listed
    left = Signal()

    def __init__(self) -> None:
        super().__init__(placeholderText=tr("Search chats"))
        self.setObjectName("search")
        self.setAccessibleName(tr("Search chats"))
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
        self.setTextMargins(4, 0, 0, 0)
        self._is_stale = False  # the words have changed since the results were listed
        self._wants_best = False
        icon = IconAction("search", "faint", tr("Search"), self)
        self._clear_icon = IconAction("x", "muted", tr("Clear search"), self)
        self._clear_icon.setVisible(False)
        self.addAction(icon, QLineEdit.ActionPosition.LeadingPosition)
        self.addAction(self._clear_icon, QLineEdit.ActionPosition.TrailingPosition)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(lambda: self.searched.emit(self.query()))
        self.textChanged.connect(self._note_typed)
        self._clear_icon.triggered.connect(self.clear)
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

    def event(self, event: QEvent) -> bool:
        """Take Escape while there are words to clear, before the key can stop an answer."""
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if is_escape and event.type() == QEvent.Type.ShortcutOverride and self.text():
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Let Down move to the results, and let Escape clear the field or leave it."""
        if event.key() == Qt.Key.Key_Down:
            self.down_pressed.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            if event.key() == Qt.Key.Key_Escape:
                self.left.emit()
            super().keyPressEvent(event)

    def _note_typed(self, text: str) -> None:
        self._is_stale, self._wants_best = True, False
        self._clear_icon.setVisible(bool(text))
        self._pause.start()

    def _ask_for_best(self) -> None:
        self._wants_best = bool(self.query())
        if self._wants_best and not self._is_stale:
            self._want_best()

    def _want_best(self) -> None:
        self._wants_best = False
        self.best_wanted.emit()
