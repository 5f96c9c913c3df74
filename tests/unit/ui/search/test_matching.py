from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.language.folding import folded
from ui.search.matching import Matcher


@pytest.mark.parametrize(
    ("term", "text", "hits"),
    [
        ("ath", "Math path", [(1, 4), (6, 9)]),
        ("cafe", "CAFÉ café", [(0, 4), (5, 9)]),
        ("two words", "two\u2028words, two  words", [(0, 9), (11, 21)]),
        ("a.b", "a.b axb", [(0, 3)]),
        ("😀", "x 😀", [(2, 3)]),
        ("doesn't", "It doesn\u2019t, doesn\u02bct, doesn\u2018t, doesn`t", [(3, 10), (12, 19), (21, 28), (30, 37)]),
        ("doesn\u2019t", "It doesn't", [(3, 10)]),
        ('"so"', "\u201cso\u201d \u201eso\u201c", [(0, 4), (5, 9)]),
        ("-of-the-", "state\u2011of\u2010the\u2013art", [(5, 13)]),
        ("\u039b\u039f\u0393\u039f\u03a3", "\u03bb\u03cc\u03b3\u03bf\u03c2", [(0, 5)]),
        ("abc!", "\uff21\uff22\uff23\uff01", [(0, 4)]),
        ("カナ", "ｶﾅ", [(0, 2)]),
        ("שלום", "שָׁלוֹם", [(0, 7)]),
        ("שָׁלוֹם", "שלום", [(0, 4)]),
        ("كتب", "و كَتَبَ", [(2, 8)]),
        ("\u05b8", "שָ", []),
        ("", "anything", []),
        ("  ", "any thing", []),
    ],
)
def test_words_are_found_as_people_mean_them(term: str, text: str, hits: list[tuple[int, int]]) -> None:
    """Case, accents, vowel points, widths, and the kind of white space, quotes and hyphens do not matter; other signs
    are literal; blank finds nothing.
    """
    assert list(Matcher((term,)).ranges(text)) == hits


@pytest.mark.parametrize(
    ("word", "other"), [("한글", "하그"), ("がくせい", "なくせい"), ("müde", "made"), ("мой", "дом"), ("किताब", "पानी")]
)
def test_letters_in_parts_are_the_same_word(word: str, other: str) -> None:
    """File names of a Mac and the text of many PDFs have a letter and its accent one by one. The whole of it is marked,
    and no other word that begins with the same parts.
    """
    forms = [unicodedata.normalize(form, word) for form in ("NFC", "NFD")]
    for typed in forms:
        matcher = Matcher((typed,))
        for text in forms:
            assert list(matcher.ranges(f"{other} {text}s")) == [(len(other) + 1, len(other) + 1 + len(text))]
            assert matcher.may_occur(f"**{text}**")
        assert not matcher.may_occur(other)


def test_each_of_several_terms_is_found() -> None:
    """A search of several words marks all of them; the longest one wins."""
    assert list(Matcher(("trip", "lis", "lisbon")).ranges("A trip to Lisbon")) == [(2, 6), (10, 16)]


@given(st.text(max_size=40))
def test_folding_keeps_offsets(text: str) -> None:
    """A hit in the folded text is at the same place in the text itself."""
    assert len(folded(text)) == len(text)


@pytest.mark.parametrize("source", ["foo**bar**", "foo_bar_", "`foo`bar", "foo\\bar"])
def test_markup_inside_a_word_does_not_hide_it(source: str) -> None:
    """The quick check of a source never misses what the page would show."""
    assert Matcher(("foobar",)).may_occur(source)
    assert not Matcher(("bazbar",)).may_occur(source)
