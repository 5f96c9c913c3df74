"""Colours: asks the process that colours source code.

`colour` may be called on any thread, also that of the window, which it holds up for about a second at most, and a few
times in the life of the app. `close` may be called on any thread. See `ChildProcess`.
"""

from __future__ import annotations

import time
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Final

import msgspec

from app.base.child_process import ChildProcess, ChildStuck, ChildUnavailable, Patience
from app.base.program import Program
from storage.untrusted import decode_json
from ui.markdown.highlight import CodeRow, NotColoured, plain_rows

_LONGEST: Final = 16 << 20
"""The most bytes in an answer. A row of the longest code that is coloured needs far less."""
_MOST_STOPS: Final = 3
"""After so many codes that had to be stopped, no code is coloured until the next start: each held the window up."""
_START_S: Final = 0.5
"""The first code waits so long for the process, which usually needs half of that. Until it is there, code is plain."""
_PATIENCE: Final = Patience(start_s=10, answer_s=0.8)
"""The longest code that is coloured needs 0.3 s."""


class Colours(ChildProcess[tuple[CodeRow, ...]]):
    """One process that colours code, as long as it behaves. A code that ends or blocks it stays plain."""

    def __init__(self, program: Program, patience: Patience = _PATIENCE) -> None:
        super().__init__(
            program, _question("", ""), lambda line: decode_json(line, tuple[CodeRow, ...]), _LONGEST, patience
        )
        self._beginning = Lock()
        self._awaited_until = 0.0
        self._has_started = Event()
        self._stops = 0

    def colour(self, code: str, language: str) -> tuple[CodeRow, ...]:
        """The coloured rows of `code`. Raises NotColoured."""
        with self._beginning:
            if not self._awaited_until:
                self._awaited_until = time.monotonic() + _START_S
                self._start()
        if not self._has_started.wait(max(0.0, self._awaited_until - time.monotonic())):
            raise NotColoured
        try:
            return self.ask(_question(code, language))
        except ChildUnavailable as error:
            raise NotColoured from error
        except ChildStuck:
            self._stops += 1
            self._has_started.clear()
            self._start()
            return plain_rows(code)

    def _start(self) -> None:
        def greet() -> None:
            with suppress(ChildStuck, ChildUnavailable):
                self.ask(_question("", ""))
                self._has_started.set()

        if self._stops < _MOST_STOPS:
            Thread(target=greet, name="colours", daemon=True).start()


def _question(code: str, language: str) -> bytes:
    return msgspec.json.encode((code, language)) + b"\n"
