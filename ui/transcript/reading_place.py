"""ReadingPlace: where the user reads in a transcript, so that another transcript of the same chat can show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer

from ui.transcript.older_messages import load_until

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """The message at the top of the view, and how far it is scrolled. Without a message the view is at the end."""

    message: str = ""
    below_px: int = 0

    @classmethod
    def of(cls, transcript: Transcript) -> ReadingPlace:
        """The place in a transcript now, or the one to which it will return when it is shown."""
        if (pending := transcript.findChild(_Return)) is not None:
            return pending.place
        value = transcript.verticalScrollBar().value()
        above = [at for at in transcript.loaded if transcript.scrolling.top_of(at) <= value]
        if transcript.scrolling.is_following or not above:
            return cls()
        return cls(transcript.messages.view(above[-1]).id, value - round(transcript.scrolling.top_of(above[-1])))

    def restore(self, transcript: Transcript) -> None:
        """Scroll to the place, once the text is there."""
        if self.message:
            _Return(self, transcript).go()


class _Return(QObject):
    """Loads older messages until the one of the place is on the page, and scrolls there. A hidden transcript has
    nothing on its page: it waits until it is shown.
    """

    def __init__(self, place: ReadingPlace, transcript: Transcript) -> None:
        super().__init__(transcript)
        self.place = place
        self._transcript = transcript
        transcript.settled.connect(self.go)
        transcript.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Return once the transcript has written what it shows first."""
        if event.type() == QEvent.Type.Show:
            QTimer.singleShot(0, self, self.go)
        return False

    def go(self) -> None:
        """Scroll, or ask for what is missing."""
        transcript = self._transcript
        if not transcript.isVisible():
            return
        at = next((at for at in range(len(transcript.messages)) if self._is(at)), None)
        if at is None:
            load_until(transcript, self.place.message)
            return
        if at not in transcript.loaded:
            transcript.older.load_to(at)
        if at in transcript.loaded and transcript.is_settled:
            transcript.verticalScrollBar().setValue(round(transcript.scrolling.top_of(at)) + self.place.below_px)
            self.deleteLater()

    def _is(self, at: int) -> bool:
        return self._transcript.messages.view(at).id == self.place.message
