"""Panics of libraries in Rust, such as tokenizers, as exceptions that the engine's edges catch.

A panic reaches Python as a BaseException, so it would pass every edge and end the process.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_PANIC: Final = "PanicException"
"""Each library has its own class of this name, and none can be imported."""


@contextmanager
def panics_as_errors() -> Iterator[None]:
    """Raise a panic in the block as a RuntimeError."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ == _PANIC:
            raise RuntimeError(str(error)) from error
        raise
