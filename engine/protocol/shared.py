"""An outcome that the machines that run one model together take in the same order. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shared:
    """The outcome of a job that an engine does on another thread, as a call to the MLX thread. Each machine does the
    job, and its outcome has the same ticket on all of them.
    """

    ticket: str
    call: Callable[[], None]

    def __call__(self) -> None:
        """Continue with the outcome."""
        self.call()
