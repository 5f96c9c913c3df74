"""Typesets formulas on a thread of its own, and keeps the pictures for all transcripts. No Qt.

Invariants:
- The thread is a daemon: the end of the process does not wait for it.
- Transcripts ask whether a picture is there; the thread calls nothing of theirs.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import lru_cache
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, NamedTuple

from ui.markdown.typesetting import typeset

if TYPE_CHECKING:
    from ui.markdown.typesetting import Typeset

MOST_BYTES: Final = 200_000_000
"""How much the pictures that are kept may take. Those on a page must be among them, or its messages would be written
for ever, and each paint would typeset. A page of nothing but formulas takes less, a usual one a hundredth.
"""


class Formula(NamedTuple):
    """A formula with its delimiters, in a line of text or on a line of its own."""

    source: str
    inline: bool


class Typesetter:
    """The pictures of formulas. The thread starts with the first one."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[Formula, Typeset | None] = OrderedDict()
        self._bytes = 0
        self._asked: set[Formula] = set()
        self._queue: SimpleQueue[Formula] = SimpleQueue()
        self._lock = threading.Lock()
        self._typesetting = threading.Lock()
        self._thread: threading.Thread | None = None

    def is_ready(self, formula: Formula) -> bool:
        """Whether the formula was typeset or refused. If not, the thread does it soon."""
        with self._lock:
            if formula in self._pictures:
                self._pictures.move_to_end(formula)
                return True
            if formula not in self._asked:
                self._asked.add(formula)
                self._queue.put(formula)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="formulas", daemon=True)
            self._thread.start()
        return False

    def picture(self, formula: Formula) -> Typeset | None:
        """The picture, or None for a formula that was refused. Typesets it now if it is not ready."""
        with self._lock:
            if formula in self._pictures:
                return self._pictures[formula]
        with self._typesetting:
            made = typeset(formula.source, inline=formula.inline)
        with self._lock:
            self._bytes += _size(formula, made) if formula not in self._pictures else 0
            self._pictures[formula] = made
            self._asked.discard(formula)
            while self._bytes > MOST_BYTES and len(self._pictures) > 1:
                self._bytes -= _size(*self._pictures.popitem(last=False))
        return made

    def _run(self) -> None:
        while True:
            self.picture(self._queue.get())


def _size(formula: Formula, picture: Typeset | None) -> int:
    return len(formula.source) + (len(picture.svg) if picture is not None else 0)


@lru_cache(maxsize=1)
def typesetter() -> Typesetter:
    """The typesetter of this process."""
    return Typesetter()
