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
    """When Markdown syntax is removed, marks move with their words."""
    text = "# Notes\n- **Lisbon** and `Porto`"
    plain_text, marks = plain_with_marks(text, ((12, 18), (26, 31)))
    assert (plain_text, [plain_text[a:b] for a, b in marks]) == ("Notes Lisbon and Porto", ["Lisbon", "Porto"])


@given(MARKDOWN)
def test_marks_do_not_change_the_text(text: str) -> None:
    """The text is the same with and without marks, and each mark covers text that was marked."""
    shown, marks = plain_with_marks(text, words(text))
    assert shown == plain(text)
    assert {shown[a:b] for a, b in marks} <= {text[a:b] for a, b in words(text)}


@given(st.text(max_size=20), st.lists(st.tuples(st.integers(-3, 25), st.integers(-3, 25)), max_size=4))
def test_invalid_marks_are_dropped(text: str, marks: list[tuple[int, int]]) -> None:
    """Marks that overlap, run backwards or end beyond the text are dropped."""
    shown, kept = plain_with_marks(text, tuple(marks))
    assert all(0 <= start < end <= len(shown) for start, end in kept)


def test_a_mark_in_a_hidden_address_is_dropped() -> None:
    """A match in the address of a link is not visible in the line."""
    assert plain_with_marks("see [here](lisbon)", ((11, 17),)) == ("see here", ())


def test_a_text_with_the_marker_letters_is_not_marked() -> None:
    """A text may contain the letters that stand for marks internally."""
    assert plain_with_marks("\U00010000 Lisbon", ((2, 8),)) == ("\U00010000 Lisbon", ())


@given(st.text("ab ", min_size=1, max_size=30), st.integers(0, 40), st.data())
def test_a_cut_keeps_the_marked_words(text: str, start: int, data: st.DataObject) -> None:
    """Only text before the first mark is cut."""
    begin = data.draw(st.integers(0, len(text) - 1))
    mark = (begin, data.draw(st.integers(begin + 1, len(text))))
    shown, marks = cut_before_mark(text, (mark,), start)
    assert shown[marks[0][0] : marks[0][1]] == text[mark[0] : mark[1]]
    assert text.endswith(shown.removeprefix("…"))


def test_a_cut_line_begins_with_a_whole_word() -> None:
    """Half a word could be mistaken for another word."""
    shown, marks = cut_before_mark("we once met in Lisbon", ((15, 21),), 5)
    assert (shown, marks) == ("…met in Lisbon", ((8, 14),))
