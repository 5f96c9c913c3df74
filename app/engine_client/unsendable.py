"""Answers commands that are too long for the pipe, in place of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.protocol.cache_messages import CacheMoved, ImportCache
from engine.protocol.errors import ContextFull
from engine.protocol.messages import ExportCache, Generate, TurnFinished, Usage
from resources.language.text import mark, tr

if TYPE_CHECKING:
    from engine.protocol.messages import Command, Event

_REASON: Final = mark("This conversation is longer than any model can read.")


def answers_to(command: Command) -> tuple[Event, ...]:
    """Return an end for each request that waits for one. The outcome of other commands is not awaited."""
    match command:
        case Generate(request=request, conversation=conversation, alternatives=others):
            return tuple(
                TurnFinished(name, conversation, "failed", Usage(), code=ContextFull.code, message=tr(_REASON))
                for name in (request, *others)
            )
        case ImportCache(request=request) | ExportCache(request=request):
            return (CacheMoved(request, code=ContextFull.code, message=tr(_REASON)),)
        case _:
            return ()
