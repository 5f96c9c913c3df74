"""PauseButton: the pill that pauses an answer and resumes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.language.text import tr
from ui.intents.chat import PauseAnswer, ResumeAnswer
from ui.state.chat import ChatPhase
from ui.widgets.pill import Pill

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.context import PageContext


class PauseButton(Pill):
    """Visible only while an answer is being written or paused."""

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__("pause", parent)
        self._context = context
        self.setObjectName("pause")
        self._phase = ChatPhase.IDLE
        self.clicked.connect(self._act)
        self._offer()

    def set_phase(self, phase: ChatPhase) -> None:
        """Offer to pause or to resume, according to `phase`."""
        if phase is not self._phase:
            self._phase = phase
            self._offer()

    def _offer(self) -> None:
        paused = self._phase is ChatPhase.PAUSED
        self.set_icon("play" if paused else "pause")
        self.setText(tr("Resume") if paused else tr("Pause"))
        self.setAccessibleName(tr("Resume answer") if paused else tr("Pause answer"))
        self.setToolTip(tr("Go on with this answer") if paused else tr("Pause this answer; it goes on where it was"))
        self.setVisible(self._phase in {ChatPhase.GENERATING, ChatPhase.PAUSED})
        self.updateGeometry()

    def _act(self) -> None:
        self._context.send(ResumeAnswer() if self._phase is ChatPhase.PAUSED else PauseAnswer())
