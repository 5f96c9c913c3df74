from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.views import NOW, row
from ui.sidebar.sections import HeadingKind, ListEntry, by_section, search_results
from ui.state.library import ConversationRow

ROWS = st.lists(
    st.tuples(st.booleans(), st.sampled_from(["", "Home", "Work", "attic"]), st.floats(0, 60)), max_size=12
).map(lambda ones: tuple(replace(row(str(n), d), pinned=p, folder=f) for n, (p, f, d) in enumerate(ones)))


def lines(entries: list[ListEntry]) -> list[str]:
    return [f"[{entry.heading.title}]" if entry.row is None else entry.row.id for entry in entries]


def test_pinned_folders_and_dates_are_in_order() -> None:
    """A pinned chat is listed with the pinned ones, not in its folder. Folders are sorted regardless of case."""
    rows = (
        *(replace(row("p", 9), pinned=True, folder="Work"), row("a"), replace(row("w"), folder="Work")),
        *(replace(row("z", 3), folder="attic"), row("b", 1)),
    )
    assert lines(by_section(rows, NOW, ())) == [
        *("[Pinned]", "p", "[attic]", "z", "[Work]", "w", "[Today]", "a", "[Yesterday]", "b"),
    ]


def test_a_folded_folder_shows_how_many_chats_it_hides() -> None:
    """Its heading stays, so that the user can open it again."""
    rows = (replace(row("a"), folder="Work"), replace(row("b"), folder="Work"), row("c"))
    entries = by_section(rows, NOW, {"Work", "gone"})
    assert lines(entries) == ["[Work]", "[Today]", "c"]
    assert (entries[0].heading.size, entries[0].heading.folded) == (2, True)


def test_search_results_keep_their_order() -> None:
    """The best result is first, even if others are pinned, in a folder or newer."""
    rows = (row("a", 90), replace(row("b"), folder="Work"), replace(row("c"), pinned=True))
    assert lines(search_results(rows)) == ["[Results]", "a", "b", "c"]
    assert search_results(()) == []


@given(ROWS)
def test_every_row_is_listed_once(rows: tuple[ConversationRow, ...]) -> None:
    """Every chat is listed under exactly one heading, and no heading occurs twice."""
    entries = by_section(rows, NOW, ())
    assert sorted(entry.row.id for entry in entries if entry.row) == sorted(one.id for one in rows)
    identities = [entry.identity() for entry in entries]
    assert len(set(identities)) == len(identities)


@given(ROWS, st.sets(st.sampled_from(["Home", "Work", "attic"])))
def test_folding_hides_only_the_rows_of_the_folded_folders(rows: tuple[ConversationRow, ...], folded: set[str]) -> None:
    """All other rows stay in order."""
    hidden = {one.id for one in rows if one.folder in folded and not one.pinned}
    whole = [line for line in lines(by_section(rows, NOW, ())) if line not in hidden]
    assert lines(by_section(rows, NOW, folded)) == whole


def test_a_heading_counts_its_rows() -> None:
    """The count includes hidden rows."""
    entries = by_section((row("a"), row("b")), NOW, ())
    assert (entries[0].heading.kind, entries[0].heading.size) == (HeadingKind.DATE, 2)
