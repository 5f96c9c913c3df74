"""How much of a disk the caches may take."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cache.quota import GIB, LAST, LEAST, MOST, SPARE, WORDS, YIELD, free_on, held_in, is_tight, most, quota
from storage.errors import EnvironmentProblem, Problem

BYTES = st.integers(0, 16 * GIB) | st.integers(0, 2**42)
WANTED = st.none() | BYTES


def test_the_automatic_limit_is_a_fifth() -> None:
    """A fifth of the free and the held bytes, so the limit stays the same while the caches fill up."""
    assert quota(None, 200 * GIB, 0) == 40 * GIB
    assert quota(None, 170 * GIB, 30 * GIB) == 40 * GIB


def test_small_disks_give_two_and_large_ones_a_hundred() -> None:
    """Chats stay warm on a small disk, and a large disk is not filled."""
    assert quota(None, 8 * GIB, 0) == LEAST
    assert quota(None, 4000 * GIB, 0) == MOST


@pytest.mark.parametrize(
    ("wanted", "free", "held", "allowed", "tight"),
    [
        # a new home on a disk with little room: the newest chats are kept warm, and the last GiB stays free
        (None, 6, 0, 2, False),
        (None, 4, 0, 1.5, True),
        (None, 2, 0, 0.5, True),
        (None, 1, 0, 0, True),
        (None, 0, 0, 0, True),
        # others take room: nothing moves at first, then exactly what is missing is given up
        (None, 100, 40, 40, False),
        (None, 5, 40, 40, False),
        (None, 4, 40, 40, True),
        (None, 3, 40, 39, True),
        (None, 0, 40, 36, True),
        # the newest chats stay until there is hardly room for words, and give even that way by what is missing
        (None, 2, 3, 2, True),
        (None, 0.25, 2, 2, True),
        (None, 0, 2, 1.75, True),
        (None, 0, 0.25, 0, True),
        # what was grown on a larger disk stays, but not more than the most
        (None, 50, 150, 100, False),
        # what the user wants is limited by the disk alone, and no more than is wanted stays
        (50, 6, 2, 3, True),
        (50, 3, 10, 9, True),
        (10, 4.5, 10, 10, False),
        (1, 100, 10, 1, False),
    ],
)
def test_the_disk_is_shared_fairly(wanted: float | None, free: float, held: float, allowed: float, tight: bool) -> None:  # noqa: FBT001 - a row of the table
    """In GiB: the free and the held bytes, the limit, and whether the disk counts as its cause."""
    limit = None if wanted is None else int(wanted * GIB)
    assert quota(limit, int(free * GIB), int(held * GIB)) == int(allowed * GIB)
    assert is_tight(limit, int(free * GIB), int(held * GIB)) is tight


def test_the_user_s_limit_holds() -> None:
    """The user's limit holds, whether it is more or less than the automatic one."""
    assert quota(300 * GIB, 400 * GIB, 0) == 300 * GIB
    assert quota(1, 400 * GIB, 0) == 1


@given(wanted=WANTED, free=BYTES, held=BYTES)
def test_growth_leaves_the_last_room(wanted: int | None, free: int, held: int) -> None:
    """However full the disk is, growing caches leave a GiB free, and the spare room if they are larger
    than the least.
    """
    allowed = quota(wanted, free, held)
    assert 0 <= allowed <= most(free, held)
    if allowed > held:
        assert free + held - allowed >= (SPARE if allowed > LEAST else LAST)


@given(wanted=WANTED, free=BYTES, held=BYTES)
def test_no_more_is_evicted_than_is_missing(wanted: int | None, free: int, held: int) -> None:
    """The newest chats are evicted only if the library lacks space, all others only if other programs do."""
    given_up = min(held, MOST if wanted is None else wanted) - quota(wanted, free, held)
    assert given_up <= max(0, YIELD - free)
    if held <= LEAST:
        assert given_up <= max(0, WORDS - free)


@given(wanted=WANTED, free=BYTES, held=BYTES)
def test_the_limit_does_not_shrink_with_the_caches(wanted: int | None, free: int, held: int) -> None:
    """Once the caches have shrunk to their limit, the limit does not shrink further."""
    allowed = quota(wanted, free, held)
    evicted = max(0, held - allowed)
    assert quota(wanted, free + evicted, held - evicted) == allowed


@given(wanted=WANTED, free=BYTES, held=BYTES, grown=BYTES)
def test_growth_does_not_move_the_limit(wanted: int | None, free: int, held: int, grown: int) -> None:
    """Growing within the limit does not change the limit."""
    allowed = quota(wanted, free, held)
    grown = min(grown, free, max(0, allowed - held))
    assert quota(wanted, free - grown, held + grown) == allowed


@given(free=st.integers(YIELD, 2**42), held=st.integers(0, MOST), taken=BYTES)
def test_a_disk_that_fills_and_empties_costs_nothing(free: int, held: int, taken: int) -> None:
    """Between the limits of growing and shrinking, other programs take and free space, and no chat is evicted."""
    free = max(YIELD, free - taken)
    assert quota(None, free, held) >= held


def test_the_free_space_is_that_of_the_folders_disk(tmp_path: Path) -> None:
    """A folder that has vanished is a state of the machine, not a fault of Hearth."""
    assert free_on(tmp_path) > 0
    with pytest.raises(EnvironmentProblem) as told:
        free_on(tmp_path / "nothing")
    assert told.value.problem is Problem.VANISHED


def test_what_is_held_is_counted_in_all_folders(tmp_path: Path) -> None:
    """Every file below counts, and a link counts as itself. A missing folder holds nothing."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "one").write_bytes(b"12345")
    (tmp_path / "a" / "b" / "two").write_bytes(b"123")
    assert held_in(tmp_path) == 8
    assert held_in(tmp_path / "nothing") == 0
