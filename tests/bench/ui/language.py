"""Another language while eight chats are open: every part of the window is made anew.

The figure is CPU time of the window's thread, in its limit.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Literal

from storage.library.library import Library
from tests.bench.figures import Figure, multiple
from tests.bench.ui.desk import Desk, opened
from tests.bench.ui.scrolling import ANSWER
from tests.fakes.library import say
from ui.intents.settings import SetPreferences

_TABS, _TURNS = 8, 6
_LIMIT_MS = 300.0


def measure(home: Path) -> list[Figure]:
    """The best of two switches in each direction."""
    chats = _seeded(home)
    with opened(home) as desk:
        for chat in chats:
            desk.show(chat)
        desk.window.chats.close(desk.window.tabs.order()[0])  # the new chat that the first start opened
        desk.rest(1)
        took = [_switch(desk, language) for language in ("de", "en", "de", "en")]
    return [multiple("8 tabs: another language, in 300 ms", min(took), _LIMIT_MS)]


def _seeded(home: Path) -> list[str]:
    library = Library.open(home / "library" / "library.sqlite")
    chats = [library.conversations.create(f"Harbour {number}").id for number in range(_TABS)]
    for chat in chats:
        for turn in range(_TURNS):
            say(library, chat, f"Question {turn}: what happened in the harbour?", ANSWER)
    library.close()
    return chats


def _switch(desk: Desk, language: Literal["de", "en"]) -> float:
    """Until all tabs are there again and the one in front is painted. Returns the CPU time in ms."""
    window, arranged = desk.window, []
    began = time.thread_time()
    window.requested.emit(SetPreferences(replace(window.store.preferences.now, language=language)))
    window.chats.restored.connect(lambda: arranged.append(True))
    desk.until(lambda: bool(arranged))
    tab = desk.tab(window.tabs.current())
    desk.until(lambda: tab.transcript.is_settled)
    tab.transcript.viewport().repaint()
    return 1000 * (time.thread_time() - began)
