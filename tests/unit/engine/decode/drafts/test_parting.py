"""Two rows are parted for long runs alone, and united when one of them no longer drafts."""

from __future__ import annotations

import pytest

from engine.decode.drafts.parting import APART_STEPS, PART_MATCHED, Parting

APART = [["a"], ["b"]]


def parted() -> Parting[str]:
    parting = Parting[str]()
    assert parting.part({"a": PART_MATCHED, "b": PART_MATCHED})
    return parting


@pytest.mark.parametrize(
    "matched", [{}, {"a": 60}, {"a": 60, "b": PART_MATCHED - 1}], ids=["none due", "one due", "a short run"]
)
def test_both_rows_must_repeat_a_long_run(matched: dict[str, int]) -> None:
    """A single long run would delay the other row; a short one ends before it has paid for the copies."""
    parting = Parting[str]()
    assert not parting.part(matched)
    assert not parting


def test_rows_are_united_when_one_has_not_drafted_for_some_steps() -> None:
    """Not before, and only once. A draft begins the count of its row anew."""
    parting = parted()
    for drafting in ["ab"] + ["a"] * (APART_STEPS - 1) + ["b"] + ["a"] * (APART_STEPS - 1):
        parting.stepped(drafting)
        assert not parting.unite(APART)
    parting.stepped("a")
    assert parting
    assert parting.unite(APART)
    assert not parting
    assert not parting.unite(APART)


@pytest.mark.parametrize("groups", [[["a", "b"]], [["a"]], [["a"], ["b"], ["c"]], []])
def test_other_groups_stay_as_they_are(groups: list[list[str]]) -> None:
    """The batch has changed since the rows were parted: there is nothing to undo."""
    parting = parted()
    for _ in range(APART_STEPS):
        parting.stepped("")
    assert not parting.unite(groups)


def test_a_row_that_is_alone_is_not_parted() -> None:
    """If one of the two has left, the other takes ordinary steps."""
    parting = parted()
    parting.keep("abc")
    assert parting
    parting.keep("b")
    assert not parting


def test_parting_ends_when_others_decode_too() -> None:
    """More rows than two do not draft."""
    parting = parted()
    parting.end()
    assert not parting
