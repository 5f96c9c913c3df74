"""The tokenizer thread: finds the tokens of prompts while the MLX thread takes decode steps.

A long message takes as long to encode as several steps. Tokenizers of Hugging Face release Python's lock meanwhile.

Invariants:
- Prompts are tokenized one at a time, in the order in which they were given.
- The thread calls no MLX.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class TokenizerThread:
    """Runs jobs on one thread, which ends with this object. `post` takes a call to the MLX thread."""

    def __init__(self, post: Callable[[Callable[[], None]], None]) -> None:
        self._post = post
        self._pool = ThreadPoolExecutor(1, "tokenizer")

    def submit(self, job: Callable[[], T], then: Callable[[Callable[[], T]], None]) -> None:
        """Run `job`. On the MLX thread, `then` gets a function that returns its result, or raises its error."""
        self._pool.submit(job).add_done_callback(lambda future: self._post(partial(then, future.result)))
