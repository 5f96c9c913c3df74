"""Fields for plain text: TextField of several lines, which no text can stop, and LineField of one line. Their context
menus are Hearth's.
"""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import QMimeData, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QTextOption
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from ui.theme.long_texts import is_slow_to_break
from ui.widgets.menu import context_menu

LONGEST: Final = 200_000
"""Characters of a field. More would make every key slow, and fit few models."""
LONGEST_WORD: Final = 2_000
_PAUSE_MS: Final = 700
_NO_BREAK: Final = re.compile("[\u00a0\u2007\u202f]")
"""Spaces between letters that are one word to Qt, as a web page may have everywhere."""
_AT_WORDS: Final = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
_ANYWHERE: Final = QTextOption.WrapMode.WrapAnywhere
_TYPED: Final = 16
"""The most characters that one key or an input method adds."""


def copied_text(text: str, html: str = "") -> QMimeData:
    """The clipboard's data for a text. Qt's own data of a selection is also HTML, Markdown and OpenDocument. To make
    that takes time with the square of the longest paragraph: half a minute for the longest message.
    """
    # Use an object that Qt made: the clipboard outlives Python, and an object made here would crash at exit.
    data = QTextEdit().createMimeDataFromSelection()
    data.setText(text)
    if html:
        data.setHtml(html)
    return data


def _open_menu(field: QLineEdit | QPlainTextEdit, event: QContextMenuEvent) -> None:
    """Open the field's own menu in Hearth's look, without underlined letters and keys."""
    made, menu = field.createStandardContextMenu(), context_menu("fieldMenu", field)
    menu.destroyed.connect(made.deleteLater)
    for action in made.actions():
        action.setText(action.text().replace("&", "").partition("\t")[0])
        menu.addAction(action)
    menu.open_at(event.globalPos())


class LineField(QLineEdit):
    """A field of one line."""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Open the menu."""
        _open_menu(self, event)


class TextField(QPlainTextEdit):
    """A text that would be too long with what is pasted is not pasted: a sound says so. `rested` is emitted when the
    user pauses, so that what is typed can be saved, and when the focus leaves.

    A text with a very long word is wrapped anywhere, and so is one with many long words of several scripts. To wrap it
    at words, Qt reads the rest of the word for each row: a picture in Base64 would stop the window for ten seconds at
    each key.
    """

    rested = Signal()

    def __init__(self, text: str = "", parent: QWidget | None = None, *, placeholder: str = "") -> None:
        super().__init__(parent)
        self.pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.pause.timeout.connect(self.rested)
        self.textChanged.connect(self.pause.start)
        self.setPlaceholderText(placeholder)
        self.document().contentsChange.connect(self._follow_change)  # comes before what is inserted is laid out
        self.setPlainText(text)

    def setPlainText(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Replace the text."""
        if self.wordWrapMode() is _ANYWHERE:
            super().setPlainText("")  # else the long word that is there would be wrapped at words
        self._choose_wrap(text)  # Qt would lay it out before it says that it has changed
        super().setPlainText(text)
        self.pause.stop()  # the app has set this text, so there is nothing to save

    def _follow_change(self, _place: int, _removed: int, added: int) -> None:
        if added > _TYPED or self.wordWrapMode() is _ANYWHERE:
            self._choose_wrap(self.document().toRawText())  # the plain text has no such spaces

    def _choose_wrap(self, text: str) -> None:
        if text:
            words = _NO_BREAK.sub("_", text).split()
            has_long = any(len(word) > LONGEST_WORD for word in words) or is_slow_to_break(text)
            self.setWordWrapMode(_ANYWHERE if has_long else _AT_WORDS)

    def has_room(self, text: str) -> bool:
        """Whether the field can take this text in addition to its own."""
        return self.document().characterCount() + len(text) <= LONGEST

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Open the menu."""
        _open_menu(self, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Report what is typed: the focus has left."""
        super().focusOutEvent(event)
        self.pause.stop()
        self.rested.emit()

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt's name
        """Copy the selection as plain text."""
        return copied_text(self.textCursor().selection().toPlainText())

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 - Qt's name
        """Paste or drop plain text."""
        if self.has_room(text := source.text()):
            self.insertPlainText(text)
            self.ensureCursorVisible()
        else:
            QApplication.beep()
