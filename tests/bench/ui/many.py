"""A library of 10,000 chats: the sidebar opens, changes and scrolls, the palette opens and answers, search answers.

All figures are CPU time of one thread, in their limit.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from pathlib import Path

from PySide6.QtTest import QTest

from app.chat import views
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.library import Library
from tests.bench.figures import Figure, multiple
from tests.bench.ui.desk import Desk, opened
from tests.fakes.library import import_all
from ui.state.chat import ChatPhase, ChatStatus
from ui.state.library import ConversationRow

_CHATS, _MESSAGES = 10_000, 4
_OPEN_MS, _STALL_MS, _KEY_MS = 100.0, 16.0, 30.0
_STEPS, _CHANGES = 200, 7
_SYLLABLES = ("ka", "to", "mi", "ra", "lis", "bon", "math", "ver", "dor", "con", "pre", "ing", "er", "al", "ti")
_TYPED = ("m", "ma", "mat", "math", "onli", "#urgent", "trip mat", '"trip to')


def measure(home: Path) -> list[Figure]:
    """The figures of the window and of the library's search."""
    library = _seeded(home)
    typed = [min(_took(partial(library.search.find, text)) for _ in range(3)) for text in _TYPED]
    rows = tuple(map(views.row, library.conversations.listed()))
    library.close()
    with opened(home) as desk:
        desk.until(lambda: len(desk.window.sidebar.model.known.values()) >= _CHATS)
        figures = _in_window(desk, rows)
    return [*figures, multiple("10,000 chats: search, the slowest key, in 30 ms", max(typed), _KEY_MS)]


def _seeded(home: Path) -> Library:
    library, dice = Library.open(home / "library" / "library.sqlite"), random.Random(1)  # noqa: S311 - the same words in each run
    vocabulary = ["".join(dice.choices(_SYLLABLES, k=dice.randint(1, 4))) for _ in range(20_000)]
    weights = list(accumulate(1 / (rank + 1) for rank in range(len(vocabulary))))

    def words(count: int) -> str:
        return " ".join(dice.choices(vocabulary, cum_weights=weights, k=count))

    chats = []
    for number in range(_CHATS):
        said = tuple(
            ArchivedMessage(str(at), str(at - 1) if at else None, "assistant" if at % 2 else "user", words(60))
            for at in range(_MESSAGES)
        )
        tags = ("urgent",) if number % 10 == 0 else ()
        chats.append(ArchivedConversation(f"Trip to {words(3)}", said, leaf=said[-1].id, tags=tags))
    import_all(library, Archive(tuple(chats)))
    return library


def _in_window(desk: Desk, rows: tuple[ConversationRow, ...]) -> list[Figure]:
    window, sidebar = desk.window, desk.window.sidebar
    newest = [_moved(rows, number) for number in range(1, 8)]
    opening = statistics.median(_took(partial(_shown, desk, listed)) for listed in newest)
    statuses = [ChatStatus(phase=ChatPhase.GENERATING, tokens_per_second=60.0 + at) for at in range(_CHANGES)]
    changes = [partial(sidebar.model.set_status, rows[-1].id, status) for status in statuses]
    changed = statistics.median(_took(partial(_painted, desk, change)) for change in changes)
    bar = sidebar.list.verticalScrollBar()
    steps = [at * bar.maximum() // _STEPS for at in range(_STEPS)]
    stalls = [_took(partial(_painted, desk, partial(bar.setValue, step))) for step in steps]
    palette = _took(lambda: _painted(desk, window.commands.open_palette))
    keys = [_took(partial(QTest.keyClicks, window.palette_box.field, key)) for key in "trip mat"]
    return [
        multiple("10,000 chats: sidebar, first paint, in 100 ms", opening, _OPEN_MS),
        multiple("10,000 chats: sidebar, a row changes, in 16 ms", changed, _STALL_MS),
        multiple("10,000 chats: sidebar, the slowest of 200 scroll steps, in 16 ms", max(stalls), _STALL_MS),
        multiple("10,000 chats: palette opens, in 100 ms", palette, _OPEN_MS),
        multiple("10,000 chats: palette, the slowest key, in 30 ms", max(keys), _KEY_MS),
    ]


def _moved(rows: tuple[ConversationRow, ...], number: int) -> tuple[ConversationRow, ...]:
    """The list after a message in one of the chats: all rows have another place."""
    at = number * 1000
    return (rows[at], *rows[:at], *rows[at + 1 :])


def _shown(desk: Desk, rows: tuple[ConversationRow, ...]) -> None:
    _painted(desk, lambda: desk.window.sidebar.show_conversations(rows))


def _painted(desk: Desk, change: Callable[[], object]) -> None:
    """Do something, and paint what it changed."""
    change()
    desk.window.sidebar.list.viewport().repaint()


def _took(work: Callable[[], object]) -> float:
    """The CPU time of this thread in ms."""
    began = time.thread_time()
    work()
    return 1000 * (time.thread_time() - began)
