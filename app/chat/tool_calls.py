"""The calls that a reply wants to be made. Owns how the library keeps them and how the window shows them; pure.

Raw text that did not become a call (it was cut short) is kept as one without a name: shown, but never sent back.
"""

from __future__ import annotations

import json
from typing import Final

import msgspec

from engine.protocol.messages import ToolCall
from storage.foreign import ForeignError, decode_json, parse_json
from ui.state import ToolView

_LONGEST_INDENTED: Final = 1 << 14
"""Characters. Deep nesting makes indented text hundreds of times as long as it was."""

Calls = tuple[ToolCall, ...]


def encode(calls: Calls) -> str:
    """As the library keeps them; empty for none."""
    return msgspec.json.encode(calls).decode() if calls else ""


def decode(stored: str) -> Calls:
    """As they were kept; none where that cannot be read."""
    try:
        return decode_json(stored, Calls) if stored else ()
    except ForeignError:
        return ()


def named(calls: Calls) -> Calls:
    """Those that the model reads again."""
    return tuple(call for call in calls if call.name)


def with_raw(calls: Calls, raw: str) -> Calls:
    """The calls, and the raw text behind them if there is any."""
    return (*calls, ToolCall("", raw)) if raw.strip() else calls


def views(calls: Calls) -> tuple[ToolView, ...]:
    """As they are shown."""
    return tuple(ToolView(call.name, _indented(call.arguments)) for call in calls)


def _indented(arguments: str) -> str:
    if len(arguments) > _LONGEST_INDENTED:
        return arguments
    try:
        return json.dumps(parse_json(arguments), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments
