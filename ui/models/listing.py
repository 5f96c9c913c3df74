"""Listing: one of the two lists of the models page, with the search field above and the folders below it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from resources.language.text import tr
from ui.context import ModelsContext
from ui.intents.models import DropModelFolder
from ui.models.model_list import ModelList
from ui.state.models import ModelRow
from ui.theme.long_texts import breakable
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.elided_text import without_middle
from ui.widgets.face_button import ActionButton, ButtonFace
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, centred, in_column, in_row
from ui.widgets.settings_group import plain_label, text_label
from ui.widgets.theme_icons import IconAction, IconLabel


class FolderRows(QWidget):
    """One line for each folder, with a button that takes it off the list. Its files stay."""

    def __init__(self, context: ModelsContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._folders: tuple[tuple[str, str], ...] = ()
        self.lines: list[FolderLine] = []
        self._column = in_column(margins=(0, 10, 0, 0), of=self)
        self.hide()

    def show_folders(self, folders: tuple[tuple[str, str], ...]) -> None:
        """List these folders, each a path with the reason if none of its models is listed."""
        if folders == self._folders:
            return
        self._folders = folders
        for line in self.lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.lines = [FolderLine(self._context, path, reason) for path, reason in folders]
        for line in self.lines:
            self._column.addWidget(line)
        self.setVisible(bool(folders))


class FolderLine(QWidget):
    """A path, and a button that drops it."""

    def __init__(self, context: ModelsContext, path: str, reason: str) -> None:
        super().__init__()
        self._context = context
        self._text = " · ".join(filter(None, (path, reason)))
        self._icon = IconLabel("folder", "faint", 15)
        self.label = plain_label("detailMuted", 12)
        self.label.setMinimumWidth(1)
        self.label.setToolTip(plain_tip(self._text))
        self.label.setAccessibleName(self._text)
        self.drop = IconButton("x", tr("Stop looking for models in {path}", path=path))
        self.drop.set_icon_pixels(14, 26)
        self.drop.clicked.connect(lambda: self._context.send(DropModelFolder(path)))
        in_row(self._icon, Placed(self.label), self.drop, spacing=10, margins=(17, 0, 8, 0), of=self)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Shorten the path in its middle."""
        super().resizeEvent(event)
        width = self.label.width()
        self.label.setText(without_middle(self._text, self.label.fontMetrics(), width))


_PAUSE_MS = 300


class ModelSearchField(QLineEdit):
    """A field with a magnifier and a button that clears it, as Escape does. `settled` carries the text once typing
    pauses.
    """

    settled = Signal(str)

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("modelSearch")
        self.setFont(ui_font(14))
        self.setFixedHeight(35)
        self.setTextMargins(1, 0, 0, 0)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
        self.ask(placeholder)
        self._magnifier = IconAction("search", "muted", tr("Search"), self)
        self._clear = IconAction("x", "muted", tr("Clear"), self)
        self._clear.setVisible(False)
        self.addAction(self._magnifier, QLineEdit.ActionPosition.LeadingPosition)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.triggered.connect(self.clear)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(lambda: self.settled.emit(self.text().strip()))
        self.textChanged.connect(self._pause.start)
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        self.returnPressed.connect(self._settle)

    def ask(self, placeholder: str) -> None:
        """Show this text while the field is empty."""
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)

    def set_busy(self, busy: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Show that an answer is awaited."""
        self.setAccessibleDescription(tr("Searching…") if busy else "")
        self._magnifier.show_icon(*(("refresh-cw", "accent") if busy else ("search", "muted")))

    def event(self, event: QEvent) -> bool:
        """Clear the text at Escape, before the key can leave the page or stop an answer."""
        if not (isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self.text()):
            return super().event(event)
        if event.type() == QEvent.Type.KeyPress:
            self.clear()
        event.accept()
        return True

    def _settle(self) -> None:
        self._pause.stop()
        self.settled.emit(self.text().strip())


_SIGN_PX = 34


class ModelListing(QWidget):
    """A list, or a sign and a sentence in its place if it is empty. `trouble` is a warning above it. `repeated` is
    emitted by the button below a sentence about something that can be tried again.
    """

    repeated = Signal()

    def __init__(self, context: ModelsContext, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.list = ModelList(name)
        self.trouble = text_label("", "trouble", 13)
        self.trouble.hide()
        self._gap = QWidget()
        self._gap.setFixedHeight(10)
        self._gap.hide()
        self.sign = IconLabel("box", "faint", _SIGN_PX)
        self.sign.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sign.setContentsMargins(24, 72, 24, 0)
        self.empty = text_label("", "nothingFound", 14)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.empty.setContentsMargins(24, 14, 24, 24)
        self.again_button = ActionButton(ButtonFace(tr("Try again"), "refresh-cw"))
        self.again_button.hide()
        self.again_button.clicked.connect(self.repeated)
        self.folders = FolderRows(context)
        in_column(
            *(self.trouble, self._gap, self.sign, self.empty, centred(self.again_button)),
            *(Placed(self.list, 1000), self.folders, Placed()),
            of=self,
        )
        self.list.hide()

    def show_rows(self, rows: tuple[ModelRow, ...], otherwise: str) -> None:
        """List `rows`, or say `otherwise` if the list is empty."""
        self.list.show_rows(rows)
        self.say(otherwise)

    def say(self, otherwise: str) -> None:
        """Say `otherwise` if no row is listed."""
        is_empty = not self.list.rows.rowCount()
        self.empty.setText(otherwise)
        for part in (self.sign, self.empty):
            part.setVisible(is_empty)
        self.list.setVisible(not is_empty)

    def offer_again(self, *, failed: bool) -> None:
        """Offer to try again, or no longer."""
        self.again_button.setVisible(failed)

    def warn(self, text: str) -> None:
        """Show a warning above the list; "" for none."""
        self.trouble.setText(breakable(text))
        self.trouble.setVisible(bool(text))
        self._gap.setVisible(bool(text))
