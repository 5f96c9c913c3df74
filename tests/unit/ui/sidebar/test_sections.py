from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.views import NOW, row
from ui.sidebar.sections import Entry, HeadingKind, by_section, search_results

if TYPE_CHECKING:
    from ui.state import ConversationRow

ROWS = st.lists(
    st.tuples(st.booleans(), st.sampled_from(["", "Home", "Work", "attic"]), st.floats(0, 60)), max_size=12
).map(lambda ones: tuple(replace(row(str(n), d), pinned=p, folder=f) for n, (p, f, d) in enumerate(ones)))


def lines(entries: list[Entry]) -> list[str]:
    return [f"[{entry.heading.title}]" if entry.row is None else entry.row.id for entry in entries]


def test_pinned_ones_folders_and_dates_follow_each_other() -> None:
    """A folder's pinned chat stands with the pinned ones; folders stand as in a register, whatever their case."""
    rows = (
        *(replace(row("p", 9), pinned=True, folder="Work"), row("a"), replace(row("w"), folder="Work")),
        *(replace(row("z", 3), folder="attic"), row("b", 1)),
    )
    assert lines(by_section(rows, NOW, ())) == [
        *("[Pinned]", "p", "[attic]", "z", "[Work]", "w", "[Today]", "a", "[Yesterday]", "b"),
    ]


def test_a_folded_folder_says_how_many_it_hides() -> None:
    """Its heading stays, or nobody could open it again."""
    rows = (replace(row("a"), folder="Work"), replace(row("b"), folder="Work"), row("c"))
    entries = by_section(rows, NOW, {"Work", "gone"})
    assert lines(entries) == ["[Work]", "[Today]", "c"]
    assert (entries[0].heading.size, entries[0].heading.folded) == (2, True)


def test_what_was_found_keeps_its_order() -> None:
    """The best hit is the first, pinned, filed or old."""
    rows = (row("a", 90), replace(row("b"), folder="Work"), replace(row("c"), pinned=True))
    assert lines(search_results(rows)) == ["[Results]", "a", "b", "c"]
    assert search_results(()) == []


@given(ROWS)
def test_every_row_is_listed_once(rows: tuple[ConversationRow, ...]) -> None:
    """No mark makes a chat vanish, and no heading stands twice."""
    entries = by_section(rows, NOW, ())
    assert sorted(entry.row.id for entry in entries if entry.row) == sorted(one.id for one in rows)
    identities = [entry.identity() for entry in entries]
    assert len(set(identities)) == len(identities)


@given(ROWS, st.sets(st.sampled_from(["Home", "Work", "attic"])))
def test_folding_hides_the_rows_of_its_folders_alone(rows: tuple[ConversationRow, ...], folded: set[str]) -> None:
    """All else stays, in its order."""
    hidden = {one.id for one in rows if one.folder in folded and not one.pinned}
    whole = [line for line in lines(by_section(rows, NOW, ())) if line not in hidden]
    assert lines(by_section(rows, NOW, folded)) == whole


def test_a_heading_counts_what_stands_under_it() -> None:
    """The count is that of its rows, shown or not."""
    entries = by_section((row("a"), row("b")), NOW, ())
    assert (entries[0].heading.kind, entries[0].heading.size) == (HeadingKind.DATE, 2)
