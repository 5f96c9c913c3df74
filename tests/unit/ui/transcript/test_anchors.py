"""Actions as addresses of anchors."""

from __future__ import annotations

from typing import Any, get_args

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ui.transcript.anchors import AnchorAction, Verb, parse_action


@given(st.sampled_from(get_args(Verb)), st.text(max_size=20), st.integers(-1, 99))
def test_an_action_survives_its_address(verb: Any, message: str, number: int) -> None:
    """An action is parsed from its address unchanged, for any message id."""
    message = message.encode("utf-8", "ignore").decode()
    assert parse_action(AnchorAction(verb, message, number).href) == AnchorAction(verb, message, number)


@pytest.mark.parametrize("href", ["", "https://a.example/b/c", "hearth:copy", "mailto:a@b.example"])
def test_a_foreign_address_is_no_action(href: str) -> None:
    """The links of a text are no actions."""
    assert parse_action(href) is None
