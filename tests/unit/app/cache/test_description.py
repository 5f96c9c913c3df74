"""The sentences about the caches."""

from __future__ import annotations

from msgspec.structs import replace

from app.cache.monitor import disk_limit, facts
from app.cache.quota import GIB
from engine.protocol.cache_messages import StoreReport


def _report(conversations: int = 3, records: int = 40, **damaged: int) -> StoreReport:
    return StoreReport(0, 0, conversations, records, damaged)


def test_failed_reads_and_writes_are_counted() -> None:
    """One sentence has their number, whatever their codes are."""
    line = facts(replace(_report(), failures={"internal": 1, "io": 2}), "")[0]
    assert line == "Reading or writing what is kept has failed 3 times since the engine started."


def test_nothing_is_told_if_all_is_well() -> None:
    """The number of records says nothing to people."""
    assert facts(_report(), "") == ()


def test_a_disk_without_room_is_named() -> None:
    """The sentence has its free space and the user's limit, so the user does not blame a setting."""
    assert disk_limit(None, 3 * GIB, GIB) == "Only 3 GB are free on the disk, so ready chats take at most 1 GB."
    assert disk_limit(None, 0, 0) == "Only 0 bytes are free on the disk, so no room is left for ready chats."
    told = disk_limit(9 * GIB, 3 * GIB, GIB)
    assert told == "You allow 9 GB, but only 3 GB are free on the disk, so ready chats take at most 1 GB."
    assert facts(_report(), told)[0] == told


def test_damage_is_described_by_its_kind() -> None:
    """Known causes are described in words, others by their code, whatever that holds."""
    line = facts(_report(checksum=2, missing=1, **{"moth {x}": 4}), "")[0]
    assert line == "7 damaged files put aside, and those parts read again: 2 changed, 1 missing, 4 moth {x}."
