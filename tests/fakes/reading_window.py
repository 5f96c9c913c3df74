"""`hearth` with an engine that never finishes a long prompt: asks a short question, then a long one, and prints
`reading` while the engine reads it. Then it is an ordinary window. Run as a script.
"""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QTimer

from app.base import program
from app.base.ports import TurnEnd
from app.base.program import Program
from app.desktop import launch
from app.desktop.hearth import Hearth
from tests.fakes.endless_prefill import LONG
from ui.intents.chat import InChat, Submit
from ui.state.chat import ChatPhase

SHORT_QUESTION = "Where is the harbour?"
LONG_QUESTION = "harbour " * LONG


def _engine(segments: Path, **_named: object) -> Program:
    arguments = ("-m", "tests.fakes.endless_prefill", "--segments", str(segments))
    return Program(sys.executable, arguments, Path(__file__).parents[2])


class _Hearth(Hearth):
    """An app that asks by itself."""

    def start(self) -> None:
        super().start()
        self.answered.connect(self._ask_again)
        self._watch = QTimer(self, interval=20)
        self._watch.timeout.connect(self._ask)
        self._watch.start()

    def _ask(self) -> None:
        if self.connection.ready and (chat := self.window.tabs.current()):
            self._watch.stop()
            self.window.requested.emit(InChat(chat, Submit(SHORT_QUESTION)))

    def _ask_again(self, end: TurnEnd) -> None:
        self.answered.disconnect(self._ask_again)
        self.window.requested.emit(InChat(end.conversation, Submit(LONG_QUESTION)))
        self._watch.timeout.disconnect(self._ask)
        self._watch.timeout.connect(lambda: self._tell(end.conversation))
        self._watch.start()

    def _tell(self, chat: str) -> None:
        if self.conversations.sessions.of(chat).status.phase is ChatPhase.PREFILL:
            self._watch.stop()
            sys.stdout.write("reading\n")
            sys.stdout.flush()


if __name__ == "__main__":
    with patch.object(program, "engine", _engine), patch.object(launch, "Hearth", _Hearth):
        sys.exit(launch.run())
