"""Jumps in the transcript: to the message before or after the one at the top, and to the chat's first message."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject

from ui.intents.chat import EVERYTHING
from ui.transcript.older_messages import load_until
from ui.transcript.transcript import Transcript

_ABOVE_PX: Final = 20
"""Space above the message that was jumped to."""
_NEAR_PX: Final = 6


class Jumps(QObject):
    """Moves the view of one transcript. A jump to the top loads the whole chat first."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._bar = transcript.verticalScrollBar()
        self._is_going_up = False
        transcript.settled.connect(self._go_up)

    def previous(self) -> None:
        """Go to the last message that begins above the view's top."""
        above = [at for at in self._transcript.loaded if self._place(at) < self._bar.value() - _NEAR_PX]
        if above:
            self._bar.setValue(self._place(above[-1]))

    def next(self) -> None:
        """Go to the first message that begins below the view's top."""
        below = (at for at in self._transcript.loaded if self._place(at) > self._bar.value() + _NEAR_PX)
        self._bar.setValue(self._place(next(below, -1)))

    def to_top(self) -> None:
        """Go to the first message of the chat."""
        self._is_going_up = True
        load_until(self._transcript, EVERYTHING)
        self._go_up()

    def _go_up(self) -> None:
        transcript = self._transcript
        if not self._is_going_up or not len(transcript.messages):
            return
        if transcript.has_earlier:
            transcript.busy_sign.begin()
            return
        transcript.older.load_to(0)
        if not transcript.loaded.start:
            self._is_going_up = False
            transcript.busy_sign.end()
            self._bar.setValue(0)

    def _place(self, at: int) -> int:
        """The value of the scroll bar with a message at the top; the end for no message."""
        if at < 0:
            return self._bar.maximum()
        top = round(self._transcript.scrolling.top_of(at)) - _ABOVE_PX if at else 0
        return max(0, min(top, self._bar.maximum()))
