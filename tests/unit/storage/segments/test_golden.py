"""The golden store, as the code of its version wrote it."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

from storage.segments.schema import SCHEMA
from storage.segments.store import SegmentStore
from tests.fakes.segments import assert_agreement, read
from tests.golden.segments import told

_GOLDEN = Path(told.__file__).parent


def test_the_golden_store_opens(root: Path) -> None:
    """Every segment has its span, its records to the byte and its holders; no damage is counted, and the store takes
    more.
    """
    golden = Path(shutil.copytree(_GOLDEN / f"v{SCHEMA.oldest}", root))
    with closing(SegmentStore.open(golden, told.QUOTA)) as store:
        found = {segment.key: segment for segment in store.index.lookup(told.KEYS)}
        for segment in told.segments():
            stored = found[segment.key]
            assert (stored.parent, stored.identity) == (segment.parent, segment.identity)
            assert (stored.start, stored.end) == (segment.start, segment.end)
            for record in segment.records:
                tensors = read(store, stored.records[record.kind])
                assert dict(stored.records[record.kind].meta) == dict(record.meta)
                assert {n: (t.dtype, t.shape, bytes(t.data)) for n, t in tensors.items()} == {
                    n: (t.dtype, t.shape, bytes(t.data)) for n, t in record.tensors.items()
                }
        for name, keys in told.CONVERSATIONS.items():
            assert {record.segment for record in store.index.records(name, "kv", told.IDENTITY)} == set(keys)
        assert dict(store.index.stats().causes) == {}
        store.index.pin(["fork"])
        assert store.forget("first") > 0
        store.commit("first", told.segments())
        assert_agreement(store, golden)
    assert list(golden.glob("segments.sqlite.v*")) == []
