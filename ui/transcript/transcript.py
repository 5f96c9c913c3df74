"""The transcript of one conversation: shows its messages, streams into open ones, and reports clicks.

Everything in this folder runs on the GUI thread. The way of a message to the screen:
- `messages.ShownMessages` holds the messages. A `ShownMessage` parses the deltas of a reply.
- `message_lines.MessageLines` turns a message into lines, and `question_lines` a question into spans.
- `older_messages.OlderMessages` writes a long history in the chunks of `pending_messages.PendingMessages`, and takes
  messages off a page that gets too long.
- `updates.Updates` writes what changed. `formulas.Formulas` replaces formulas by their pictures, which
  `formulas.Typesetter` makes on another thread.
- `document_writer.DocumentWriter` writes the lines that changed into the document, with the formats of `formats`
  and `block_formats`.

The parts of the view:
- `look.Look` has the theme and the width of the column, and writes again what they change.
- `scrolling.Scrolling` follows the end of the document, keeps the place in the text, or jumps to a message.
- `sideways.Sideways` scrolls code, tables and formulas that are wider than the column, and paints the text.
- `backdrop.Backdrop` paints the shapes behind the text, and `find_marks.FindMarks` the hits of a search.
- `pointer` finds the anchor under the mouse, and the one with the keyboard focus. `clicks.Clicks` parses its address
  with `anchors`, and emits an intent.
- `selected_text` serves the clipboard, also if the page holds only a part of the chat.

Invariants:
- All changes of the document happen inside `writing()`.
- A hidden transcript adds nothing to the document. It catches up when it is shown.
- A visible transcript shows exactly the messages whose index is in `loaded`.
- Deltas and older messages do not move the text in view, unless the view follows the end.
- Nothing is loaded from disk or network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPoint, QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QTextBrowser, QTextEdit

from resources.language.text import tr
from ui.markdown.lines import Line, LineKind
from ui.state.chat import Channel, MessageState, MessageView
from ui.theme.theme import Theme, mono_font
from ui.transcript.backdrop import PointedAt
from ui.transcript.block_formats import GUTTER_PX, TOP_PX, set_margins
from ui.transcript.clicks import Clicks
from ui.transcript.document_writer import DocumentWriter
from ui.transcript.find_marks import FindMarks
from ui.transcript.formats import Formats
from ui.transcript.formulas import FORMULA_OBJECT
from ui.transcript.image_loader import IMAGE_OBJECT, ImageObject
from ui.transcript.look import Look
from ui.transcript.messages import ShownMessages
from ui.transcript.older_messages import BusySign, OlderMessages
from ui.transcript.pointer import AnchorFocus, Pointer
from ui.transcript.screen_reader import ScreenReader
from ui.transcript.scrolling import Scrolling
from ui.transcript.selected_text import WholeSelection, selected_html, selected_text
from ui.transcript.sideways import Sideways
from ui.transcript.updates import Updates
from ui.widgets.focus_ring import FocusRing
from ui.widgets.shapes import smooth_painter
from ui.widgets.text_field import copied_text

_CLICKING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_RESHAPED_PX = 48
"""How far above a change the shapes behind the text may change with it."""
_BELOW_GROWTH = {
    *(LineKind.BUBBLE, LineKind.HANDLES, LineKind.MARK, LineKind.FOOTER),
    *(LineKind.CODE_FOOT, LineKind.TABLE_FOOT),
}


class Caret(NamedTuple):
    """The place where the answer grows, as a position of the document. `waiting` is set until text arrives."""

    position: int
    waiting: bool


class Transcript(QTextBrowser):
    """Shows messages, and streams deltas into open ones. Use `writer` only inside `writing()`. `messages` are all that
    are here, on the page or not; others must not change them. `has_earlier` says whether the chat has older ones.

    - `requested` carries a `ChatIntent`.
    - `edit_started` carries the id of the message that the user wants to edit.
    - `link_refused` carries an address that no program opens.
    - `pasted` is emitted if the user pastes here.
    - `settled` is emitted when no more writes are scheduled.
    """

    requested = Signal(object)
    edit_started = Signal(str)
    menu_wanted = Signal(QPoint)
    link_refused = Signal(str)
    pasted = Signal()
    settled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("transcript")
        self.setAccessibleName(tr("Conversation"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # Qt need not paint all widgets behind it
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        bar = self.horizontalScrollBar()
        bar.rangeChanged.connect(lambda: bar.setRange(0, 0))
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        document = self.document()
        set_margins(document, TOP_PX)
        option = document.defaultTextOption()
        option.setTabStopDistance(4 * QFontMetricsF(mono_font()).horizontalAdvance(" "))
        document.setDefaultTextOption(option)
        document.contentsChange.connect(self._note_change)
        self.messages = ShownMessages()
        self.has_earlier = False
        self._changed_from: int | None = None
        self.focused = AnchorFocus(self)
        self.sideways = Sideways(self)
        document.documentLayout().registerHandler(FORMULA_OBJECT, self.sideways.formulas)
        document.documentLayout().registerHandler(IMAGE_OBJECT, ImageObject(self))
        self.writer = DocumentWriter(document, Formats(theme, theme.reading.column))
        self.scrolling = Scrolling(self)
        self.older = OlderMessages(self)
        self._selection = WholeSelection(self)
        self.find_marks = FindMarks(document)
        self.pointer = Pointer(self)
        self.pointer.moved.connect(self.viewport().update)
        self._ring = FocusRing(self)
        self.busy_sign = BusySign(self)
        self.look = Look(theme, self)
        self.updates = Updates(self)
        self._timers = (*self.updates.timers, self.look.refresh_timer, *self.older.timers.values())
        for timer in self._timers:
            timer.timeout.connect(self._report_settled)
        self._clicks = Clicks(self)
        ScreenReader(self)

    @property
    def loaded(self) -> range:
        """The indexes of the messages that a visible transcript shows. Others load as the user scrolls."""
        return self.older.pending.on_page

    def unfold(self, message: str) -> None:
        """Show the reasoning of a reply, or all of a long question."""
        self.messages.fold(message, folded=False)
        with self.scrolling.keeping_top():
            self.updates.flush()

    @property
    def is_settled(self) -> bool:
        """Whether no write is scheduled, of deltas, older messages, formulas or a new theme. A hidden transcript
        schedules none.
        """
        return not (self.older.is_loading or any(timer.isActive() for timer in self._timers))

    def show_messages(self, views: tuple[MessageView, ...]) -> None:
        """Replace all messages. The newest are written first."""
        with self.writing():
            self.writer.replace(0, len(views))
        self.messages = ShownMessages(views, self.messages)
        self.older.begin(len(views))
        self.scrolling.to_newest()
        self._catch_up()

    def show_earlier(self, views: tuple[MessageView, ...], *, earlier: bool) -> None:
        """Insert messages above all others without moving the text in view. `earlier` says whether the conversation has
        even older ones.
        """
        self.has_earlier = earlier
        count = self.messages.prepend(views)
        for _ in range(count):
            self.writer.insert(0)
        self.older.pending.prepend(count)
        self.updates.flush()
        self.older.follow_prepended(count)

    def add_message(self, view: MessageView) -> None:
        """Append a message. If it is the user's, scroll to it."""
        self._selection.end()
        self.writer.insert(len(self.messages))
        self.older.pending.append()
        self.messages.add(view)
        self.updates.flush()
        if view.role == "user":
            self.scrolling.to_newest()

    def show_branch(self, views: tuple[MessageView, ...]) -> None:
        """Replace the messages by those of another branch. Messages that both branches share stay in place on the
        screen, and so does the first message if another version of it is shown. If all of them stay and others follow,
        a view at the end shows the new end.
        """
        kept = self.messages.common_prefix(views)
        is_longer = self.scrolling.is_following and kept == len(self.messages) < len(views)
        self._selection.end()
        if kept not in self.loaded and not self.writer.start(kept):  # none of them is on the page
            self.show_messages(views)
            return
        gone = max(self.writer.start(kept), 1) if kept < len(self.messages) else None
        with self.scrolling.keeping_top(gone):
            with self.writing():
                self.writer.replace(kept, len(views))
            self.messages.switch_branch(kept, views)
            self.older.pending.branch(kept, len(views))
            self.updates.flush()
        if is_longer:
            self.scrolling.to_newest()

    def append_delta(self, message: str, text: str, channel: Channel = "answer") -> None:
        """Append a delta to an open message. It is shown within a few frames. A delta for any other message is
        ignored.
        """
        self.messages.append(message, text, channel)
        self.updates.flush_soon()

    def replace_message(self, view: MessageView) -> None:
        """Show the new state of a message. Unknown messages are ignored."""
        self.messages.replace(view)
        self.updates.flush()

    def mark_edited(self, message: str) -> None:
        """Mark the message that the user is editing; "" marks none."""
        self.messages.mark_edited(message)
        self.updates.flush()

    def copy(self) -> None:
        """Copy the selection. If all of the page is selected, copy all of the chat."""
        super().copy()
        self._selection.copy()

    def caret(self) -> Caret | None:
        """The end of the last message while it is open."""
        last = len(self.messages) - 1
        if last not in self.loaded or self.messages[last].view.state is not MessageState.OPEN:
            return None
        lines = self.writer.lines(last)
        at = next((at for at in reversed(range(len(lines))) if lines[at].kind not in _BELOW_GROWTH), None)
        if at is None or lines[at].kind is LineKind.THOUGHT:
            return None
        return Caret(self.writer.line_end(last, at), waiting=lines[at] == Line(LineKind.TEXT, tight=True))

    def _catch_up(self) -> None:
        self.older.catch_up()
        self.updates.flush()
        self.updates.show_formulas_soon()

    def _report_settled(self) -> None:
        if self.is_settled:
            self.settled.emit()

    def timer(self, slot: Callable[[], None]) -> QTimer:
        """A single-shot timer that is a child of the transcript."""
        timer = QTimer(self, singleShot=True)
        timer.timeout.connect(slot)
        return timer

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Wrap every change of the document. The selection stays the same, and all of the chat if that is selected. The
        view follows the end if it did before.
        """
        anchor, position = self.textCursor().anchor(), self.textCursor().position()
        with self._selection.kept(), self.scrolling.held():
            yield
            self.document().documentLayout().documentSize()  # forces Qt to finish the layout
            cursor = self.textCursor()
            grown = max(cursor.anchor(), cursor.position()) > max(anchor, position)
            if anchor != position and grown and cursor.selectionStart() == min(anchor, position):
                self.select(anchor, position)  # without the text that was appended right after it
        if (
            self._changed_from is not None
        ):  # repaint what may have moved or changed its shape: a bit above, and all below
            block = self.document().findBlock(self._changed_from)
            top = self.document().documentLayout().blockBoundingRect(block).top() - self.verticalScrollBar().value()
            area = self.viewport().rect()
            area.setTop(max(0, round(top) - _RESHAPED_PX))
            self.viewport().update(area)
            self._changed_from = None

    def rect_at(self, position: int) -> QRectF:
        """The rectangle of a caret at a position, in the document's coordinates."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        return QRectF(self.cursorRect(cursor)).translated(0, self.verticalScrollBar().value())

    def select(self, anchor: int, position: int) -> None:
        """Select text without scrolling to it."""
        cursor, value = self.textCursor(), self.verticalScrollBar().value()
        cursor.setPosition(anchor)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(value)

    def _note_change(self, position: int, _removed: int, _added: int) -> None:
        self._changed_from = position if self._changed_from is None else min(position, self._changed_from)

    def event(self, event: QEvent) -> bool:
        """Scroll when the wheel turns over the margins, and redraw icons when the screen's resolution changes."""
        if isinstance(event, QWheelEvent):
            return QGuiApplication.sendEvent(self.verticalScrollBar(), event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.look.renew_icons()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Apply a theme or a width that was set while the transcript was hidden, and write what changed since."""
        super().showEvent(event)
        self.look.fit_column()
        self.look.refresh()
        self._catch_up()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the column centred, and the end in view or else the text in its place."""
        super().resizeEvent(event)
        self.scrolling.follow_edge()
        self.look.fit_column()
        self.scrolling.newest_button.settle(self.size())
        self.busy_sign.settle(self.size())
        self.scrolling.follow()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the shapes, then the text, then the caret. Older messages follow the first paint of a history."""
        offset = self.verticalScrollBar().value()
        area = QRectF(event.rect().translated(0, offset))
        painter = smooth_painter(self.viewport())
        painter.fillRect(event.rect(), self.palette().base())
        painter.translate(0, -offset)
        pointed_at = PointedAt(self.pointer.href, self.focused.href, self.focused.span, self.pointer.block)
        self.look.backdrop.paint(painter, area, pointed_at)
        self.sideways.paint_text(painter, area)
        if (caret := self.caret()) is not None:
            place = self.sideways.scrolled(self.rect_at(caret.position))
            if 0 <= place.left() <= GUTTER_PX + self.look.column:  # else it is in a card, scrolled away
                self.look.backdrop.paint_caret(painter, place, waiting=caret.waiting)
        painter.end()
        self.older.note_paint()

    def anchorAt(self, pos: QPoint) -> str:  # noqa: N802 - Qt's name
        """The address at a point of the viewport."""
        return super().anchorAt(pos + QPoint(self.sideways.shift_at(pos), 0))

    def cursorForPosition(self, pos: QPoint) -> QTextCursor:  # noqa: N802 - Qt's name
        """The cursor at a point of the viewport."""
        return super().cursorForPosition(pos + QPoint(self.sideways.shift_at(pos), 0))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Take hold of the bar of a card, or let Qt see the press at its place in the text."""
        if not self.sideways.press(event):
            super().mousePressEvent(self.sideways.shifted(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Drag a bar, or let Qt see the move at its place in the text."""
        if not self.sideways.drag(event):
            super().mouseMoveEvent(self.sideways.shifted(self.sideways.inside(event)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """End the drag of a bar, or pass the release to Qt at its place in the text. Qt selects an anchor that is
        clicked, which would cover the chip of a file: nothing is selected then.
        """
        if self.sideways.release():
            return
        had_selection = self.textCursor().hasSelection()
        super().mouseReleaseEvent(self.sideways.shifted(event))
        if not had_selection:
            self.select(self.textCursor().position(), self.textCursor().position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Let Qt see the click at its place in the text."""
        super().mouseDoubleClickEvent(self.sideways.shifted(event))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll a card sideways, else the page. QTextEdit would zoom the font if the control key is pressed."""
        if self.sideways.turn(event):
            event.accept()
        else:
            QAbstractScrollArea.wheelEvent(self, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Copy by key as by menu, click the focused anchor on return and space, and scroll cards with the arrows."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif self.focused.href and event.key() in _CLICKING_KEYS:
            self.anchorClicked.emit(QUrl(self.focused.href))
        elif not self.sideways.step(event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001, N802 - Qt's names
        """Let the tab key visit each anchor before it moves to the next widget."""
        moved = self.focused.move(partial(super().focusNextPrevChild, next), forward=next)
        if self.focused.href:
            self._ring.hide()  # the anchor has a ring of its own
            self.sideways.reveal(self.focused.rect())
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

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt's name
        """Copy the selection as plain text and as HTML, without buttons and figures."""
        return copied_text(selected_text(self.textCursor()), selected_html(self.textCursor()))

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002, N802 - Qt's name
        """Return an icon, or else an empty resource, so that nothing is read from the network or from another file. For
        None, Qt would look for a file itself.
        """
        return self.look.icon(QUrl(name).toString()) or QByteArray(b"")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Show the menu of the anchor. If the anchor has none, `menu_wanted` asks for that of the text."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        href = self.focused.href if by_key else self.anchorAt(event.pos())
        if not self._clicks.show_menu(href, event.globalPos()):
            self.menu_wanted.emit(event.pos())
