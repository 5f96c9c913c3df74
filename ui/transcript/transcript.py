"""The transcript of one conversation: shows its messages, streams into open ones, and reports clicks.

Everything in this folder runs on the GUI thread. The way of a message to the screen:
- `messages.Messages` holds the messages. For a reply it holds a `reply_state.ReplyState`, which parses the deltas.
- `message_lines.MessageLines` turns a message into lines; `footer` and `file_chips` add the rows around it.
- `older_messages.OlderMessages` writes a long history in the chunks of `pending_messages.PendingMessages`, and takes
  messages off a page that gets too long.
- `formulas.Formulas` replaces formulas by their pictures, which `typesetter.Typesetter` makes on another thread.
- `document_writer.DocumentWriter` writes the lines that changed into the document, with the formats of `formats`
  (`block_formats` and `char_formats`).
- `whole_selection.WholeSelection` copies all of a chat of which the page holds a part.
- `page.TranscriptPage` shows the document, scrolls it and follows its end. `backdrop` paints the shapes behind the
  text, `newest_button` floats over it, and `selected_text` serves the clipboard.
- `pointer` and `anchor_focus` find the anchor under the mouse and the keyboard. `Transcript` parses its address with
  `anchors` and emits an intent.

Invariants:
- Deltas are written at most once a frame.
- A hidden transcript adds nothing to the document. It catches up when it is shown.
- A visible transcript shows exactly the messages whose index is in `loaded`.
- Deltas and older messages do not move the text in view, unless the view follows the end.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QContextMenuEvent, QCursor, QDesktopServices, QGuiApplication, QKeySequence, QTextCursor

from resources.language.text import mark, tr
from ui.intents.chat import Retry
from ui.markdown.lines import REASONING, Line, LineKind
from ui.state.chat import MessageState
from ui.transcript.anchors import WHOLE_MESSAGE, AnchorAction, parse_action
from ui.transcript.document_writer import ALL
from ui.transcript.formulas import Formulas
from ui.transcript.message_lines import code_text
from ui.transcript.messages import ShownMessages
from ui.transcript.notes import NOTE_VERBS, other_end
from ui.transcript.older_messages import OlderMessages
from ui.transcript.page import Caret, TranscriptPage
from ui.transcript.screen_reader import ScreenReader
from ui.transcript.tips import Tips
from ui.transcript.whole_selection import WholeSelection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QKeyEvent, QPaintEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from ui.state.chat import Channel, MessageView
    from ui.theme.theme import Theme
from ui.widgets.menu import Menu

FLUSH_MS = 40
COPIED_MS = 1600
"""How long a tick replaces the icon that the user clicked to copy."""
REST_FACTOR = 4
"""The pause after a flush, in multiples of its duration. A huge paragraph thus leaves time for other work."""

_ALTERNATIVE_CHOICES = ((1, mark("Regenerate")), (3, mark("3 alternatives")))
_BELOW_GROWTH = {
    *(LineKind.BUBBLE, LineKind.HANDLES, LineKind.MARK, LineKind.FOOTER),
    *(LineKind.CODE_FOOT, LineKind.TABLE_FOOT),
}
_OPENED_SCHEMES = {"http", "https", "mailto"}


class Transcript(TranscriptPage):
    """Shows messages, and streams deltas into open ones.

    - `requested` carries a `ChatIntent`.
    - `edit_started` carries the id of the message that the user wants to edit.
    - `link_opened` carries the address that the system opened, `link_refused` one that no program opens.
    - `settled` is emitted when no more writes are scheduled.
    """

    requested = Signal(object)
    edit_started = Signal(str)
    menu_wanted = Signal(QPoint)
    link_opened = Signal(str)
    link_refused = Signal(str)
    settled = Signal()

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
        copied_ms: int = COPIED_MS,
    ) -> None:
        super().__init__(theme, parent)
        self._clock = clock
        self._copied_ms = copied_ms
        self.setObjectName("transcript")
        self.setAccessibleName(tr("Conversation"))
        self._messages = ShownMessages()
        self._formulas = Formulas()
        self._rest_ms = FLUSH_MS
        self._flushed_at = 0.0
        self._flush_timer = self.timer(self.flush)
        self._older = OlderMessages(self)
        self._selection = WholeSelection(self)
        self._formula_timer = self.timer(self._show_formulas)
        self._copied_timer = self.timer(self._forget_copied)
        for timer in (self._flush_timer, *self._older.timers, self._formula_timer, self.restyle_timer):
            timer.timeout.connect(self._report_settled)
        ScreenReader(self)
        self.tips = Tips(self)
        self.anchorClicked.connect(self._follow_link)
        self.pointer.menu_requested.connect(self._show_alternatives_menu)

    @property
    def messages(self) -> ShownMessages:
        """All messages, on the page or not. Callers must not change them."""
        return self._messages

    @property
    def loaded(self) -> range:
        """The indexes of the messages that a visible transcript shows. Others load as the user scrolls."""
        return self._older.on_page

    @property
    def has_earlier(self) -> bool:
        """Whether the conversation has messages before the first one here."""
        return self._older.has_earlier

    def load_to(self, index: int) -> None:
        """Bring the message at `index` on the page. If it is far away, the page begins anew there."""
        self._older.load_to(self._messages.view(index).id)

    def unfold(self, message: str) -> None:
        """Show the reasoning of a reply, or all of a long question."""
        self._messages.fold(message, folded=False)
        with self.keeping_top():
            self.flush()

    @property
    def rest_ms(self) -> int:
        """How long the next write waits after the last one, in milliseconds."""
        return self._rest_ms

    @property
    def is_settled(self) -> bool:
        """Whether no write is scheduled, of deltas, older messages, formulas or a new theme. A hidden transcript
        schedules none.
        """
        timers = (self._flush_timer, self._formula_timer, self.restyle_timer)
        return not (any(timer.isActive() for timer in timers) or self._older.is_loading)

    def show_messages(self, views: tuple[MessageView, ...]) -> None:
        """Replace all messages. The newest are written first."""
        with self.writing():
            for index in reversed(range(len(self._messages))):
                self.writer.remove(index)
            for index in range(len(views)):
                self.writer.insert(index)
        self._messages = ShownMessages(views, self._messages)
        self._older.begin(len(views))
        self.scroll_to_newest()
        self._catch_up()

    def show_earlier(self, views: tuple[MessageView, ...], *, earlier: bool) -> None:
        """Insert messages above all others without moving the text in view. `earlier` says whether the conversation has
        even older ones.
        """
        self._older.has_earlier = earlier
        count = self._messages.prepend(views)
        for _ in range(count):
            self.writer.insert(0)
        self._older.prepend(count)
        self.flush()
        self._older.follow_prepended(count)

    def add_message(self, view: MessageView) -> None:
        """Append a message. If it is the user's, scroll to it."""
        self._selection.end()
        self.writer.insert(len(self._messages))
        self._older.append()
        self._messages.add(view)
        self.flush()
        if view.role == "user":
            self.scroll_to_newest()

    def show_branch(self, views: tuple[MessageView, ...]) -> None:
        """Replace the messages by those of another branch. Messages that both branches share stay in place on the
        screen. If all of them stay and others follow, a view at the end shows the new end.
        """
        kept = self._messages.common_prefix(views)
        is_longer = self.is_following and kept == len(self._messages) < len(views)
        self._selection.end()
        if not self.writer.start(kept):  # none of them is on the page
            self.show_messages(views)
            return
        gone = self.writer.bounds(kept)[0] if kept < len(self._messages) else None
        with self.keeping_top(gone):
            with self.writing():
                for index in reversed(range(kept, len(self._messages))):
                    self.writer.remove(index)
                for index in range(kept, len(views)):
                    self.writer.insert(index)
            self._messages.switch_branch(kept, views)
            self._older.branch(kept)
            self.flush()
        if is_longer:
            self.scroll_to_newest()

    def append_delta(self, message: str, text: str, channel: Channel = "answer") -> None:
        """Append a delta to an open message. It is shown within a few frames. A delta for any other message is
        ignored.
        """
        self._messages.append(message, text, channel)
        if self.isVisible() and not self._flush_timer.isActive():
            rested = round(1000 * (self._clock() - self._flushed_at))
            self._flush_timer.start(max(0, self._rest_ms - rested))

    def replace_message(self, view: MessageView) -> None:
        """Show the new state of a message. Unknown messages are ignored."""
        self._messages.replace(view)
        self.flush()

    def mark_edited(self, message: str) -> None:
        """Mark the message that the user is editing; "" marks none."""
        self._messages.mark_edited(message)
        self.flush()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Wrap every change of the document. If all of the chat is selected, it stays so."""
        self._selection.keep()
        with super().writing():
            yield
        self._selection.extend()

    def copy(self) -> None:
        """Copy the selection. If all of the page is selected, copy all of the chat."""
        super().copy()
        self._selection.copy(self._theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Copy by key as by menu."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def caret(self) -> Caret | None:
        """The end of the last message while it is open."""
        last = len(self._messages) - 1
        if last not in self.loaded or self._messages.view(last).state is not MessageState.OPEN:
            return None
        lines = self.writer.lines(last)
        at = next((at for at in reversed(range(len(lines))) if lines[at].kind not in _BELOW_GROWTH), None)
        if at is None or lines[at].kind is LineKind.THOUGHT:
            return None
        return Caret(self.writer.line_end(last, at), waiting=lines[at] == Line(LineKind.TEXT, tight=True))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Write what changed while the transcript was hidden."""
        super().showEvent(event)
        self._catch_up()

    def flush(self) -> None:
        """Write all changed messages now, unless the transcript is hidden. A long one waits until it is parsed."""
        if not self.isVisible() or not self._messages.changed:
            return
        start = self._clock()
        found = (self._messages.index(message) for message in self._messages.changed)
        indexes = sorted(index for index in found if index is not None and index in self.loaded)
        self._keep_visible_reasoning_open(indexes)
        parsing = {index for index in indexes if self.writer.lines(index) and self._older.is_being_parsed(index)}
        self.write([index for index in indexes if index not in parsing])
        self._messages.changed = {self._messages.view(index).id for index in parsing}
        if parsing:
            self._flush_timer.start(FLUSH_MS)
        self._flushed_at = self._clock()
        self._rest_ms = max(FLUSH_MS, round(REST_FACTOR * 1000 * (self._flushed_at - start)))

    def _keep_visible_reasoning_open(self, indexes: list[int]) -> None:
        """Do not fold reasoning that the user is reading. If the view follows the end, fold it."""
        if self.is_following:
            return
        cursor = QTextCursor(self.document())
        for index in indexes:
            shown = any(line.nest.startswith(REASONING) for line in self.writer.lines(index)[:3])
            cursor.setPosition(self.writer.bounds(index)[0])
            if shown and self._messages.is_folded(index) and self.cursorRect(cursor).top() < self.viewport().height():
                self._messages.fold(self._messages.view(index).id, folded=False)

    def write(self, indexes: list[int], part: slice = ALL) -> None:
        """Write the messages at these indexes, or a part of their lines."""
        with self.writing():
            self.writer.write_all(((index, self.lines(index)) for index in indexes), part)
        if self._formulas.are_waiting:
            self._formula_timer.start(FLUSH_MS)

    def lines(self, index: int) -> tuple[Line, ...]:
        """The lines to write for the message at `index`, with the formulas that are typeset."""
        lines = self._messages.lines(index)
        if not self._messages.may_have_formulas(index):
            return lines
        return self._formulas.prepared(self._messages.view(index).id, lines)

    def _show_formulas(self) -> None:
        """Show the formulas that were typeset. If the view does not follow the end, its first line stays in place."""
        self._messages.changed |= self._formulas.arrived()
        if self.is_following:
            self.flush()
        elif self._messages.changed:
            with self.keeping_top():
                self.flush()
        if self._formulas.are_waiting:
            self._formula_timer.start(FLUSH_MS)

    def _catch_up(self) -> None:
        self._older.catch_up()
        self.flush()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint. After the first paint of a history, its older messages are written."""
        super().paintEvent(event)
        self._older.note_paint()

    def _report_settled(self) -> None:
        if self.is_settled:
            self.settled.emit()

    def _follow_link(self, url: QUrl) -> None:
        action = parse_action(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        if action is not None:
            self._run_action(action)
        elif url.scheme() in _OPENED_SCHEMES:
            outcome = self.link_opened if QDesktopServices.openUrl(url) else self.link_refused
            outcome.emit(url.toString())

    def _run_action(self, action: AnchorAction) -> None:
        if (intent := action.intent()) is not None:
            self.requested.emit(intent)
        elif action.verb == "edit":
            self.edit_started.emit(action.message)
        elif action.verb == "fold":
            self._toggle_fold(action.message)
        elif action.verb in NOTE_VERBS:
            self._go_to(action.message, other_end(action).href)
        elif action.verb == "choose":
            self._alternatives_menu(action).open_beside(self._place_of(action.href))
        else:
            self._copy(action)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Show the menu of the anchor. If the anchor has none, `menu_wanted` asks for that of the text."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        href = self.focused.href if by_key else self.anchorAt(event.pos())
        if not self._show_alternatives_menu(href, event.globalPos()):
            self.menu_wanted.emit(event.pos())

    def _show_alternatives_menu(self, href: str, place: QPoint) -> bool:
        """Offer to generate several answers, if the anchor generates one. Return whether a menu was shown."""
        action = parse_action(href)
        if action is None or action.verb not in {"alternatives", "choose"}:
            return False
        self._alternatives_menu(action).open_at(place)
        return True

    def _alternatives_menu(self, action: AnchorAction) -> Menu:
        menu = Menu(parent=self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for count, words in _ALTERNATIVE_CHOICES:
            menu.addAction(tr(words), partial(self.requested.emit, Retry(action.message, count)))
        return menu

    def _place_of(self, href: str) -> QRect:
        """What a menu of this anchor opens beside on the screen: the mouse, or the anchor with the focus."""
        if self.pointer.href == href:
            return QRect(QCursor.pos(), QSize(1, 1))
        anchor = self.focused.rect().toRect().translated(0, -self.verticalScrollBar().value())
        return QRect(self.viewport().mapToGlobal(anchor.topLeft()), anchor.size())

    def _toggle_fold(self, message: str) -> None:
        """Fold or unfold reasoning or a long question. The line that the user clicked stays under the mouse."""
        index = self._messages.index(message)
        if index is not None:
            is_folded = self._messages.is_folded(index) or self._messages.is_shortened(index)
            self._messages.fold(message, not is_folded)
            with self.keeping_top():
                self.write([index])

    def _go_to(self, message: str, href: str) -> None:
        """Show the line of a message that has this anchor."""
        index = self._messages.index(message)
        lines = () if index is None else self.writer.lines(index)
        found = (at for at, line in enumerate(lines) if any(span.style.href == href for span in line.spans))
        if index is not None and (at := next(found, None)) is not None:
            cursor = QTextCursor(self.document())
            cursor.setPosition(self.writer.line_end(index, at))
            self.bring_into_view(QRectF(self.cursorRect(cursor).translated(0, self.verticalScrollBar().value())))

    def _copy(self, action: AnchorAction) -> None:
        index = self._messages.index(action.message)
        if index is None:
            return
        whole = action.number == WHOLE_MESSAGE
        text = self._messages.text(index) if whole else code_text(self._messages.lines(index), action.number)
        QGuiApplication.clipboard().setText(text)
        self._messages.mark_copied(action.message, action.number)
        self._copied_timer.start(self._copied_ms)
        self.flush()

    def _forget_copied(self) -> None:
        self._messages.unmark_copied()
        self.flush()
