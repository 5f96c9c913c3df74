"""Reading records into the caller's buffers."""

from __future__ import annotations

import os

import pytest

from storage.errors import Damage, DamagedRecord
from storage.segments.records import StoredRecord
from storage.segments.store import SegmentStore
from tests.fakes.segments import new_record, new_segment


@pytest.fixture
def record(store: SegmentStore) -> StoredRecord:
    store.commit("chat", [new_segment("aa", None, new_record(fill=7, size=5000))])
    return store.index.lookup(["aa"])[0].records["kv"]


@pytest.mark.parametrize("most", [5000, 700])
def test_buffers_of_any_size_are_filled_in_order(
    store: SegmentStore, record: StoredRecord, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """However few bytes the system returns at a time, every buffer is filled, and the checksum is verified at the
    end.
    """
    preadv = os.preadv
    if most < 5000:
        monkeypatch.setattr(
            os, "preadv", lambda handle, buffers, at: preadv(handle, [memoryview(buffers[0]).cast("B")[:most]], at)
        )
    buffers = [memoryview(bytearray(size)) for size in (1, 999, 2000, 1500, 500)]
    with store.reading(record) as reading:
        reading.into(buffers[0])
        reading.into(*buffers[1:4])
        reading.into(buffers[4])
        reading.finish()
    assert b"".join(buffers) == b"\7" * 5000


def _read(store: SegmentStore, record: StoredRecord, size: int) -> None:
    with store.reading(record) as reading:
        reading.into(memoryview(bytearray(size)))
        reading.finish()


@pytest.mark.parametrize(("size", "cause"), [(4999, Damage.CHECKSUM), (5001, Damage.SIZE)])
def test_finish_verifies_the_whole_record(store: SegmentStore, record: StoredRecord, size: int, cause: Damage) -> None:
    """An incomplete read and a read past the end are reported at the end."""
    with pytest.raises(DamagedRecord) as caught:
        _read(store, record, size)
    assert caught.value.cause is cause
