"""What the caches are, in words."""

from __future__ import annotations

from app.quota import GIB
from app.storage_words import facts
from engine.protocol import StoreReport


def _report(conversations: int = 3, records: int = 40, **damaged: int) -> StoreReport:
    return StoreReport(0, 0, conversations, records, 0, damaged)


def test_what_is_kept_is_counted() -> None:
    """One record is one record."""
    assert facts(_report(), GIB, GIB) == ("40 records of 3 chats.",)
    assert facts(_report(1, 1), GIB, GIB) == ("1 record of 1 chat.",)


def test_a_limit_that_does_not_fit_is_explained() -> None:
    """The disk has the last word, and says so; what Hearth chose itself needs no word."""
    assert len(facts(_report(), None, GIB)) == 1
    assert facts(_report(), 9 * GIB, GIB)[1] == "You allow 9 GB, but the last room on the disk is left free."


def test_damage_is_told_by_its_kind() -> None:
    """Known causes in words, others as they are called."""
    line = facts(_report(checksum=2, missing=1, moth=4), GIB, GIB)[1]
    assert line == "7 records refused and read again instead: 2 changed, 1 missing, 4 moth."
