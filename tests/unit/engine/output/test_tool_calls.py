"""A parser's result is a tool call only if it can be called."""

from __future__ import annotations

from typing import Any

import pytest

from engine.output.grammars import Harmony, ParserState, Symbols, read_calls
from engine.protocol.messages import ToolCall
from tests.fakes.foreign import DEPTH
from tests.fakes.problems import raising


@pytest.mark.parametrize(
    ("made", "calls"),
    [
        ({"name": "f", "arguments": {"a": "ü"}}, (ToolCall("f", '{"a": "ü"}'),)),
        ({"name": "f", "arguments": '{"a": 1}'}, (ToolCall("f", '{"a": 1}'),)),
        ({"name": "f", "parameters": {"a": 1}}, (ToolCall("f", '{"a": 1}'),)),
        ({"name": "f"}, (ToolCall("f", "{}"),)),
        ([{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}], (ToolCall("f", "{}"), ToolCall("g", "{}"))),
        ([{"name": "f", "arguments": {}}, {"name": "", "arguments": {}}], ()),
        ([], ()),
        (None, ()),
        ({"arguments": {}}, ()),
        ({"name": "f", "arguments": "half {"}, ()),
        ({"name": "f", "arguments": {"a": {1, 2}}}, ()),
        ({"name": "f", "arguments": {"a": float("inf")}}, ()),
        ({"name": "f", "arguments": {"a": "\ud800"}}, ()),
    ],
    ids=range(13),
)
def test_only_a_name_with_arguments_is_a_call(made: Any, calls: tuple[ToolCall, ...]) -> None:
    """Every parsed call must be valid and writable as JSON; otherwise there are no calls."""
    assert read_calls(lambda text, tools: made, "", None) == calls  # noqa: ARG005 - a parser's face


@pytest.mark.parametrize("error", [AttributeError, IndexError, KeyError, OverflowError, RecursionError, SyntaxError])
def test_a_parser_that_fails_found_nothing(error: type[Exception]) -> None:
    """Whatever a parser raises for a broken text, no chat sees it."""
    assert read_calls(raising(error("odd")), "x", None) == ()


def test_a_call_may_be_named_outside_of_its_text() -> None:
    """A name and a JSON object make a call; anything else does not, nor does one that is nested too deeply."""

    def named(name: str, body: str) -> tuple[ToolCall, ...]:
        return Harmony(Symbols({})).calls(ParserState("tool", name), body, None, ended=True)

    assert named("f", ' {"a": 1} ') == (ToolCall("f", '{"a": 1}'),)
    assert named("f", "print(1)") == named("f", "[1]") == named("", "{}") == named("f", '{"a":' * DEPTH) == ()
