"""The page of the transcript: a column of fixed width in the middle of the view, painted and scrolled.

Invariants:
- All changes of the document happen inside `writing()`.
- If the view is at the end when the document grows, it stays at the end. Otherwise the text in view does not move.
- The page never loads anything from disk or network.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPoint, QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QGuiApplication, QPainter, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from ui.theme.theme import BODY_PX, mono_font, ui_font
from ui.transcript.backdrop import Backdrop, PointedAt
from ui.transcript.block_formats import GUTTER_PX, TOP_PX
from ui.transcript.busy_sign import BusySign
from ui.transcript.char_formats import ICON_PX, INVISIBLE
from ui.transcript.document_writer import DocumentWriter
from ui.transcript.empty_document import add_icons, set_margins
from ui.transcript.find_marks import FindMarks
from ui.transcript.formats import Formats
from ui.transcript.formula_object import FORMULA_OBJECT
from ui.transcript.image_object import IMAGE_OBJECT, ImageObject
from ui.transcript.newest_button import NewestButton
from ui.transcript.pointer import Pointer
from ui.transcript.selected_html import selected_html
from ui.transcript.selected_text import selected_text
from ui.transcript.sideways_page import SidewaysPage
from ui.widgets.copied_text import copied_text
from ui.widgets.focus_ring import FocusRing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent, QResizeEvent, QShowEvent

    from ui.theme.theme import Theme

FOLLOW_PX = 40
"""The view follows the end if it is within this distance of it."""

_CLICKING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_ABOVE_PX = 16
_BELOW_PX = 56
"""Space that a hit needs at the edges of the view. At the lower one is the button for the newest message."""
_NARROWEST_MARGIN_PX = 20
_REFLOW_MS = 80
_BAR_STRENGTH = 0.45
_RESHAPED_PX = 48
"""How far above a change the shapes behind the text may change with it."""
_ICONS = (
    *("copy", "check", "refresh-cw", "git-branch", "chevron-left", "chevron-right", "chevron-down", "corner-left-up"),
    *("wrench", "pencil", "trash-2", "triangle-alert", "file-text", "square", "square-check"),
)


class Caret(NamedTuple):
    """The place where the answer grows, as a position of the document. `waiting` is set until text arrives."""

    position: int
    waiting: bool


class TranscriptPage(SidewaysPage):
    """A read-only text view with a document writer. Use `writer` only inside `writing()`.

    `pasted` is emitted if the user pastes here, and `end_wanted` if the newest message is wanted and the page does not
    reach it (see `reaches_end`). Subclasses may override `begin_restyling` and `caret`.
    """

    pasted = Signal()
    end_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # Qt need not paint all widgets behind it
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(theme.reading.column + 2 * GUTTER_PX)
        self._theme = theme
        self._column = theme.reading.column
        self._set_up_document()
        self.reaches_end = True
        self._is_following = True
        self._is_writing = False
        self._is_keeping_place = False
        self._is_stale = False
        self._edge: int | None = None
        self._scroll_remainder = 0.0  # fraction of a pixel: the scroll bar rounds, and the errors would add up
        self.wide.column = theme.reading.column
        self._changed_from: int | None = None
        self.document().contentsChange.connect(self._note_change)
        self.document().documentLayout().registerHandler(FORMULA_OBJECT, self.formula_object)
        self._image_object = ImageObject(self)
        self.document().documentLayout().registerHandler(IMAGE_OBJECT, self._image_object)
        formats = Formats(theme, theme.reading.column)
        self.writer = DocumentWriter(self.document(), formats)
        self._backdrop = Backdrop(self.document(), formats)
        self.find_marks = FindMarks(self.document())
        self.pointer = Pointer(self)
        self.pointer.moved.connect(self.viewport().update)
        self.newest_button = NewestButton(theme, self)
        self._ring = FocusRing(self)
        self.newest_button.clicked.connect(self.scroll_to_newest)
        self.busy_sign = BusySign(theme, self)
        self._reflow_timer = self.timer(self._reflow)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._follow)
        self._apply_theme()

    @property
    def is_following(self) -> bool:
        """Whether the view stays at the end when the document grows."""
        return self._is_following

    def set_theme(self, theme: Theme) -> None:
        """Apply `theme`: write the document again in its colours."""
        self._theme = theme
        self._apply_theme()
        self._fit_column()
        self._restyle()

    def scroll_to_newest(self) -> None:
        """Scroll to the end, and follow it from now on."""
        if not self.reaches_end:
            self.end_wanted.emit()
        self._is_following = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self.newest_button.hide()

    def stop_following(self) -> None:
        """Stay where the view is."""
        self._is_following = False
        self.newest_button.show()

    def bring_into_view(self, rect: QRectF) -> None:
        """Scroll so that a rectangle of the document is in view, at a third of the height if it was not."""
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if not bar.value() + _ABOVE_PX <= rect.top() <= rect.bottom() <= bar.value() + height - _BELOW_PX:
            bar.setValue(round(rect.top() - height / 3))
        self.reveal_sideways(rect)

    def begin_restyling(self) -> int:
        """The theme or the column has changed. Returns the index of the first message to write again at once."""
        return 0

    def caret(self) -> Caret | None:
        """The caret to paint, or None to paint no caret."""
        return None

    def timer(self, slot: Callable[[], None]) -> QTimer:
        """A single-shot timer that is a child of the page."""
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(slot)
        return timer

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Wrap every change of the document. The selection stays the same, and the view follows the end if it did
        before.
        """
        cursor = self.textCursor()
        anchor, position = cursor.anchor(), cursor.position()
        self._is_writing = True
        yield
        self.document().documentLayout().documentSize()  # forces Qt to finish the layout
        self._keep_selection(anchor, position)
        self._is_writing = False
        self._follow()
        self._repaint_below(self._changed_from)
        self._changed_from = None

    @contextmanager
    def keeping_top(self, before: int | None = None) -> Iterator[None]:
        """Wrap a change that must not move the text at the top of the view, even if the view was at the end. If only
        the text before position `before` survives the change, keep the last of that text in place.
        """
        top = self.cursorForPosition(QPoint(0, 0))
        top.setKeepPositionOnInsert(True)
        if before is not None:
            top.setPosition(min(top.position(), before - 1))
        height = self.cursorRect(top).top()
        self._is_following = False
        self._is_keeping_place = True
        yield
        self._is_keeping_place = False
        self._scroll_by(self.cursorRect(top).top() - height)
        self._scrolled(self.verticalScrollBar().value())

    @contextmanager
    def keeping_below(self, index: int) -> Iterator[None]:
        """Wrap a change above the message at `index`. That message and everything below it stay in place, unless the
        view follows the end.
        """
        height = self.top_of(index)
        yield
        if not self._is_following:
            moved = self.top_of(index) - height + self._scroll_remainder
            self._scroll_by(round(moved))
            self._scroll_remainder = moved - round(moved)

    def top_of(self, index: int) -> float:
        """The distance of a message's text from the top of the page, in pixels."""
        block = self.document().findBlock(self.writer.start(index))
        return self.document().documentLayout().blockBoundingRect(block).top()

    def _note_change(self, position: int, _removed: int, _added: int) -> None:
        self._changed_from = position if self._changed_from is None else min(position, self._changed_from)

    def _repaint_below(self, position: int | None) -> None:
        """Repaint what a change at a position may have moved or reshaped: a bit above it, and all below."""
        if position is None:
            return
        block = self.document().findBlock(position)
        top = self.document().documentLayout().blockBoundingRect(block).top() - self.verticalScrollBar().value()
        area = self.viewport().rect()
        area.setTop(max(0, round(top) - _RESHAPED_PX))
        self.viewport().update(area)

    def _keep_selection(self, anchor: int, position: int) -> None:
        """Exclude text that was appended right after the selection."""
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
        if not self._is_writing and not self._is_keeping_place:
            self._is_following = self.reaches_end and self.verticalScrollBar().maximum() - value <= FOLLOW_PX
            self.newest_button.setVisible(not self._is_following)

    def _scroll_by(self, pixels: int) -> None:
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + pixels)

    def _keep_place(self) -> None:
        """The upper edge of the page may have moved, for a notice. The text stays where it was in the window."""
        before, self._edge = self._edge, self.mapTo(self.window(), QPoint()).y()
        if before is not None and not self._is_following:
            self._scroll_by(self._edge - before)

    def _follow(self) -> None:
        if self._is_following and not self._is_writing:
            self.scroll_to_newest()

    def _set_up_document(self) -> None:
        set_margins(self.document(), TOP_PX)
        option = self.document().defaultTextOption()
        option.setTabStopDistance(4 * QFontMetricsF(mono_font()).horizontalAdvance(" "))
        self.document().setDefaultTextOption(option)

    def _apply_theme(self) -> None:
        self.document().setDefaultFont(ui_font(self._theme.reading.px(BODY_PX)))
        self.setPalette(self._theme.palette())
        self.newest_button.set_theme(self._theme)
        self.busy_sign.set_theme(self._theme)
        colours = (self._theme.muted, self._theme.button_off, self._theme.danger, INVISIBLE)
        add_icons(self.document(), _ICONS, colours, self._theme.reading.px(ICON_PX), self.devicePixelRatioF())

    def _restyle(self) -> None:
        """Write the document again after the theme or the column changed. A hidden page waits until it is shown."""
        self._is_stale = not self.isVisible()
        if self._is_stale:
            return
        at_top = self.cursorForPosition(QPoint(0, 0))
        position, height = at_top.position(), self.cursorRect(at_top).top()
        formats = Formats(self._theme, self._column)
        with self.writing():
            self.setLineWrapColumnOrWidth(self._column + 2 * GUTTER_PX)
            self.writer.restyle(formats, self.begin_restyling())
            self._backdrop = Backdrop(self.document(), formats)
            self.wide.column = self._column
            self.wide.forget()
        if not self._is_following:  # all messages were written again, so the text has its old positions
            at_top.setPosition(min(position, self.document().characterCount() - 1))
            self._scroll_by(self.cursorRect(at_top).top() - height)

    def _reflow(self) -> None:
        """Wrap again if the column has changed since the last time."""
        if self.lineWrapColumnOrWidth() != self._column + 2 * GUTTER_PX:
            self._restyle()

    def _fit_column(self) -> None:
        """Centre the column. If the view is narrower than the column, wrap again: at once if a pane beside it came or
        went, and when resizing pauses if an edge is dragged.
        """
        bar = self.verticalScrollBar()
        taken = bar.width() if bar.isVisibleTo(self) else 0  # a page that is hidden now has its scroll bar all the same
        full = self._theme.reading.column + 2 * GUTTER_PX
        left = max(_NARROWEST_MARGIN_PX, (self.width() - full) // 2)
        right = max(_NARROWEST_MARGIN_PX - taken, self.width() - full - left - taken, 0)
        margins = self.viewportMargins()
        if (margins.left(), margins.right()) != (left, right):
            self.setViewportMargins(left, 0, right, 0)
        column = max(1, min(full, self.width() - left - right - taken) - 2 * GUTTER_PX)
        if column != self._column:
            self._column = column
            is_dragged = self._reflow_timer.isActive()
            self._reflow_timer.start(_REFLOW_MS)
            if not is_dragged:
                self._restyle()

    def event(self, event: QEvent) -> bool:
        """Scroll when the wheel turns over the margins, and redraw icons when the screen's resolution changes."""
        if isinstance(event, QWheelEvent):
            return QGuiApplication.sendEvent(self.verticalScrollBar(), event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._apply_theme()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Apply a theme or a width that was set while the page was hidden."""
        super().showEvent(event)
        self._fit_column()
        if self._is_stale:
            self._restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the column centred, and the end in view or else the text in its place."""
        super().resizeEvent(event)
        self._keep_place()
        self._fit_column()
        self.newest_button.settle(self.size())
        self.busy_sign.settle(self.size())
        self._follow()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the shapes, then the text, then the caret."""
        offset = self.verticalScrollBar().value()
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.palette().base())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(0, -offset)
        pointed_at = PointedAt(self.pointer.href, self.focused.href, self.focused.span, self.pointer.block)
        view = QRectF(event.rect().translated(0, offset))
        self._backdrop.paint(painter, view, pointed_at)
        painter.end()
        bar = QColor(self._theme.muted)
        bar.setAlphaF(_BAR_STRENGTH)
        self.paint_text(event.rect(), self._paint_marks, bar)
        self._paint_caret()

    def _paint_marks(self, painter: QPainter, view: QRectF) -> None:
        self._backdrop.paint_with_text(painter, view)
        self.find_marks.paint(painter, view, self._theme)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001, N802 - Qt's names
        """Let the tab key visit each anchor before it moves to the next widget."""
        moved = self.focused.move(partial(super().focusNextPrevChild, next), forward=next)
        if self.focused.href:
            self._ring.hide()  # the anchor has a ring of its own
            self.reveal_sideways(self.focused.rect())
        self.viewport().update()
        return moved

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Forget the focused anchor, except when a menu takes the focus for a moment."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.focused.leave()

    def paste(self) -> None:
        """Nothing can be pasted into the page itself."""
        self.pasted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Click the focused anchor on return and space."""
        if self.focused.href and event.key() in _CLICKING_KEYS:
            self.anchorClicked.emit(QUrl(self.focused.href))
        else:
            super().keyPressEvent(event)

    def _paint_caret(self) -> None:
        caret = self.caret()
        if caret is None:
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(caret.position)
        place = self.scrolled(QRectF(self.cursorRect(cursor)))
        if not 0 <= place.left() <= GUTTER_PX + self._column:
            return  # in a card, scrolled away
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._backdrop.paint_caret(painter, place, waiting=caret.waiting)
        painter.end()

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt's name
        """Copy the selection as plain text and as HTML, without buttons and figures."""
        return copied_text(selected_text(self.textCursor()), selected_html(self.textCursor()))

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002, N802 - Qt's name
        """Return an empty resource, so that nothing is read from disk or network.

        The icons are in the document already. For None, Qt would look for a file itself.
        """
        return QByteArray(b"")
