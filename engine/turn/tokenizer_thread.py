"""The tokenizer thread: finds the tokens of prompts while the MLX thread takes decode steps.

A long message takes as long to encode as several steps. Tokenizers of Hugging Face release Python's lock meanwhile.

The MLX thread calls all methods.

Invariants:
- Prompts are tokenized one at a time, in the order in which they were given.
- The thread calls no MLX.
- Jobs and what follows them may hold a model. After `close` this object holds none of them, and the posted calls never
  do, so the memory of a released model is free at once.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from engine.protocol.shared import Shared

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_TICKETS = count()


class TokenizerThread:
    """Runs jobs on one thread, until it is closed. `post` takes a call to the MLX thread."""

    def __init__(self, post: Callable[[Callable[[], None]], None]) -> None:
        self._post = post
        self._pool = ThreadPoolExecutor(1, "tokenizer")
        self._open: dict[str, Callable[[], None]] = {}

    def submit(self, job: Callable[[], T], then: Callable[[Callable[[], T]], None]) -> None:
        """Run `job`. On the MLX thread, `then` gets a function that returns its result, or raises its error."""
        ticket = f"tokens {next(_TICKETS)}"
        outcome = Shared(ticket, partial(self._done, ticket))

        def run() -> T:
            try:
                return job()
            finally:
                self._post(outcome)  # `future.result` waits until this function has returned

        future = self._pool.submit(run)
        self._open[ticket] = partial(then, future.result)

    def close(self) -> None:
        """Drop the jobs that wait, and wait for the one that runs. Nothing follows any of them. Ends the thread."""
        self._open.clear()
        self._pool.shutdown(cancel_futures=True)

    def _done(self, ticket: str) -> None:
        """Call what follows a job, unless this object was closed meanwhile. If the call fails, the job stays open."""
        if follow := self._open.get(ticket):
            follow()
            self._open.pop(ticket, None)
