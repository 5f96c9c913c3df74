"""What the machines that run one model together have in common: outcomes with tickets, and figures to decide by. An
engine on one machine decides by its own figures. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Agreed = Callable[[str, int], int]
"""Gives the least of a figure on all machines that run the model, from its name and this machine's own."""


def own_figure(_name: str, own: int) -> int:
    """The figure of the only machine."""
    return own


@dataclass(frozen=True, slots=True)
class Shares:
    """What each machine of a group has of the loaded model, this one first: the bytes of its weights, and the
    nanoseconds that it takes for one of its layers (0: a layer is not on one machine alone). Empty without a group.
    """

    weight_bytes: tuple[int, ...] = ()
    layer_times: tuple[int, ...] = ()


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
