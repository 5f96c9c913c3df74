from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from ui.markdown.plain import plain
from ui.sidebar.search_marks import cut_before_mark, plain_with_marks

MARKDOWN = st.lists(
    st.sampled_from(["Lisbon", "lis", " ", "\n", "**", "*", "_", "`", "[", "](u)", "# ", "- ", "| ", "é", ".", "7"])
).map("".join)


def words(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in re.finditer(r"[^\W\d_]+", text))


def test_marks_follow_their_words() -> None:
    """Where Markdown's own marks go, the words move, and the marks with them."""
    text = "# Notes\n- **Lisbon** and `Porto`"
    plain_text, marks = plain_with_marks(text, ((12, 18), (26, 31)))
    assert (plain_text, [plain_text[a:b] for a, b in marks]) == ("Notes Lisbon and Porto", ["Lisbon", "Porto"])


@given(MARKDOWN)
def test_marks_change_no_words(text: str) -> None:
    """A preview reads the same, whether it was found or not, and each mark holds a word that was marked."""
    shown, marks = plain_with_marks(text, words(text))
    assert shown == plain(text)
    assert {shown[a:b] for a, b in marks} <= {text[a:b] for a, b in words(text)}


@given(st.text(max_size=20), st.lists(st.tuples(st.integers(-3, 25), st.integers(-3, 25)), max_size=4))
def test_impossible_marks_break_nothing(text: str, marks: list[tuple[int, int]]) -> None:
    """Marks come from outside: those that overlap, run backwards or lie beyond the end are left out."""
    shown, kept = plain_with_marks(text, tuple(marks))
    assert all(0 <= start < end <= len(shown) for start, end in kept)


def test_what_goes_with_a_link_is_marked_no_more() -> None:
    """A hit in an address that is not shown is no place in the line."""
    assert plain_with_marks("see [here](lisbon)", ((11, 17),)) == ("see here", ())


def test_a_text_with_our_own_letters_is_shown_unmarked() -> None:
    """They are dead letters, but a text may quote them."""
    assert plain_with_marks("\U00010000 Lisbon", ((2, 8),)) == ("\U00010000 Lisbon", ())


@given(st.text("ab ", min_size=1, max_size=30), st.integers(0, 40), st.data())
def test_a_late_start_keeps_the_marked_words(text: str, start: int, data: st.DataObject) -> None:
    """Only what stands before the first mark may go."""
    begin = data.draw(st.integers(0, len(text) - 1))
    mark = (begin, data.draw(st.integers(begin + 1, len(text))))
    shown, marks = cut_before_mark(text, (mark,), start)
    assert shown[marks[0][0] : marks[0][1]] == text[mark[0] : mark[1]]
    assert text.endswith(shown.removeprefix("…"))


def test_a_line_begins_with_a_whole_word() -> None:
    """Half a word reads like another one."""
    shown, marks = cut_before_mark("we once met in Lisbon", ((15, 21),), 5)
    assert (shown, marks) == ("…met in Lisbon", ((8, 14),))
