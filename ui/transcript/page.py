"""The page that the transcript is written on: a fixed column in the middle of the view, painted and scrolled.

Owns how the document lies on the screen: column width, theme, what the view follows. What is written, and when, is
`transcript`'s.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPoint, QRectF, Qt, QTimer, QUrl
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter, QTextCursor, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QTextBrowser, QTextEdit, QWidget

from ui.theme.theme import COLUMN_PX, icon_pixmap, mono_font, ui_font
from ui.transcript.anchor_focus import AnchorFocus
from ui.transcript.backdrop import Backdrop, PointedAt
from ui.transcript.block_formats import GUTTER_PX, TOP_PX
from ui.transcript.char_formats import ICON_PX, UNSEEN
from ui.transcript.document_writer import DocumentWriter
from ui.transcript.formats import Formats
from ui.transcript.newest_button import NewestButton
from ui.transcript.pointer import Pointer
from ui.transcript.selected_text import selected_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent, QResizeEvent, QShowEvent

    from ui.theme.theme import Theme

FOLLOW_PX = 40
"""How near to the end the view must be to stay at the end when the document grows."""

_CLICKING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_NARROWEST_MARGIN_PX = 20
_REFLOW_MS = 80
_ICONS = (
    *("copy", "check", "refresh-cw", "git-branch", "chevron-left", "chevron-right", "chevron-down"),
    *("wrench", "pencil", "triangle-alert", "file-text"),
)


class Caret(NamedTuple):
    """Where text is being added: a position of the document. `waiting` until there is any text."""

    position: int
    waiting: bool


class TranscriptPage(QTextBrowser):
    """A read-only page with a sheet to write on. `sheet` is written to inside `writing()` only."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(COLUMN_PX + 2 * GUTTER_PX)
        self._set_up_document()
        self._theme = theme
        self._column = COLUMN_PX
        self._is_following = True
        self._is_writing = False
        self._is_staying = False
        self._is_stale = False
        self._owed = 0.0  # of a pixel: the scroll bar knows whole ones only, and many halves would be seen
        formats = Formats(theme, COLUMN_PX)
        self.writer = DocumentWriter(self.document(), formats)
        self._backdrop = Backdrop(self.document(), formats)
        self.focused = AnchorFocus(self)
        self.pointer = Pointer(self)
        self.pointer.moved.connect(self.viewport().update)
        self.newest_button = NewestButton(theme, self)
        self.newest_button.clicked.connect(self.scroll_to_newest)
        self._reflow_timer = self.timer(self._restyle)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._follow)
        self._apply_theme()

    @property
    def is_following(self) -> bool:
        """Whether the view stays at the end."""
        return self._is_following

    def set_theme(self, theme: Theme) -> None:
        """Show the same in other colours."""
        self._theme = theme
        self._apply_theme()
        self._restyle()

    def scroll_to_newest(self) -> None:
        """Go to the end, and follow it from now on."""
        self._is_following = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self.newest_button.hide()

    def first_to_restyle(self) -> int:
        """The index of the first message to be written again at once when the looks change."""
        return 0

    def growth(self) -> Caret | None:
        """Where to paint the caret; None for nowhere."""
        return None

    def timer(self, slot: Callable[[], None]) -> QTimer:
        """A one-shot timer that dies with the page."""
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(slot)
        return timer

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Around each change of the sheet: the selection stays as it is, and so does what the view follows."""
        cursor = self.textCursor()
        anchor, position = cursor.anchor(), cursor.position()
        self._is_writing = True
        yield
        self.document().documentLayout().documentSize()  # asking for it finishes the layout
        self._keep_selection(anchor, position)
        self._is_writing = False
        self._follow()
        self.viewport().update()

    @contextmanager
    def staying(self, before: int | None = None) -> Iterator[None]:
        """Around a change after which what stands at the top of the view stands there still, also at the end; where
        only what is `before` a position stays, the last of that.
        """
        bar = self.verticalScrollBar()
        top = self.cursorForPosition(QPoint(0, 0))
        top.setKeepPositionOnInsert(True)
        if before is not None:
            top.setPosition(min(top.position(), before - 1))
        height = self.cursorRect(top).top()
        self._is_following = False
        self._is_staying = True
        yield
        self._is_staying = False
        bar.setValue(bar.value() + self.cursorRect(top).top() - height)
        self._scrolled(bar.value())

    @contextmanager
    def below_staying(self, index: int) -> Iterator[None]:
        """Around writing above the message at `index`, which stays where it is on the screen with all below it, unless
        the end is followed.
        """
        height = self._top_of(index)
        yield
        if not self._is_following:
            bar = self.verticalScrollBar()
            moved = self._top_of(index) - height + self._owed
            bar.setValue(bar.value() + round(moved))
            self._owed = moved - round(moved)

    def _top_of(self, index: int) -> float:
        """How far from the page's top the text of a message begins, in pixels."""
        block = self.document().findBlock(self.writer.start(index))
        return self.document().documentLayout().blockBoundingRect(block).top()

    def _keep_selection(self, anchor: int, position: int) -> None:
        """What is appended right behind a selection does not become a part of it."""
        cursor = self.textCursor()
        grown = max(cursor.anchor(), cursor.position()) > max(anchor, position)
        if anchor == position or not grown or cursor.selectionStart() != min(anchor, position):
            return
        value = self.verticalScrollBar().value()
        cursor.setPosition(anchor)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(value)

    def _scrolled(self, value: int) -> None:
        if not self._is_writing and not self._is_staying:
            self._is_following = self.verticalScrollBar().maximum() - value <= FOLLOW_PX
            self.newest_button.setVisible(not self._is_following)

    def _follow(self) -> None:
        if self._is_following and not self._is_writing:
            self.scroll_to_newest()

    def _set_up_document(self) -> None:
        document = self.document()
        document.setDocumentMargin(0)
        document.setDefaultFont(ui_font())
        option = document.defaultTextOption()
        option.setTabStopDistance(4 * QFontMetricsF(mono_font()).horizontalAdvance(" "))
        document.setDefaultTextOption(option)
        root = document.rootFrame().frameFormat()
        root.setLeftMargin(GUTTER_PX)
        root.setRightMargin(GUTTER_PX)
        root.setTopMargin(TOP_PX)
        document.rootFrame().setFrameFormat(root)

    def _apply_theme(self) -> None:
        self.setPalette(self._theme.palette())
        self.newest_button.set_theme(self._theme)
        kind = QTextDocument.ResourceType.ImageResource.value
        for name in _ICONS:
            for colour in (self._theme.muted, self._theme.faint, self._theme.danger, UNSEEN):
                pixmap = icon_pixmap(name, colour, ICON_PX, self.devicePixelRatioF())
                self.document().addResource(kind, QUrl(f"{name} {colour}"), pixmap)

    def _restyle(self) -> None:
        """Write all again after the theme or the column changed; a hidden page waits until it is shown."""
        self._is_stale = not self.isVisible()
        if self._is_stale:
            return
        value = self.verticalScrollBar().value()
        formats = Formats(self._theme, self._column)
        with self.writing():
            self.setLineWrapColumnOrWidth(self._column + 2 * GUTTER_PX)
            self.writer.restyle(formats, self.first_to_restyle())
            self._backdrop = Backdrop(self.document(), formats)
        if not self._is_following:
            self.verticalScrollBar().setValue(value)

    def _fit_column(self) -> None:
        """Centre the column; where the view is narrower than it, wrap again once resizing pauses."""
        bar = self.verticalScrollBar()
        taken = bar.width() if bar.isVisible() else 0
        full = COLUMN_PX + 2 * GUTTER_PX
        left = max(_NARROWEST_MARGIN_PX, (self.width() - full) // 2)
        right = max(_NARROWEST_MARGIN_PX - taken, self.width() - full - left - taken, 0)
        margins = self.viewportMargins()
        if (margins.left(), margins.right()) != (left, right):
            self.setViewportMargins(left, 0, right, 0)
        column = max(1, min(full, self.width() - left - right - taken) - 2 * GUTTER_PX)
        if column != self._column:
            self._column = column
            self._reflow_timer.start(_REFLOW_MS)

    def event(self, event: QEvent) -> bool:
        """The margins beside the column scroll too; icons follow the screen's resolution."""
        if isinstance(event, QWheelEvent):
            return QGuiApplication.sendEvent(self.verticalScrollBar(), event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._apply_theme()
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll only: a text view would change its font's size with the control key."""
        QAbstractScrollArea.wheelEvent(self, event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Take the looks that were set while hidden."""
        super().showEvent(event)
        if self._is_stale:
            self._restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the column in the middle and the end in sight."""
        super().resizeEvent(event)
        self._fit_column()
        self.newest_button.settle(self.size())
        self._follow()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Shapes, text, caret."""
        offset = self.verticalScrollBar().value()
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(0, -offset)
        touched = PointedAt(self.pointer.href, self.focused.href, self.pointer.block)
        self._backdrop.paint(painter, QRectF(event.rect().translated(0, offset)), touched)
        painter.end()
        super().paintEvent(event)
        self._paint_caret()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001, N802 - Qt's names
        """The tab key goes from one thing to click to the next, then on to the next widget."""
        moved = self.focused.move(partial(super().focusNextPrevChild, next), forward=next)
        self.viewport().update()
        return moved

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """The keyboard has gone; a menu only borrows it."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.focused.leave()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Return and space click what the keyboard is on."""
        if self.focused.href and event.key() in _CLICKING_KEYS:
            self.anchorClicked.emit(QUrl(self.focused.href))
        else:
            super().keyPressEvent(event)

    def _paint_caret(self) -> None:
        growth = self.growth()
        if growth is None:
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(growth.position)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._backdrop.caret(painter, QRectF(self.cursorRect(cursor)), waiting=growth.waiting)
        painter.end()

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt's name
        """Plain text without the furniture."""
        # Qt's own object: one made here would outlive Python in the clipboard, and end the process with a fault.
        data = super().createMimeDataFromSelection()
        data.text()  # it fills itself when it is first asked, which must not happen later
        data.clear()
        data.setText(selected_text(self.textCursor()))
        return data

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002, N802 - Qt's name
        """Nothing is ever read from disk or net; the icons are in the document already.

        The answer is empty but not None, after which Qt would look for a file by itself.
        """
        return QByteArray(b"")
