"""Tool calls in the library and in the window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chat import answer
from engine.protocol.messages import ToolCall
from tests.fakes.foreign import DEPTH, flipped
from ui.state.chat import ToolView

texts = st.text(st.characters(codec="utf-8"))
calls = st.lists(st.builds(ToolCall, texts, texts)).map(tuple)


@given(calls)
def test_what_is_kept_comes_back(some: answer.Calls) -> None:
    """Any names and arguments survive being stored."""
    assert answer.decode_calls(answer.encode_calls(some)) == some


@pytest.mark.parametrize("stored", ["", "{", "[1]", '[{"name": 3}]', "null", '[{"name": "\ud800"}]'])
def test_damaged_calls_are_dropped(stored: str) -> None:
    """Damaged calls do not hide the message."""
    assert answer.decode_calls(stored) == ()


def test_calls_that_nest_without_end_are_none() -> None:
    """Stored calls are dropped; arguments are shown unchanged."""
    for deep in ("[" * DEPTH, '[{"name":"f","arguments":"","more":' + '{"a":' * DEPTH):
        assert answer.decode_calls(deep) == ()
    arguments = "[" * DEPTH
    assert answer.call_views((ToolCall("f", arguments),)) == (ToolView("f", arguments),)


def test_one_changed_bit_anywhere_gives_calls_or_none() -> None:
    """In the stored form. All readable calls can be shown."""
    stored = answer.encode_calls((ToolCall("add", '{"a":[1,"ü"]}'), ToolCall("", "<raw")))
    none = 0
    for damaged in flipped(stored.encode()):
        found = answer.decode_calls(damaged.decode("utf-8", "surrogateescape"))
        assert len(answer.call_views(found)) == len(found)
        none += not found
    assert none > 50, "the check sees damage"


def test_arguments_that_would_grow_without_measure_are_shown_as_they_are() -> None:
    """Indenting a megabyte of nested lists would take a gigabyte."""
    arguments = "[" * 900 + ",".join(["1"] * 500_000) + "]" * 900
    assert answer.call_views((ToolCall("f", arguments),)) == (ToolView("f", arguments),)


def test_arguments_are_indented_where_they_are_json() -> None:
    """Other text is shown unchanged."""
    shown = answer.call_views((ToolCall("f", '{"a":[1,"ü"]}'), ToolCall("", "<raw")))
    assert shown == (ToolView("f", '{\n  "a": [\n    1,\n    "ü"\n  ]\n}'), ToolView("", "<raw"))
