"""Injected failures: makes the n-th call that copies or evaluates an array raise.

Counts the calls into MLX from the engine and from mlx-lm's caches, the copies of caches, and each forward pass twice:
before it, and after it when the caches have changed. Calls on the MLX thread and on the I/O threads are counted
separately, because only the former have the same order in every run.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Final, Literal
from unittest import mock

import mlx.core as mx

from engine.server import open_requests

Where = Literal["mlx", "io"]
PLACES: Final[tuple[Where, ...]] = ("mlx", "io")

_CALLS: Final = (
    "async_eval",
    "concatenate",
    "contiguous",
    "eval",
    "load",
    "max",
    "pad",
    "repeat",
    "roll",
    "split",
    "stack",
    "take",
    "zeros",
)
_CALLERS: Final = ("engine.", "mlx_lm.models.cache")

ERRORS: Final[tuple[Exception, ...]] = (
    MemoryError("out of memory"),
    RuntimeError("the device does not answer"),
    RuntimeError("[metal::malloc] Attempting to allocate 4294967296 bytes which is greater than the maximum allowed."),
)


@dataclass
class Injection:
    """Raises `error` at call number `at` on the threads `where`; 0: never. `sites` are the counted calls, each as the
    names and lines of the engine's functions that led to it.
    """

    where: Where = "mlx"
    at: int = 0
    error: Exception = ERRORS[0]
    sites: list[tuple[str, ...]] = field(default_factory=list)

    def count(self) -> None:
        """Called before each counted call."""
        own: Where = "mlx" if threading.current_thread() is threading.main_thread() else "io"
        if own != self.where:
            return
        self.sites.append(engine_lines(sys._getframe(1)))
        if len(self.sites) == self.at:
            raise self.error

    @contextmanager
    def into(self, model: Any) -> Iterator[None]:
        """Count the calls made within the block. `model` is the model that answers."""
        with ExitStack() as stack:
            for name in _CALLS:
                stack.enter_context(mock.patch.object(mx, name, self._counted(getattr(mx, name))))
            stack.enter_context(mock.patch.object(open_requests, "deepcopy", self._always(deepcopy)))
            stack.enter_context(mock.patch.object(type(model), "__call__", self._around(type(model).__call__)))
            yield

    def _counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            if str(sys._getframe(1).f_globals.get("__name__")).startswith(_CALLERS):
                self.count()
            return function(*args, **kwargs)

        return counted

    def _always(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.count()
            return function(*args, **kwargs)

        return counted

    def _around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.count()
            result = function(*args, **kwargs)
            self.count()
            return result

        return counted


def engine_lines(frame: FrameType | None) -> tuple[str, ...]:
    """The engine's lines that led to `frame`, the innermost first."""
    frames = []
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("engine."):
            frames.append(f"{frame.f_globals['__name__']}:{frame.f_lineno}")
        frame = frame.f_back
    return tuple(frames)
