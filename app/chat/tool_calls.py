"""Tool calls of a reply: how the library stores them and how the window shows them. Pure.

Raw text that did not become a call, because it was cut short, is stored as a call without a name. It is shown, but not
sent to the model.
"""

from __future__ import annotations

import json
from typing import Final

import msgspec

from engine.protocol.messages import ToolCall
from storage.untrusted import UntrustedDataError, decode_json, parse_json
from ui.state.chat import ToolView

_LONGEST_INDENTED: Final = 1 << 14
"""Characters. Deep nesting makes indented text hundreds of times as long as it was."""


Calls = tuple[ToolCall, ...]


def encode(calls: Calls) -> str:
    """The calls, encoded for the library; "" for no calls."""
    return msgspec.json.encode(calls).decode() if calls else ""


def decode(stored: str) -> Calls:
    """The stored calls; empty if they are not readable."""
    try:
        return decode_json(stored, Calls) if stored else ()
    except UntrustedDataError:
        return ()


def named(calls: Calls) -> Calls:
    """The calls that go into the next prompt."""
    return tuple(call for call in calls if call.name)


def with_raw(calls: Calls, raw: str) -> Calls:
    """The calls, and the raw text behind them if it is not blank."""
    return (*calls, ToolCall("", raw)) if raw.strip() else calls


def views(calls: Calls) -> tuple[ToolView, ...]:
    """The calls, for the window."""
    return tuple(ToolView(call.name, _indented(call.arguments)) for call in calls)


def _indented(arguments: str) -> str:
    if len(arguments) > _LONGEST_INDENTED:
        return arguments
    try:
        return json.dumps(parse_json(arguments), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments
