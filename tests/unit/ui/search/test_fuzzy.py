from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.search.fuzzy import Catalogue, fit


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("lis", "List all shortcuts", "Trip to Lisbon"),
        ("lis", "Trip to Lisbon", "Analyse it"),
        ("light", "Appearance: Light", "Lighthouse keeper"),
        ("nc", "New chat", "Minimise clock"),
        ("set", "Settings", "Reset everything"),
        ("chat new", "New chat", "New charter flat"),
        ("expall", "Export all chats", "Explain a fall"),
        ("modelle", "Modelle", "Modell entladen"),
        ("modelle", "Modelle…", "Modell entladen"),
        ("neuer chat", "Neuer Chat", "Chat erneut exportieren"),
    ],
)
def test_the_better_fit_ranks_first(query: str, better: str, worse: str) -> None:
    """Starts of texts and words, and letters that follow each other, count more. The exact name counts most."""
    ranked = Catalogue((worse, better)).rank(query, 2)
    assert (worse, better)[ranked[0].place] == better


def test_the_exact_title_is_offered_among_very_many_longer_ones() -> None:
    """Nothing else that could be typed would find it."""
    titles = [*(f"Trip to {number}" for number in range(400)), "Trip"]
    assert Catalogue(titles).rank("trip", 8)[0].place == 400


def test_equal_fits_keep_their_order() -> None:
    """Recent chats come first."""
    assert [one.place for one in Catalogue(("Plan a", "Plan b", "Plan c")).rank("plan", 2)] == [0, 1]
    assert [one.place for one in Catalogue(("b", "a")).rank("  ", 5)] == [0, 1]


def test_a_synonym_finds_a_text_but_less_well_than_its_own_words() -> None:
    """A word of the query that begins a synonym fits, and nothing is marked. In its middle it does not fit."""
    colours = Catalogue(("Appearance", "Theme park", "Anthem"), ("theme colours", "", ""))
    assert [one.place for one in colours.rank("them", 3)] == [1, 0, 2]
    [found] = colours.rank("app colour", 1)
    assert found.fit.marks == ((0, 3),)
    assert colours.rank("olours", 1) == []
    assert Catalogue(("Appearance",), ("theme",)).rank("appearance", 1) == Catalogue(("Appearance",)).rank(
        "appearance", 1
    )


def test_the_matching_parts_are_marked() -> None:
    """The letters that fit are shown in bold; accents and case do not matter."""
    found = fit("cafe lis", "Lisbon Café")
    assert found is not None
    assert found.marks == ((0, 3), (7, 11))
    assert fit("xyz", "Lisbon") is None
    initials = fit("ntp", "New tab page")
    assert initials is not None
    assert initials.marks == ((0, 1), (4, 5), (8, 9))


@pytest.mark.parametrize("query", ["Import...", "Import..", "Import…", "import... "])
def test_dots_can_be_typed_for_those_of_a_menu(query: str) -> None:
    """The keyboard has no key for "…", so the name of a command is found as a person types it."""
    assert [one.place for one in Catalogue(("Settings…", "Import…")).rank(query, 2)] == [1]
    assert fit(query, "Import…") is not None
    assert [one.place for one in Catalogue(("And then", "And then...")).rank("then...", 2)] == [1], (
        "they count if typed"
    )


@given(st.text(max_size=30), st.data())
def test_a_text_is_found_by_any_of_its_letters_in_order(text: str, data: st.DataObject) -> None:
    """Whatever letters the user remembers, in their order, find the text."""
    line = "".join(text.split())
    kept = data.draw(st.lists(st.booleans(), min_size=len(line), max_size=len(line)))
    query = "".join(letter for letter, keep in zip(line, kept, strict=True) if keep)
    assert Catalogue((line,)).rank(query, 1)
    found = fit(query, line)
    assert found is not None
    assert sum(end - start for start, end in found.marks) == len("".join(query.split()))


def test_no_text_is_lost_among_very_many() -> None:
    """A good fit is found in a long list, also behind many poor ones."""
    texts = [f"a banana {number}" for number in range(5000)] + ["Nana's list"]
    assert Catalogue(texts).rank("nana", 1)[0].place == 5000


@pytest.mark.parametrize("query", ["letters", "z^]-\\\\&|~["])
def test_a_text_of_the_same_letters_takes_no_time(query: str) -> None:
    """An imported title may have every letter but the last, each very often: the window would stop for years."""
    line = "".join(letter * 150 for letter in query[:-1])
    assert Catalogue((line,)).rank(query, 1) == []
    assert [one.place for one in Catalogue((line, line + query[-1])).rank(query, 1)] == [1]


def test_a_long_query_and_a_long_title_take_no_time() -> None:
    """An imported title may have any length, and a part of it may be pasted into the field."""
    lines = ["ab" * 3000 for _ in range(300)]
    start = time.thread_time()
    assert Catalogue(lines).rank("aa" * 90, 8)
    assert time.thread_time() - start < 1.0
