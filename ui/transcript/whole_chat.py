"""WholeChat: loads the earlier messages of a tab, then hands all of them on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ui.intents.chat import EVERYTHING
from ui.transcript.older_messages import load_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.transcript.messages import ShownMessages
    from ui.transcript.transcript import Transcript

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
