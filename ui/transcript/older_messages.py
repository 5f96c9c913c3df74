"""The messages that are not on the page: writes them in chunks, and requests those that the app has not loaded yet.

Runs on the GUI thread. Invariants:
- The messages on the page are neighbours. A page that is too long loses messages far below or above the view.
- A long message is written in parts, from its end upwards or from its beginning downwards. It is in `on_page` when all
  of it is there.
- What is selected stays on the page.
- Before the first paint of a history, no more is written than fills the view. The rest follows in chunks, each of which
  takes less than a frame.
- Each part that the app has not loaded is requested once, and again if the user comes back to one that never arrived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from ui.intents.chat import ShowEarlier
from ui.state.chat import MessageState
from ui.transcript.pending_messages import CHUNK, VIEW, ChunkSize, PendingMessages, part_size

if TYPE_CHECKING:
    from PySide6.QtWidgets import QScrollBar

    from ui.transcript.transcript import Transcript

_REST_MS: Final = 12
_NEAR_TOP_PX: Final = 1200
_BEYOND_PX: Final = 200
"""How much is written above the view before the first paint."""
_KEPT_PX: Final = 4_000
"""How much stays on the page on both sides of the view."""
_NEAR: Final = 12
"""A message that is no more messages away is reached by writing those between."""
_ONE: Final = ChunkSize(1, 0)


class OlderMessages(QObject):
    """Brings messages of one transcript on its page, and takes them off."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self.has_earlier = False
        self.timer = transcript.timer(self._load)
        self._below_timer = transcript.timer(self._load_below)
        self.timers = (self.timer, self._below_timer)
        self._transcript = transcript
        self._pending = PendingMessages()
        self._requested_before = ""
        self._wanted = ""
        self._awaits_paint = False
        transcript.verticalScrollBar().valueChanged.connect(self._near_top)
        transcript.verticalScrollBar().valueChanged.connect(self._near_bottom)
        transcript.scrolling.end_wanted.connect(self._return_to_end)

    @property
    def on_page(self) -> range:
        """The indexes of the messages on the page."""
        return range(self._pending.first, self._pending.end)

    @property
    def _written(self) -> range:
        """The indexes of the messages on the page, and of those of which a part is there."""
        first, end, lines = self._pending.first, self._pending.end, self._transcript.writer.lines
        above = first > 0 and bool(lines(first - 1))
        below = end < len(self._transcript.messages) and bool(lines(end))
        return range(first - above, end + below)

    @property
    def is_loading(self) -> bool:
        """Whether more will be written without the user."""
        is_waiting = any(timer.isActive() for timer in self.timers)
        return (self._awaits_paint and self._transcript.isVisible()) or is_waiting

    def begin(self, count: int) -> None:
        """Another history of `count` messages is shown, of which none is on the page."""
        self._pending = PendingMessages(count)
        self._requested_before = ""
        self._note_end()

    def catch_up(self) -> None:
        """Write as many messages as the user sees. The rest follows once they are painted."""
        transcript = self._transcript
        self._awaits_paint = transcript.isVisible()
        if self._pending.first == len(transcript.messages):
            while transcript.isVisible() and self._pending.first and self._bar.maximum() < _BEYOND_PX:
                if not self._is_written_in_parts(self._pending.first - 1):
                    self._write_chunk_above(VIEW)
                elif not self._transcript.messages.is_parsing(self._pending.first - 1):
                    self._write_next_above()
                else:
                    break
        if not self._pending.loads_more:
            self._awaits_paint = False
            self._near_top(self._bar.value())

    def note_paint(self) -> None:
        """The page was painted."""
        if self._awaits_paint:
            self._awaits_paint = False
            self.timer.start(_REST_MS)

    def load_to(self, message: str) -> None:
        """Bring a message on the page: write all down to it, or begin anew there if it is far away."""
        index = self._transcript.messages.index(message)
        if index is None or index in self.on_page:
            return
        is_near = index < self._pending.first <= index + _NEAR
        if is_near or not self._transcript.isVisible():
            self._wanted = message
            self._transcript.busy_sign.begin()
            self._load()
        else:
            self._begin_at(index)

    def _begin_at(self, index: int) -> None:
        """Take all messages off the page, and write those from `index` on."""
        self._transcript.scrolling.stop_following()
        self._take_off(self._written)
        self._pending.jump(index)
        self._note_end()
        while not self._transcript.scrolling.reaches_end and self._bar.maximum() < _NEAR_TOP_PX:
            self._write_chunk_below(VIEW)
        self._bar.setValue(0)
        self._near_top(0)

    def _return_to_end(self) -> None:
        """Show the newest messages again."""
        self._take_off(self._written)
        self._pending = PendingMessages(len(self._transcript.messages))
        self._note_end()
        self.catch_up()

    def _take_off(self, indexes: range) -> None:
        with self._transcript.writing():
            self._transcript.writer.write_all((index, ()) for index in indexes)

    def _note_end(self) -> None:
        self._transcript.scrolling.reaches_end = self._pending.end == len(self._transcript.messages)

    def append(self) -> None:
        """One more message follows all others."""
        self._pending.append(len(self._transcript.messages))

    def branch(self, kept: int) -> None:
        """All messages but the first `kept` were replaced."""
        self._pending.branch(kept, len(self._transcript.messages))
        self._note_end()

    def prepend(self, count: int) -> None:
        """The app has loaded `count` more."""
        self._pending.prepend(count)

    def follow_prepended(self, count: int) -> None:
        """Write those `count` messages, or request the next if there was none."""
        if count:
            self.timer.start(0)
        else:
            self._near_top(self._bar.value())

    @property
    def _bar(self) -> QScrollBar:
        return self._transcript.verticalScrollBar()

    def _length(self, index: int) -> int:
        return self._transcript.messages.length(index)

    def _load(self) -> None:
        if not self._transcript.isVisible() or not self._pending.first:
            return
        if self._shorten_below():
            self.timer.start(0)
            return
        self._write_next_above()
        if self._is_wanted_above():
            self.timer.start(0)
        elif self._pending.loads_more:
            self.timer.start(_REST_MS)
        else:
            self._near_top(self._bar.value())

    def _write_next_above(self) -> None:
        """Write a chunk of messages, or parse a long one, or write its next part."""
        fitting = self._pending.fitting_above(self._length)
        if fitting:
            self._write_chunk_above(CHUNK._replace(messages=fitting))
            return
        index = self._pending.first - 1
        if self._transcript.messages.parse(index):
            return  # parsing takes as long as a part
        lines = self._transcript.updates.lines(index)
        stop = max(0, len(lines) - len(self._transcript.writer.lines(index)))
        start = stop - part_size(reversed(lines[:stop]))
        with self._transcript.scrolling.keeping_below(index + 1):
            self._transcript.updates.write([index], slice(start, None))
        if not start:
            self._pending.next_chunk(self._length, _ONE)

    def _is_written_in_parts(self, index: int) -> bool:
        """Whether a message is long. One that is being generated is written whole, as it changes all the time."""
        is_open = self._transcript.messages.view(index).state is MessageState.OPEN
        return not is_open and self._length(index) > CHUNK.characters

    def is_being_parsed(self, index: int) -> bool:
        """Whether a message is long and a thread parses it now. Starts the thread if the message was not parsed yet."""
        messages = self._transcript.messages
        return self._is_written_in_parts(index) and messages.parse(index) and messages.is_parsing(index)

    def _write_chunk_above(self, portion: ChunkSize) -> None:
        """Write a chunk above the page without moving the text in view."""
        chunk = self._pending.next_chunk(self._length, portion)
        with self._transcript.scrolling.keeping_below(chunk[0] + 1):
            self._transcript.updates.write(chunk)

    def _near_bottom(self, value: int) -> None:
        if self._transcript.scrolling.reaches_end or self._below_timer.isActive():
            return
        if self._bar.maximum() - value < _NEAR_TOP_PX:
            self._below_timer.start(_REST_MS)

    def _load_below(self) -> None:
        if not self._transcript.isVisible() or self._transcript.scrolling.reaches_end:
            return
        if self._shorten_above():
            self._below_timer.start(0)
            return
        self._write_next_below()
        self._near_bottom(self._bar.value())

    def _write_next_below(self) -> None:
        """Write a chunk of messages, or parse a long one, or write its next part."""
        fitting = self._pending.fitting_below(self._length, len(self._transcript.messages))
        if fitting:
            self._write_chunk_below(CHUNK._replace(messages=fitting))
            return
        index = self._pending.end
        if self._transcript.messages.parse(index):
            return
        lines, start = self._transcript.updates.lines(index), len(self._transcript.writer.lines(index))
        stop = start + part_size(lines[start:])
        self._transcript.updates.write([index], slice(stop))
        if stop >= len(lines):
            self._write_chunk_below(_ONE)

    def _write_chunk_below(self, portion: ChunkSize) -> None:
        """Write a chunk below the page."""
        messages = self._transcript.messages
        self._transcript.updates.write(self._pending.next_below(self._length, len(messages), portion))
        self._note_end()

    def _may_shorten(self) -> bool:
        transcript = self._transcript
        is_read = not transcript.scrolling.is_following and not transcript.textCursor().hasSelection()
        return is_read and self._pending.excess(self._length) > 0

    def _shorten_below(self) -> bool:
        """Take messages off the page that are far below the view, if it is too long. Return whether there were any."""
        transcript, end = self._transcript, self._pending.end
        if not self._may_shorten():
            return False
        written = self._written
        bottom = self._bar.value() + transcript.viewport().height() + _KEPT_PX
        while self._pending.excess(self._length) > 0 and transcript.scrolling.top_of(self._pending.end - 1) > bottom:
            self._pending.end -= 1
        if self._pending.end == end:
            return False
        self._take_off(range(self._pending.end, written.stop))
        self._note_end()
        return True

    def _shorten_above(self) -> bool:
        """Take messages off the page that are far above the view, if it is too long. The view does not move. Return
        whether there were any.
        """
        transcript, first = self._transcript, self._pending.first
        if not self._may_shorten():
            return False
        written = self._written
        top = self._bar.value() - _KEPT_PX
        while self._pending.excess(self._length) > 0 and transcript.scrolling.top_of(self._pending.first + 1) < top:
            self._pending.first += 1
        if self._pending.first == first:
            return False
        with transcript.scrolling.keeping_below(self._pending.first):
            self._take_off(range(written.start, self._pending.first))
        return True

    def _is_wanted_above(self) -> bool:
        """Whether the message that `load_to` was called for is not on the page yet."""
        if not self._wanted:
            return False
        wanted = self._transcript.messages.index(self._wanted)
        if wanted is None or wanted >= self._pending.first:
            self._wanted = ""
            self._transcript.busy_sign.end()
        return bool(self._wanted)

    def _near_top(self, value: int) -> None:
        if value >= _NEAR_TOP_PX:
            self._requested_before = ""
        elif self._pending.first:
            if not self.is_loading:
                self.timer.start(_REST_MS)
        else:
            self._request()

    def _request(self) -> None:
        messages = self._transcript.messages
        if not self.has_earlier or not len(messages) or not self._transcript.isVisible():
            return
        first = messages.view(0).id
        if first != self._requested_before:
            self._requested_before = first
            self._transcript.requested.emit(ShowEarlier(first))
