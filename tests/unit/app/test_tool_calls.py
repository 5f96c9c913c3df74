"""Calls as they are kept and shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import tool_calls
from engine.protocol import ToolCall
from ui.state import ToolView

texts = st.text(st.characters(codec="utf-8"))
calls = st.lists(st.builds(ToolCall, texts, texts)).map(tuple)


@given(calls)
def test_what_is_kept_comes_back(some: tool_calls.Calls) -> None:
    """Any names and arguments survive the library."""
    assert tool_calls.decode(tool_calls.encode(some)) == some


@pytest.mark.parametrize("stored", ["", "{", "[1]", '[{"name": 3}]', "null"])
def test_rotten_calls_are_none(stored: str) -> None:
    """A damaged row hides no message."""
    assert tool_calls.decode(stored) == ()


def test_arguments_are_indented_where_they_are_json() -> None:
    """What is not JSON is shown as it came."""
    shown = tool_calls.views((ToolCall("f", '{"a":[1,"ü"]}'), ToolCall("", "<raw")))
    assert shown == (ToolView("f", '{\n  "a": [\n    1,\n    "ü"\n  ]\n}'), ToolView("", "<raw"))
