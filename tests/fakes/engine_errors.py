"""The codes of all errors of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.protocol.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Iterator


def _codes(error: type[EngineError]) -> Iterator[str]:
    yield error.code
    for kind in error.__subclasses__():
        if kind.__module__ == EngineError.__module__:
            yield from _codes(kind)


CODES = frozenset(_codes(EngineError))
"""Every code that can reach the app."""
