"""The pace at which a group prefills prompts, measured from pass to pass. On the MLX thread."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

FEWEST_TOKENS: Final = 64
"""A shorter pass says more about the time of a step than about the pace of a prompt."""


class Pace:
    """`tokens_per_second` is that of the last part of a prompt; None until there was one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = 0.0
        self._tokens = 0
        self.tokens_per_second: float | None = None

    def begin(self, tokens: int) -> None:
        """A pass of so many tokens begins: the one before it has ended."""
        now = self._clock()
        if self._tokens >= FEWEST_TOKENS and now > self._began:
            self.tokens_per_second = self._tokens / (now - self._began)
        self._began, self._tokens = now, tokens

    def seconds(self, tokens: int) -> float | None:
        """How long a prompt of so many tokens takes; None if that is not known yet."""
        return tokens / self.tokens_per_second if self.tokens_per_second else None
