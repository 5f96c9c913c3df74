from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.library.query import MOST, Query


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("lisbon trip", Query(("lisbon", "trip"))),
        ('"lisbon trip" may', Query(("lisbon trip", "may"))),
        ('may "lisbon trip"', Query(("may", "lisbon trip"), is_open=False)),
        ('"lisbon tr', Query(("lisbon tr",))),
        ("#Urgent lisbon", Query(("lisbon",), ("urgent",))),
        ('"#urgent"', Query(("#urgent",), is_open=False)),
        ("c#", Query(("c#",))),
        ("🕯 !", Query(signs=("🕯", "!"))),
        ('"', Query(signs=('"',))),
        ("#", Query(signs=("#",))),
        ("   ", Query()),
        ("a b a b", Query(("a", "b"))),
        (" ".join(f"w{number}" for number in range(1000)), Query(tuple(f"w{number}" for number in range(MOST)))),
        ("!" + " 🕯" * 1000, Query(signs=("!", "🕯"))),
    ],
)
def test_words_phrases_tags_and_signs(typed: str, query: Query) -> None:
    """Quotes make a phrase, also while the second one is missing; a hash at the beginning makes a tag."""
    assert Query.of(typed) == query


@given(st.text(max_size=40))
def test_any_text_is_a_query(typed: str) -> None:
    """Nothing that a person can type is an error, and words and signs never mix."""
    query = Query.of(typed)
    assert not (query.terms and query.signs)
