"""Search texts as queries, their typing errors, and the snippets of search results."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from storage.library.query import MOST, Query, Words
from storage.library.search import neighbours


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


def _marked(typed: str, text: str) -> list[str]:
    snippet, marks = Words(Query.of(typed)).snippet(text)
    return [snippet[start:end] for start, end in marks]


@pytest.mark.parametrize(
    ("typed", "text", "marked"),
    [
        ("lamp", "The lamp, the lamps and the clamp.", ["lamp", "lamps"]),
        ("lamp the", "The lamp, then the lamps.", ["The", "lamp", "then", "the"]),
        ("CAFE", "Two cafés, a Café and a caféteria", ["cafés", "Café", "caféteria"]),
        ("cafe\u0301", "a café", ["café"]),
        ("cafe", "a cafe\u0301 there", ["café"]),
        ("say-now", "say now, nowhere", ["say", "now", "nowhere"]),
        ("gross", "groß and gross", ["gross"]),
        ("it's", "it's so", ["it", "s", "so"]),
        ("3", "3 and 34 and 43", ["3", "34"]),
        ("東", "東京 and 京東", ["東京"]),
        ("हिन्दी", "मैं हिन्दी बोलता हूँ", ["हिन्दी"]),
        ("น้ำ", "ดื่ม น้ำ เย็น", ["น้ำ"]),
        ("北京", "我住在北京市中心", ["北京"]),
        ("🕯", "a 🕯 and 🕯🕯", ["🕯", "🕯", "🕯"]),
        ("(*", "f(*a)", ["(*"]),
        ("? (", "f(a)? (b)", ["(", "?", "("]),
        ("…", "and… so on", ["…"]),
        ("foo", "Foo™ bar", ["Foo"]),
        ("nothing", "here", []),
    ],
)
def test_words_are_marked_as_the_index_found_them(typed: str, text: str, marked: list[str]) -> None:
    """Whole words match without case and accents, the last word as a prefix, signs literally."""
    assert _marked(typed, text) == marked


def test_the_snippet_begins_near_the_best_hit() -> None:
    """The snippet starts a little before the place where most of the words are close together. An early hit or none
    shows the start of the text, without an ellipsis.
    """
    assert Words(Query.of("lamp")).snippet("a lamp is lit") == ("a lamp is lit", ((2, 6),))
    assert Words(Query.of("zebra")).snippet("first line\nsecond line") == ("first line second line", ())
    text = "lamp " + "filler " * 100 + "the bright red lamp\n\n\tstood there " + "filler " * 100
    snippet, marks = Words(Query.of("bright lamp")).snippet(text)
    assert snippet.startswith("…filler filler the bright red lamp stood there filler")
    assert snippet.endswith("…")
    assert [snippet[start:end] for start, end in marks] == ["bright", "lamp"]


def test_a_picture_hides_no_hit_behind_it() -> None:
    """The snippet of a hit behind a picture inside a message is the text around the hit, and not data."""
    text = f"![p](data:image/png;base64,{'iVBORw0K' * 100_000}) a lamp is lit"
    assert Words(Query.of("lamp")).snippet(text) == ("…a lamp is lit", ((3, 7),))


@example(" ", "")
@given(st.text(max_size=40), st.text(max_size=2000))
def test_any_text_gives_one_short_line_with_marks_inside(typed: str, text: str) -> None:
    """Any search text and any message give one line with ordered marks, and no error. Words and signs never mix."""
    query = Query.of(typed)
    assert not (query.terms and query.signs)
    snippet, marks = Words(Query.of(typed or "x")).snippet(text)
    assert len(snippet) <= 162
    assert snippet == " ".join(snippet.split())
    places = [place for mark in marks for place in mark]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(snippet) for start, end in marks)


@given(st.text("abcdeäß", min_size=1, max_size=12), st.data())
def test_a_swapped_word_is_a_neighbour_of_the_right_one(word: str, data: st.DataObject) -> None:
    """A typing error is found from either side."""
    at = data.draw(st.integers(0, len(word) - 1))
    lost = word[:at] + word[at + 1 :]
    assert lost == word or lost in neighbours(word)
