"""The messages that are not on the page: writes them in chunks, and requests those that the app has not loaded yet.

Runs on the GUI thread. Invariants:
- The messages on the page are neighbours. A page that is too long loses messages far below or above the view.
- A long message is written in parts, from its end upwards or from its beginning downwards. It is on the page when all
  of it is there.
- What is selected stays on the page.
- Before the first paint of a history, no more is written than fills the view. The rest follows in chunks, each of which
  takes less than a frame.
- Each part that the app has not loaded is requested once, and again if the user comes back to one that never arrived.

`WholeChat` loads the earlier messages of a tab, then hands all of them on. `BusySign` is shown meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QLabel, QWidget

from resources.language.text import tr
from ui.intents.chat import EVERYTHING, ShowEarlier
from ui.state.chat import MessageState
from ui.transcript.document_writer import ALL
from ui.transcript.messages import ShownMessages
from ui.transcript.pending_messages import CHUNK, VIEW, ChunkSize, PendingMessages, Side, part_size
from ui.widgets.settings_group import named

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

_REST_MS: Final = 12
_NEAR_EDGE_PX: Final = 1200
_BEYOND_PX: Final = 200
"""How much is written above the view before the first paint."""
_KEPT_PX: Final = 4_000
"""How much stays on the page on both sides of the view."""
_NEAR: Final = 12
"""A message that is no more messages away is reached by writing those between."""
_ONE: Final = ChunkSize(1, 0)


class OlderMessages(QObject):
    """Brings messages of one transcript on its page, and takes them off. `pending` says which ones are there."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self.timers = {side: transcript.timer(partial(self._load, side)) for side in Side}
        self._transcript = transcript
        self._bar = transcript.verticalScrollBar()
        self.pending = PendingMessages(0, self._length)
        self._requested_before = ""
        self._wanted = ""
        self._awaits_paint = False
        self._bar.valueChanged.connect(self._near_edge)

    @property
    def reaches_end(self) -> bool:
        """Whether the newest message is on the page."""
        return self.pending.end == self.pending.count

    @property
    def _written(self) -> range:
        """The indexes of the messages on the page, and of those of which a part is there."""
        above, below = (any(map(self._transcript.writer.lines, self.pending.next(side))) for side in Side)
        return range(self.pending.first - above, self.pending.end + below)

    @property
    def is_loading(self) -> bool:
        """Whether more will be written without the user."""
        is_waiting = any(timer.isActive() for timer in self.timers.values())
        return (self._awaits_paint and self._transcript.isVisible()) or is_waiting

    def begin(self, count: int) -> None:
        """Another history of `count` messages is shown, of which none is on the page."""
        self.pending = PendingMessages(count, self._length)
        self._requested_before = ""

    def catch_up(self) -> None:
        """Write as many messages as the user sees. The rest follows once they are painted."""
        transcript, pending = self._transcript, self.pending
        self._awaits_paint = transcript.isVisible()
        if pending.first == pending.count:
            while transcript.isVisible() and pending.first and self._bar.maximum() < _BEYOND_PX:
                if not self._write_first(Side.ABOVE):
                    break
        if not pending.loads_more:
            self._awaits_paint = False
            self._near_edge(self._bar.value())

    def _write_first(self, side: Side) -> bool:
        """Write what fills the view first. Return whether that was possible: a long message may be parsed now."""
        (index,) = self.pending.next(side)
        if not self._is_written_in_parts(index):
            size = VIEW._replace(messages=max(1, self.pending.fitting(side)))
            self._write(side, self.pending.take(side, size))
        elif self._transcript.messages[index].is_parsing:
            return False
        else:
            self._write_next(side)
        return True

    def note_paint(self) -> None:
        """The page was painted."""
        if self._awaits_paint:
            self._awaits_paint = False
            self.timers[Side.ABOVE].start(_REST_MS)

    def load_to(self, index: int) -> None:
        """Bring the message at `index` on the page: write all down to it, or begin anew there if it is far away."""
        if index in self.pending.on_page:
            return
        is_near = index < self.pending.first <= index + _NEAR
        self._wanted = self._transcript.messages[index].view.id
        self._transcript.busy_sign.begin()
        if is_near or not self._transcript.isVisible():
            self._load(Side.ABOVE)
            return
        self._transcript.scrolling.stop_following()
        self._take_off(self._written)
        self.pending.jump(index)
        while not self.reaches_end and self._bar.maximum() < _NEAR_EDGE_PX:
            if not self._write_first(Side.BELOW):
                break
        self._bar.setValue(0)
        self._near_edge(0)

    def return_to_end(self) -> None:
        """Show the newest messages again, if they are not on the page."""
        if self.reaches_end:
            return
        self._wanted = ""
        self._take_off(self._written)
        self.pending = PendingMessages(self.pending.count, self._length)
        self.catch_up()

    def _take_off(self, indexes: range) -> None:
        with self._transcript.writing():
            self._transcript.writer.write_all((index, ()) for index in indexes)

    def follow_prepended(self, count: int) -> None:
        """Write those `count` messages, or request the next if there was none."""
        if count:
            self.timers[Side.ABOVE].start(0)
        else:
            self._near_top(self._bar.value())

    def _length(self, index: int) -> int:
        return self._transcript.messages[index].length

    def _load(self, side: Side) -> None:
        """Write what comes next on a side, or first make room for it on the other one."""
        timer, pending = self.timers[side], self.pending
        if not self._transcript.isVisible() or not pending.next(side):
            return
        if self._shorten(Side.BELOW if side is Side.ABOVE else Side.ABOVE):
            timer.start(0)
            return
        self._write_next(side)
        if self._is_wanted(side):
            timer.start(0)
        elif side is Side.ABOVE and pending.loads_more:
            timer.start(_REST_MS)
        else:
            self._near_edge(self._bar.value())

    def _write_next(self, side: Side) -> None:
        """Write a chunk of messages, or parse a long one, or write its next part."""
        fitting = self.pending.fitting(side)
        if fitting:
            self._write(side, self.pending.take(side, CHUNK._replace(messages=fitting)))
            return
        (index,) = self.pending.next(side)
        if self._transcript.messages[index].prepare():
            return  # parsing takes as long as a part
        lines, written = self._transcript.updates.lines(index), len(self._transcript.writer.lines(index))
        if side is Side.ABOVE:
            rest = lines[: max(0, len(lines) - written)]
            part = slice(len(rest) - part_size(reversed(rest)), None)
        else:
            part = slice(written + part_size(lines[written:]))
        self._write(side, [index], part)
        if not part.start and (part.stop is None or part.stop >= len(lines)):
            self.pending.take(side, _ONE)

    def _is_written_in_parts(self, index: int) -> bool:
        """Whether a message is long. One that is being generated is written whole, as it changes all the time."""
        is_open = self._transcript.messages[index].view.state is MessageState.OPEN
        return not is_open and self._length(index) > CHUNK.characters

    def is_being_parsed(self, index: int) -> bool:
        """Whether a message is long and a thread parses it now. Starts the thread if the message was not parsed yet."""
        message = self._transcript.messages[index]
        return self._is_written_in_parts(index) and message.prepare() and message.is_parsing

    def _write(self, side: Side, indexes: list[int], part: slice = ALL) -> None:
        """Write messages, or a part of one, on a side of the page without moving the text in view."""
        with self._keeping_below(side, indexes[0] + 1):
            self._transcript.updates.write(indexes, part)

    def _keeping_below(self, side: Side, index: int) -> AbstractContextManager[None]:
        """What changes above moves the message at `index` unless it is kept in place."""
        scrolling = self._transcript.scrolling
        return scrolling.keeping(partial(scrolling.top_of, index)) if side is Side.ABOVE else nullcontext()

    def _shorten(self, side: Side) -> bool:
        """Take messages off the page that are far from the view on a side, if it is too long. The view does not move.
        Return whether there were any.
        """
        transcript, pending, written = self._transcript, self.pending, self._written
        before, top_of = pending.on_page, transcript.scrolling.top_of
        if transcript.scrolling.is_following or transcript.textCursor().hasSelection():
            return False
        if side is Side.ABOVE:
            while pending.excess > 0 and top_of(pending.first + 1) < self._bar.value() - _KEPT_PX:
                pending.first += 1
            gone = range(written.start, pending.first)
        else:
            bottom = self._bar.value() + transcript.viewport().height() + _KEPT_PX
            while pending.excess > 0 and top_of(pending.end - 1) > bottom:
                pending.end -= 1
            gone = range(pending.end, written.stop)
        if pending.on_page == before:
            return False
        with self._keeping_below(side, pending.first):
            self._take_off(gone)
        return True

    def _is_wanted(self, side: Side) -> bool:
        """Whether the message that `load_to` was called for is on this side of the page."""
        if not self._wanted:
            return False
        wanted = self._transcript.messages.index(self._wanted)
        if wanted is None or wanted in self.pending.on_page:
            self._wanted = ""
            self._transcript.busy_sign.end()
            return False
        return (wanted < self.pending.first) is (side is Side.ABOVE)

    def _near_edge(self, value: int) -> None:
        is_wanted, below = self._is_wanted(Side.BELOW), self.timers[Side.BELOW]
        if not is_wanted:
            self._near_top(value)
        is_near = is_wanted or self._bar.maximum() - value < _NEAR_EDGE_PX
        if is_near and not self.reaches_end and not below.isActive():
            below.start(_REST_MS)

    def _near_top(self, value: int) -> None:
        page, messages = self._transcript, self._transcript.messages
        if value >= _NEAR_EDGE_PX:
            self._requested_before = ""
        elif self.pending.first:
            if not self.is_loading:
                self.timers[Side.ABOVE].start(_REST_MS)
        elif page.has_earlier and len(messages) and page.isVisible():
            first = messages[0].view.id
            if first != self._requested_before:
                self._requested_before = first
                load_until(page)


def load_until(transcript: Transcript, message: str = "") -> None:
    """Request the messages above the first one: at least up to `message`, else some of them. The app asks again for
    what is still missing if the transcript begins elsewhere meanwhile.
    """
    if transcript.has_earlier and len(transcript.messages):
        transcript.requested.emit(ShowEarlier(transcript.messages[0].view.id, message))


_LOOK_MS = 50
_PATIENCE = 600
"""After how many looks it gives up. The library may have other work to do first."""


class WholeChat(QObject):
    """Calls `then` once with the messages, or `otherwise` if some do not come, and deletes itself."""

    def __init__(
        self, transcript: Transcript, then: Callable[[ShownMessages], object], otherwise: Callable[[], object]
    ) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._then = then
        self._otherwise = otherwise
        self._looks = 0
        self._timer = transcript.timer(self.start)

    def start(self) -> None:
        """Hand the messages on if all are there, else ask for those above and wait."""
        messages = self._transcript.messages
        is_whole = not self._transcript.has_earlier or not len(messages)
        if is_whole or self._looks > _PATIENCE:
            self._then(messages) if is_whole else self._otherwise()
            self.deleteLater()
            return
        if not self._looks:
            load_until(self._transcript, EVERYTHING)
        self._looks += 1
        self._timer.start(_LOOK_MS)


_SIGN_AFTER_MS = 200
"""What takes less time needs no sign."""
_SIGN_LONGEST_MS = 30_000
"""If the library cannot be read, a notice says so, and nothing arrives."""
_SIGN_PX = 30
_SIGN_SIDE_PX = 14
_SIGN_BELOW_PX = 14


class BusySign(QLabel):
    """Says that older messages are being loaded, because the user went to one of them: a pill at the upper edge of the
    page. `begin` may be called again before `end`.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Loading older messages…"), parent)
        named(self, "busySign", 12)
        self.setFixedHeight(_SIGN_PX)
        self.setContentsMargins(_SIGN_SIDE_PX, 0, _SIGN_SIDE_PX, 0)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._delay = QTimer(self, singleShot=True, interval=_SIGN_AFTER_MS)
        self._delay.timeout.connect(self._appear)
        self._limit = QTimer(self, singleShot=True, interval=_SIGN_LONGEST_MS)
        self._limit.timeout.connect(self.end)
        self.hide()

    def begin(self) -> None:
        """Appear in a moment, unless the work ends before that."""
        self._limit.start()
        if self.isHidden() and not self._delay.isActive():
            self._delay.start()

    def end(self) -> None:
        """The work has ended."""
        self._delay.stop()
        self._limit.stop()
        self.hide()

    def _appear(self) -> None:
        self.adjustSize()
        self.show()
        self.raise_()

    def settle(self, size: QSize) -> None:
        """Move to the middle of the upper edge of a parent of this size."""
        self.adjustSize()
        self.move((size.width() - self.width()) // 2, _SIGN_BELOW_PX)
