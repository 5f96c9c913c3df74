"""Why less was found than earlier turns have computed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engine.cache.segment import MissCause, RestorePlan
from engine.turn.events import miss_cause


@pytest.mark.parametrize(
    ("length", "found", "reusable", "diverged", "expected"),
    [
        (0, MissCause.ABSENT, 0, "", MissCause.NEW),
        (0, MissCause.ABSENT, 40, "", MissCause.ABSENT),
        (10, MissCause.NONE, 40, "edited", MissCause.EDITED),
        (40, MissCause.NONE, 40, "", MissCause.NONE),
        (10, MissCause.NONE, 40, "", MissCause.NO_CHECKPOINT),
    ],
)
def test_causes_say_what_a_user_would_want_to_know(
    length: int, found: MissCause, reusable: int, diverged: str, expected: MissCause
) -> None:
    """A first turn is new, an edit is an edit, and a full hit has no cause."""
    prompt: Any = SimpleNamespace(reusable=reusable, computed=reusable, diverged=diverged)
    model: Any = None  # no message has a ledger that would be compared with it
    assert miss_cause(model, (), prompt, RestorePlan((), length, found)) is expected
