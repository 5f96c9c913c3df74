"""The messages above those on the page: writes them in chunks, and requests those that the app has not loaded yet.

Runs on the GUI thread. Invariants:
- Before the first paint of a history, no more is written than fills the view. The rest follows in chunks, each of which
  takes less than a frame.
- Each part that the app has not loaded is requested once, and again if the user comes back to one that never arrived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from ui.intents.chat import ShowEarlier
from ui.transcript.pending_messages import CHUNK, VIEW, PendingMessages, Portion

if TYPE_CHECKING:
    from PySide6.QtWidgets import QScrollBar

    from ui.transcript.transcript import Transcript

_REST_MS: Final = 12
_NEAR_TOP_PX: Final = 1200
_BEYOND_PX: Final = 200
"""How much is written above the view before the first paint."""


class OlderMessages(QObject):
    """Loads them into one transcript. `first` is the index of the first message on the page."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self.has_earlier = False
        self.timer = transcript.timer(self._load)
        self._transcript = transcript
        self._pending = PendingMessages()
        self._requested_before = ""
        self._wanted = ""
        self._awaits_paint = False
        transcript.verticalScrollBar().valueChanged.connect(self._near_top)

    @property
    def first(self) -> int:
        """The index of the first message on the page. Those before it are not written yet."""
        return self._pending.first

    @property
    def is_loading(self) -> bool:
        """Whether more will be written without the user."""
        return (self._awaits_paint and self._transcript.isVisible()) or self.timer.isActive()

    def begin(self, count: int) -> None:
        """Another history of `count` messages is shown, of which none is on the page."""
        self._pending = PendingMessages(count)
        self._requested_before = ""

    def catch_up(self) -> None:
        """Write as many messages as the user sees. The rest follows once they are painted."""
        transcript = self._transcript
        self._awaits_paint = transcript.isVisible()
        if self._pending.first == len(transcript.messages):
            while transcript.isVisible() and self._pending.first and self._bar.maximum() < _BEYOND_PX:
                self._write(VIEW)
        if not self._pending.loads_more:
            self._awaits_paint = False
            self._near_top(self._bar.value())

    def note_paint(self) -> None:
        """The page was painted."""
        if self._awaits_paint:
            self._awaits_paint = False
            self.timer.start(_REST_MS)

    def load_to(self, message: str) -> None:
        """Write without a pause until this message is on the page."""
        self._wanted = message
        self._transcript.busy_sign.begin()
        self._load()

    def prepend(self, count: int) -> None:
        """The app has loaded `count` more."""
        self._pending.prepend(count)

    def follow_prepended(self, count: int) -> None:
        """Write those `count` messages, or request the next if there was none."""
        if count:
            self.timer.start(0)
        else:
            self._near_top(self._bar.value())

    def remove(self, index: int) -> None:
        """The message at `index` is gone."""
        self._pending.remove(index)

    def restart(self) -> None:
        """All but the newest messages are written again, in chunks."""
        self._pending.restart(len(self._transcript.messages), self._length)
        self.timer.start(_REST_MS)

    @property
    def _bar(self) -> QScrollBar:
        return self._transcript.verticalScrollBar()

    def _length(self, index: int) -> int:
        return len(self._transcript.messages.text(index))

    def _load(self) -> None:
        if not self._transcript.isVisible() or not self._pending.first:
            return
        self._write(CHUNK)
        if self._is_wanted_above():
            self.timer.start(0)
        elif self._pending.loads_more:
            self.timer.start(_REST_MS)
        else:
            self._near_top(self._bar.value())

    def _write(self, portion: Portion) -> None:
        """Write a chunk without moving the text in view."""
        chunk = self._pending.next_chunk(self._length, portion)
        with self._transcript.keeping_below(chunk[0] + 1):
            self._transcript.write(chunk)

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
