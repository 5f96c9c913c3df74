"""The bar that finds words in one chat: the query, the number of hits, and buttons to step through them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from resources.language.text import tr
from ui.theme.theme import ui_font
from ui.widgets.icon_button import IconButton
from ui.widgets.theme_icons import IconAction

if TYPE_CHECKING:
    from PySide6.QtCore import QObject


_HEIGHT_PX = 46
_FIELD_PX = 300
_COUNT_PX = 104
_LONGEST = 1_000
"""Characters that are looked for. A page that was pasted would take seconds."""
_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindBar(QFrame):
    """A strip above the transcript, so that it hides no text.

    `edited` carries the words that the user typed, `stepped` how many hits to move on, and `left` is emitted when the
    user closes the bar.
    """

    edited = Signal(str)
    stepped = Signal(int)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setFixedHeight(_HEIGHT_PX)
        self.field = _field()
        self.count = QLabel()
        self.count.setObjectName("findCount")
        self.count.setFont(ui_font(12))
        self.count.setMinimumWidth(_COUNT_PX)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.count.setIndent(10)
        icon = IconAction("search", "faint", tr("Find"), self)
        self.field.addAction(icon, QLineEdit.ActionPosition.LeadingPosition)
        self.previous_button = _button("chevron-up", tr("Previous hit"), "findPrevious")
        self.next_button = _button("chevron-down", tr("Next hit"), "findNext")
        self.close_button = _button("x", tr("Close the find bar"), "findClose")
        self._lay_out()
        self.field.textEdited.connect(self.edited)
        self.field.installEventFilter(self)
        self.previous_button.clicked.connect(lambda: self.stepped.emit(-1))
        self.next_button.clicked.connect(lambda: self.stepped.emit(1))
        self.close_button.clicked.connect(self.left)
        self.hide()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 12, 0)
        row.setSpacing(2)
        row.addStretch(1)
        row.addWidget(self.field, 1000)  # up to its maximum width
        row.addWidget(self.count)
        for button in (self.previous_button, self.next_button, self.close_button):
            row.addWidget(button)

    def begin(self, words: str) -> None:
        """Show the bar with these words selected, ready to be replaced."""
        self.field.setText(words)
        self.show()
        self.raise_()
        self.field.setFocus()
        self.field.selectAll()

    def show_count(self, position: int, total: int, *, is_counting: bool = False) -> None:
        """Show which hit of how many is the current one. That there is none is said only once all are counted."""
        if not self.field.text().strip():
            words = ""
        elif not total:
            words = tr("Searching…") if is_counting else tr("No hits")
        else:
            words = tr("{position} of {total}", position=position, total=total)
        self.count.setText(words)
        self.count.setAccessibleName(words)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(total > 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Step on Return and back on Shift+Return; close on Escape."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if event.key() == Qt.Key.Key_Escape:
                event.accept()  # else the menu's shortcut would stop the answer
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._press(event)
        return super().eventFilter(watched, event)

    def _press(self, event: QKeyEvent) -> bool:
        if event.key() in _RETURN:
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape or event.matches(QKeySequence.StandardKey.Cancel):
            self.left.emit()
        else:
            return False
        return True


def _field() -> QLineEdit:
    field = QLineEdit(placeholderText=tr("Find in this chat"), maxLength=_LONGEST)
    field.setObjectName("findField")
    field.setAccessibleName(tr("Find in this chat"))
    field.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
    field.setFont(ui_font(13))
    field.setFixedHeight(30)
    field.setMaximumWidth(_FIELD_PX)
    return field


def _button(icon: str, label: str, name: str) -> IconButton:
    button = IconButton(icon, label)
    button.setObjectName(name)
    button.set_icon_pixels(16, 26)
    return button
