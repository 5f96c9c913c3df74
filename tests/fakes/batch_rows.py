"""Models and rows that every test of a batch compares."""

from __future__ import annotations

import pytest

from tests.fakes import tiny_models
from tests.fakes.decoding import ids

ROUNDING = 1e-4
"""Of the largest logit: what the order of sums makes in float32."""
UNEQUAL = [ids(9, 1), ids(23, 2), ids(330, 3), ids(14, 4), ids(310, 5)]
"""Rows that are padded to each other, and rows that are packed."""

each = pytest.mark.parametrize(
    ("model", "batching"),
    [*((family, "together") for family in tiny_models.CONFIGS), ("falcon_h1", "merged"), ("gemma3_text", "merged")],
    indirect=["model"],
)
