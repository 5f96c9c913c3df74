"""Commands that are too long for the pipe to the engine. Owns the events that answer them in the engine's place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.protocol.errors import ContextFull
from engine.protocol.messages import CacheMoved, ExportCache, Generate, ImportCache, TurnFinished, Usage

if TYPE_CHECKING:
    from engine.protocol.messages import Command, Event

_REASON: Final = "This conversation is longer than any model can read."


def answers_to(command: Command) -> tuple[Event, ...]:
    """An end for each request that waits for one. Nothing waits for the outcome of other commands."""
    match command:
        case Generate(request=request, conversation=conversation, alternatives=others):
            return tuple(
                TurnFinished(name, conversation, "failed", Usage(), code=ContextFull.code, message=_REASON)
                for name in (request, *others)
            )
        case ImportCache(request=request) | ExportCache(request=request):
            return (CacheMoved(request, code=ContextFull.code, message=_REASON),)
        case _:
            return ()
