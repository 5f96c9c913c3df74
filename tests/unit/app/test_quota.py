"""How much of a disk the caches may take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from app.quota import GIB, LEAST, MOST, SPARE, held_in, most, quota

if TYPE_CHECKING:
    from pathlib import Path

BYTES = st.integers(0, 2**42)


def test_left_to_itself_it_is_a_fifth() -> None:
    """Of what is free and what is held already, so that it stays the same while the caches fill up."""
    assert quota(None, 200 * GIB, 0) == 40 * GIB
    assert quota(None, 170 * GIB, 30 * GIB) == 40 * GIB


def test_small_disks_give_two_and_large_ones_a_hundred() -> None:
    """Chats stay warm where there is little room, and nobody's disk is filled because it is large."""
    assert quota(None, 8 * GIB, 0) == LEAST
    assert quota(None, 4000 * GIB, 0) == MOST


def test_an_almost_full_disk_gives_what_it_can() -> None:
    """Others come first where there is no room."""
    assert quota(None, 6 * GIB, 0) == GIB
    assert quota(None, 3 * GIB, 0) == 0
    assert quota(50 * GIB, 6 * GIB, 2 * GIB) == 3 * GIB


def test_the_user_has_the_word() -> None:
    """What is wanted is allowed, more and less than Hearth would take."""
    assert quota(300 * GIB, 400 * GIB, 0) == 300 * GIB
    assert quota(1, 400 * GIB, 0) == 1


@given(wanted=st.none() | BYTES, free=BYTES, held=BYTES)
def test_the_last_room_is_never_taken(wanted: int | None, free: int, held: int) -> None:
    """However full the disk is, filling the quota leaves the spare room, or takes nothing."""
    allowed = quota(wanted, free, held)
    assert 0 <= allowed <= most(free, held)
    assert free + held - allowed >= min(SPARE, free + held)


@given(free=BYTES, held=BYTES, grown=BYTES)
def test_growth_does_not_move_it(free: int, held: int, grown: int) -> None:
    """What the caches take from the free room changes nothing."""
    grown = min(grown, free)
    assert quota(None, free, held) == quota(None, free - grown, held + grown)


def test_what_is_held_is_counted_in_all_folders(tmp_path: Path) -> None:
    """Every file below counts, a link for itself; a folder that is not there holds nothing."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "one").write_bytes(b"12345")
    (tmp_path / "a" / "b" / "two").write_bytes(b"123")
    assert held_in(tmp_path) == 8
    assert held_in(tmp_path / "nothing") == 0
