"""Counts what an engine does, where it calls the model, MLX, the system and SQLite. The product's code knows nothing of
it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final
from unittest import mock

import mlx.core as mx

from storage.segments.files import Disk

PASSES, TOKENS, EVALUATIONS, WAITS, CLEARS = "passes", "tokens", "evaluations", "waits", "clears"
OPENS, READS, WRITTEN, HELD = "opens", "reads", "written", "held"
STATEMENTS, TRANSACTIONS = "statements", "transactions"

COUNTS: Final = {
    PASSES: "calls of the model",
    TOKENS: "tokens that these calls compute, of all rows",
    EVALUATIONS: "calls of `mx.eval` and `mx.async_eval`",
    WAITS: "calls that wait for MLX's result: `item`, `tolist`, `mx.synchronize`",
    CLEARS: "calls of `mx.clear_cache`",
    OPENS: "calls of `os.open`, for files and folders",
    READS: "calls of `os.pread` and `os.preadv`",
    WRITTEN: "bytes written into records",
    HELD: "bytes of all records after the stage",
    STATEMENTS: "SQL statements of the segment index",
    TRANSACTIONS: "transactions among them",
}
"""The counts in the order of the table. Fewer are better in each."""


class Tally:
    """Counts by name. Any thread may add."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, name: str, number: int = 1) -> None:
        with self._lock:
            self._counts[name] += number

    def taken(self) -> Counter[str]:
        """The counts since the last call."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        return counts


@contextmanager
def counted(model: type, tally: Tally) -> Iterator[None]:
    """Count into `tally` what this process does. `model` is the class of the model in use."""
    seams = [
        (model, "__call__", lambda _, tokens, *__, **___: _passed(tally, tokens)),
        *((mx, name, lambda *_: tally.add(EVALUATIONS)) for name in ("eval", "async_eval")),
        *((mx.array, name, lambda *_: tally.add(WAITS)) for name in ("item", "tolist")),
        (mx, "synchronize", lambda *_: tally.add(WAITS)),
        (mx, "clear_cache", lambda *_: tally.add(CLEARS)),
        (os, "open", lambda *_, **__: tally.add(OPENS)),
        *((os, name, lambda *_: tally.add(READS)) for name in ("pread", "preadv")),
        (Disk, "write", lambda _, __, data: tally.add(WRITTEN, memoryview(data).nbytes)),
    ]
    with ExitStack() as patched:
        for owner, name, note in seams:
            patched.enter_context(mock.patch.object(owner, name, _noted(getattr(owner, name), note)))
        patched.enter_context(mock.patch.object(sqlite3, "connect", _traced(sqlite3.connect, tally)))
        yield


def _noted(act: Callable[..., Any], note: Callable[..., None]) -> Callable[..., Any]:
    """`act`, which first notes its arguments. A function, so that a class binds it as a method."""

    def noted(*args: Any, **options: Any) -> Any:
        note(*args, **options)
        return act(*args, **options)

    return noted


def _passed(tally: Tally, tokens: mx.array) -> None:
    tally.add(PASSES)
    tally.add(TOKENS, tokens.size)


def _traced(connect: Callable[..., sqlite3.Connection], tally: Tally) -> Callable[..., sqlite3.Connection]:
    def connected(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*args, **options)
        connection.set_trace_callback(lambda statement: _stated(tally, statement))
        return connection

    return connected


def _stated(tally: Tally, statement: str) -> None:
    """Count a statement. SQLite reports those inside a trigger as comments."""
    if not statement.startswith("--"):
        tally.add(STATEMENTS)
        tally.add(TRANSACTIONS, statement.startswith("BEGIN"))
