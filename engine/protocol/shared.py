"""The outcome of a job that an engine does on another thread. If several machines run one model, each does the job, and
its outcome has the same ticket on all of them. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Shared:
    """A call to the MLX thread, which continues with the outcome."""

    ticket: str
    call: Callable[[], None]

    def __call__(self) -> None:
        """Continue."""
        self.call()
