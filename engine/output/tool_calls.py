"""Validates tool calls. mlx-lm's parsers read their text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engine.protocol.errors import FOREIGN
from engine.protocol.messages import ToolCall
from storage.untrusted import UntrustedDataError, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable

    Parser = Callable[[str, Any], Any]
    """A `parse_tool_call` of mlx-lm: from text and schemas to one call or a list of calls, each a dict."""


def read_calls(parse: Parser, text: str, tools: Any) -> tuple[ToolCall, ...]:
    """The calls in `text`; empty if any of it cannot be parsed."""
    try:
        read = parse(text, tools)
        return tuple(_call(made) for made in (read if isinstance(read, list) else [read]))
    except FOREIGN:
        return ()


def named_call(name: str, arguments: str) -> tuple[ToolCall, ...]:
    """The call of `name` with `arguments`; empty if those are not a JSON object."""
    return read_calls(lambda text, _: {"name": name, "arguments": text}, arguments, None)


def is_json(text: str) -> bool:
    """Whether `text` is one whole JSON value."""
    try:
        parse_json(text)
    except UntrustedDataError:
        return False
    return True


def _call(made: Any) -> ToolCall:
    """Raises one of FOREIGN if `made` is not a call. Some models write `parameters` for the arguments."""
    name, arguments = made["name"], made.get("arguments", made.get("parameters", {}))
    if isinstance(arguments, str):
        arguments = parse_json(arguments)
    if not (isinstance(name, str) and name and isinstance(arguments, dict)):
        raise TypeError(made)
    written = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
    (name + written).encode()
    return ToolCall(name, written)
