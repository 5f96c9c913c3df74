"""The codes of all errors of the engine."""

from __future__ import annotations

from collections.abc import Iterator

from engine.protocol.errors import EngineError


def _codes(error: type[EngineError]) -> Iterator[str]:
    yield error.code
    for kind in error.__subclasses__():
        if kind.__module__ == EngineError.__module__:
            yield from _codes(kind)


CODES = frozenset(_codes(EngineError))
"""Every code that can reach the app."""
