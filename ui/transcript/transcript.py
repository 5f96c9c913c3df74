"""The transcript of one conversation: messages in, what the user clicks out.

Owns when the document changes: in step with the screen, and only while it is seen. The messages are
`transcript_messages`'s, the page they are written on is `transcript_page`'s.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QUrl, Signal
from PySide6.QtGui import QContextMenuEvent, QDesktopServices, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QMenu

from ui.markdown.lines import THOUGHT, Line, LineKind
from ui.state import MessageState
from ui.transcript.anchors import WHOLE, AnchorAction, parse_action
from ui.transcript.backlog import Backlog
from ui.transcript.message_lines import code_text
from ui.transcript.messages import Messages
from ui.transcript.page import Caret, TranscriptPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QWidget

    from ui.state import Channel, MessageView
    from ui.theme.theme import Theme

FLUSH_MS = 33
COPIED_MS = 1600
"""How long a tick replaces the icon that copied."""
REST = 4
"""Times the last flush's cost that pass before the next one, so that a huge paragraph leaves time for the rest."""

_COUNTS = ((1, "Regenerate"), (3, "3 alternatives"))
_OLDER_MS = 12
_NEAR_TOP_PX = 1200
_BELOW_GROWTH = {LineKind.BUBBLE, LineKind.HANDLES, LineKind.MARK, LineKind.FOOTER, LineKind.CODE_FOOT}
_OPENED_SCHEMES = {"http", "https", "mailto"}


class Transcript(TranscriptPage):
    """Shows messages; streams into those that are open. The signals carry message ids.

    `link_opened` tells the address that was handed to the system.
    """

    continue_requested = Signal(str)
    retry_requested = Signal(str)
    alternatives_requested = Signal(str, int)
    fork_requested = Signal(str)
    step_requested = Signal(str, int)
    edit_requested = Signal(str)
    earlier_requested = Signal(str)
    link_opened = Signal(str)
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
        self.setAccessibleName("Conversation")
        self._messages = Messages()
        self._backlog = Backlog()
        self._has_earlier = False
        self._asked_before = ""
        self._rest_ms = FLUSH_MS
        self._flush_timer = self.timer(self.flush)
        self._older_timer = self.timer(self._load_older)
        self._copied_timer = self.timer(self._forget_copied)
        for timer in (self._flush_timer, self._older_timer):
            timer.timeout.connect(self._report_settled)
        self.anchorClicked.connect(self._follow_link)
        self.pointer.more_wanted.connect(self._offer_more)
        self.verticalScrollBar().valueChanged.connect(self._load_near_top)

    @property
    def messages(self) -> Messages:
        """All messages, on the page or not. Callers only read them."""
        return self._messages

    @property
    def loaded(self) -> range:
        """The indexes of the messages on the page; older ones are still to come."""
        return range(self._backlog.first, len(self._messages))

    @property
    def rest_ms(self) -> int:
        """How long the next delta waits before it is written, in milliseconds."""
        return self._rest_ms

    @property
    def is_settled(self) -> bool:
        """Whether neither a delta nor a chunk of older messages waits to be written."""
        return not self._flush_timer.isActive() and not self._older_timer.isActive()

    def show_messages(self, views: tuple[MessageView, ...]) -> None:
        """Show these messages and no others, from the newest backwards."""
        with self.writing():
            for index in reversed(range(len(self._messages))):
                self.writer.drop(index)
            for index in range(len(views)):
                self.writer.add(index)
        self._messages = Messages(views)
        self._backlog = Backlog(len(views))
        self._asked_before = ""
        self.scroll_to_newest()
        self._catch_up()

    def show_earlier(self, views: tuple[MessageView, ...], *, earlier: bool) -> None:
        """Put these messages above all others; what is on the screen stays where it is. `earlier` tells that there are
        still more before them.
        """
        self._has_earlier = earlier
        count = self._messages.prepend(views)
        for _ in range(count):
            self.writer.add(0)
        self._backlog.grow(count)
        self.flush()
        if count:
            self._older_timer.start(0)
        else:
            self._load_near_top(self.verticalScrollBar().value())

    def add_message(self, view: MessageView) -> None:
        """Append a message. The user's own one is always scrolled to."""
        self.writer.add(len(self._messages))
        self._messages.add(view)
        self.flush()
        if view.role == "user":
            self.scroll_to_newest()

    def show_branch(self, views: tuple[MessageView, ...]) -> None:
        """Show these messages instead; those that stay, from the first on, stay where they are on the screen."""
        kept = self._messages.kept(views)
        if kept < max(1, self._backlog.first):
            self.show_messages(views)
            return
        gone = self.writer.bounds(kept)[0] if kept < len(self._messages) else None
        with self.staying(gone):
            with self.writing():
                for index in reversed(range(kept, len(self._messages))):
                    self.writer.drop(index)
                for index in range(kept, len(views)):
                    self.writer.add(index)
            self._messages.branch(kept, views)
            self.flush()

    def append_delta(self, message: str, text: str, channel: Channel = "answer") -> None:
        """More text of an open message; it is shown within a few frames. Any other message takes no more text."""
        self._messages.append(message, text, channel)
        if self.isVisible() and not self._flush_timer.isActive():
            self._flush_timer.start(self._rest_ms)

    def replace_message(self, view: MessageView) -> None:
        """Show a message's new state; an unknown message is ignored."""
        self._messages.replace(view)
        self.flush()

    def remove_message(self, message: str) -> None:
        """Take a message out; an unknown message is ignored."""
        index = self._messages.index(message)
        if index is None:
            return
        self._messages.remove(index)
        with self.writing():
            self.writer.drop(index)
        self._backlog.drop(index)
        self.flush()

    def mark_edited(self, message: str) -> None:
        """Show which message is being written anew, "" for none."""
        self._messages.mark_edited(message)
        self.flush()

    def first_to_restyle(self) -> int:
        """While the end is followed, the newest messages are enough at first; the others come as on opening."""
        if self.is_following and self._backlog.first < len(self._messages):
            self._backlog.begin_again(len(self._messages), self._length)
            self._older_timer.start(_OLDER_MS)
        return self._backlog.first

    def growth(self) -> Caret | None:
        """The end of the newest message while it is open."""
        last = len(self._messages) - 1
        if last < self._backlog.first or self._messages.view(last).state is not MessageState.OPEN:
            return None
        lines = self.writer.lines(last)
        at = next((at for at in reversed(range(len(lines))) if lines[at].kind not in _BELOW_GROWTH), None)
        if at is None or lines[at].kind is LineKind.THOUGHT:
            return None
        return Caret(self.writer.line_end(last, at), waiting=lines[at] == Line(LineKind.TEXT, tight=True))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Catch up with what came while hidden."""
        super().showEvent(event)
        self._catch_up()

    def flush(self) -> None:
        """Write all changed messages now, unless the transcript is hidden."""
        if not self.isVisible() or not self._messages.changed:
            return
        start = self._clock()
        found = (self._messages.index(message) for message in self._messages.changed)
        indexes = sorted(index for index in found if index is not None and index >= self._backlog.first)
        self._hold_what_is_read(indexes)
        self._write(indexes)
        self._messages.changed.clear()
        self._rest_ms = max(FLUSH_MS, round(REST * 1000 * (self._clock() - start)))

    def _hold_what_is_read(self, indexes: list[int]) -> None:
        """Reasoning that is on the screen is not folded under its reader's eyes, unless the end is followed."""
        if self.is_following:
            return
        cursor = QTextCursor(self.document())
        for index in indexes:
            shown = any(line.nest.startswith(THOUGHT) for line in self.writer.lines(index)[:3])
            cursor.setPosition(self.writer.bounds(index)[0])
            if shown and self._messages.is_folded(index) and self.cursorRect(cursor).top() < self.viewport().height():
                self._messages.fold(self._messages.view(index).id, folded=False)

    def _write(self, indexes: list[int]) -> None:
        with self.writing():
            self.writer.write_all((index, self._messages.lines(index)) for index in indexes)

    def _catch_up(self) -> None:
        if self._backlog.first == len(self._messages):
            self._load_older()
        elif self._backlog.goes_on:
            self._older_timer.start(_OLDER_MS)
        self.flush()

    def _load_older(self) -> None:
        """Put the next older messages in front; what is on the screen stays where it is."""
        if not self.isVisible() or not self._backlog.first:
            return
        chunk = self._backlog.take(self._length)
        with self.below_staying(chunk[0] + 1):
            self._write(chunk)
        if self._backlog.goes_on:
            self._older_timer.start(_OLDER_MS)
        else:
            self._load_near_top(self.verticalScrollBar().value())

    def _report_settled(self) -> None:
        if self.is_settled:
            self.settled.emit()

    def _length(self, index: int) -> int:
        return len(self._messages.text(index))

    def _load_near_top(self, value: int) -> None:
        if value >= _NEAR_TOP_PX:
            self._asked_before = ""
        elif self._backlog.first:
            if not self._older_timer.isActive():
                self._older_timer.start(_OLDER_MS)
        else:
            self._ask_for_earlier()

    def _ask_for_earlier(self) -> None:
        """Once for each page, and again when the reader comes back to where an answer never came."""
        if not self._has_earlier or not len(self._messages) or not self.isVisible():
            return
        first = self._messages.view(0).id
        if first != self._asked_before:
            self._asked_before = first
            self.earlier_requested.emit(first)

    def _follow_link(self, url: QUrl) -> None:
        action = parse_action(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        if action is not None:
            self._act(action)
        elif url.scheme() in _OPENED_SCHEMES:
            self.link_opened.emit(url.toString())
            QDesktopServices.openUrl(url)

    def _act(self, action: AnchorAction) -> None:
        match action.verb:
            case "continue":
                self.continue_requested.emit(action.message)
            case "retry":
                self.retry_requested.emit(action.message)
            case "alternatives":
                self.alternatives_requested.emit(action.message, action.number)
            case "fork":
                self.fork_requested.emit(action.message)
            case "step":
                self.step_requested.emit(action.message, action.number)
            case "edit":
                self.edit_requested.emit(action.message)
            case "fold":
                self._fold(action.message)
            case _:
                self._copy(action)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Over a row's icon what else it does, else what can be done with a text."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        href = self.focused.href if by_key else self.anchorAt(event.pos())
        if not self._offer_more(href, event.globalPos()):
            super().contextMenuEvent(event)

    def _offer_more(self, href: str, place: QPoint) -> bool:
        """More than one answer, where one can be asked for. Returns whether there is anything to offer."""
        action = parse_action(href)
        if action is None or action.verb != "alternatives":
            return False
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for count, words in _COUNTS:
            menu.addAction(words).triggered.connect(partial(self.alternatives_requested.emit, action.message, count))
        menu.popup(place)
        return True

    def _fold(self, message: str) -> None:
        """Open the reasoning, or put it away: what the user clicked stays under the mouse."""
        index = self._messages.index(message)
        if index is not None:
            self._messages.fold(message, not self._messages.is_folded(index))
            with self.staying():
                self._write([index])

    def _copy(self, action: AnchorAction) -> None:
        index = self._messages.index(action.message)
        if index is None:
            return
        whole = action.number == WHOLE
        text = self._messages.text(index) if whole else code_text(self.writer.lines(index), action.number)
        QGuiApplication.clipboard().setText(text)
        self._messages.mark_copied(action.message, action.number)
        self._copied_timer.start(self._copied_ms)
        self.flush()

    def _forget_copied(self) -> None:
        self._messages.unmark_copied()
        self.flush()
