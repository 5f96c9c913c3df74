"""Opening a conversation of 1,000 messages: from the click in the sidebar to its first paint."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer

from storage.library.library import Library
from tests.bench.figures import Figure, multiple
from tests.bench.ui.desk import Desk, opened
from tests.fakes.library import say
from ui.intents.chat import InChat, Open

_LONG, _SHORT = 500, 5
"""Turns; each has two messages."""
_RUNS = 7
_ANSWER = (
    "The **harbour** was quiet.\n\n1. One boat left.\n2. Another followed.\n\n```python\nprint('boats')\n```\n\n" * 3
)


def measure(home: Path) -> list[Figure]:
    """The time to the first paint, and until the page has everything that it loads, compared with ten messages. Other
    work on the machine delays both, so the CPU time to the first paint is compared with a limit.
    """
    long, short = _seeded(home)
    with opened(home) as desk:
        desk.rest(1)
        rounds = [(_open(desk, short), _open(desk, long)) for _ in range(_RUNS + 1)][1:]
    of_short, of_long = zip(*rounds, strict=True)
    compute = statistics.median(time[2] for time in of_long)
    figures = [
        multiple(f"1,000 messages: {what}, in that of ten messages", _median(of_long, at), _median(of_short, at))
        for at, what in enumerate(("first paint", "all loaded"))
    ]
    return [*figures, multiple("1,000 messages: first paint, CPU time of the window's thread, in 50 ms", compute, 50.0)]


def _seeded(home: Path) -> tuple[str, str]:
    """The names of a long and a short conversation in the library of `home`."""
    library = Library.open(home / "library" / "library.sqlite")
    names = []
    for turns in (_LONG, _SHORT):
        chat = library.conversations.create().id
        for turn in range(turns):
            say(library, chat, f"Question {turn}: what happened in the harbour?", _ANSWER)
        names.append(chat)
    library.close()
    return names[0], names[1]


def _open(desk: Desk, chat: str) -> tuple[float, float, float]:
    """The times from the click to the first paint of its newest message, and until its page is settled, and the CPU
    time to the first paint, in ms.
    """
    chats = desk.window.chats
    if chats.tab(chat) is not None:
        chats.close(chat)
        desk.rest(0.3)
    paints = _Paints(lambda: chats.tabs.current() == chat and bool(desk.tab(chat).transcript.loaded))
    desk.window.installEventFilter(paints)
    began, computed = time.perf_counter(), time.thread_time()
    desk.window.requested.emit(InChat(chat, Open()))
    desk.until(lambda: paints.first > 0 and desk.tab(chat).transcript.is_settled)
    settled = time.perf_counter()
    desk.window.removeEventFilter(paints)
    return 1000 * (paints.first - began), 1000 * (settled - began), 1000 * (paints.computed - computed)


class _Paints(QObject):
    """Notes the end of the window's first paint at which `shown` holds."""

    def __init__(self, shown: Callable[[], bool]) -> None:
        super().__init__()
        self.first = self.computed = 0.0
        self._shown = shown
        self._waits = True

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """An update request paints the window before it returns."""
        if self._waits and event.type() == QEvent.Type.UpdateRequest and self._shown():
            self._waits = False
            QTimer.singleShot(0, self._note)
        return False

    def _note(self) -> None:
        self.first, self.computed = time.perf_counter(), time.thread_time()


def _median(times: tuple[tuple[float, float, float], ...], at: int) -> float:
    return statistics.median(time[at] for time in times)
