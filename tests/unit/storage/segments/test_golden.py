"""Stores of every released version, written by the code of that version."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from storage.segments import reconciliation
from storage.segments import store as store_module
from storage.segments.schema import STEPS
from storage.segments.store import SegmentStore
from tests.fakes.segments import assert_agreement, files_of
from tests.golden.segments import told

_GOLDEN = Path(told.__file__).parent
_VERSIONS = sorted(folder.name for folder in _GOLDEN.glob("v*"))


@pytest.fixture(params=_VERSIONS)
def golden(request: pytest.FixtureRequest, root: Path) -> Path:
    return Path(shutil.copytree(_GOLDEN / str(request.param), root))


def test_a_store_of_any_version_opens(golden: Path) -> None:
    """Every segment has its span, its records to the byte and its holders; no damage is counted, and the store takes
    more.
    """
    with closing(SegmentStore.open(golden, told.QUOTA)) as store:
        found = {segment.key: segment for segment in store.lookup(told.KEYS)}
        for segment in told.segments():
            stored = found[segment.key]
            assert (stored.parent, stored.identity) == (segment.parent, segment.identity)
            assert (stored.start, stored.end) == (segment.start, segment.end)
            for record in segment.records:
                read = store.read(stored.records[record.kind])
                assert dict(read.meta) == dict(stored.records[record.kind].meta) == dict(record.meta)
                assert {n: (t.dtype, t.shape, bytes(t.data)) for n, t in read.tensors.items()} == {
                    n: (t.dtype, t.shape, bytes(t.data)) for n, t in record.tensors.items()
                }
        for name, keys in told.CONVERSATIONS.items():
            assert {record.segment for record in store.held(name, "kv", told.IDENTITY)} == set(keys)
        assert dict(store.stats().causes) == {}
        store.pin(["fork"])
        assert store.forget("first") > 0
        store.commit("first", told.segments())
        assert_agreement(store, golden)
    assert list(golden.glob("segments.sqlite.v*")) == []


def test_there_is_a_golden_store_of_every_version() -> None:
    """A new step of the index needs a golden store from before it."""
    assert {f"v{number}" for number in range(1, len(STEPS))} <= set(_VERSIONS)


def test_records_of_another_version_are_dropped_with_their_cause(golden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the version of the files' content changes, old records are dropped and counted at the first start, and the
    store still works.
    """
    monkeypatch.setattr(reconciliation, "SCHEMA", "2")
    monkeypatch.setattr(store_module, "SCHEMA", "2")
    with closing(SegmentStore.open(golden, told.QUOTA)) as store:
        assert files_of(golden) == {}
        assert dict(store.stats().causes) == {"schema": 7}
        assert len(store.lookup(told.KEYS)) == 4
        assert store.disagreements() == ()
    with closing(SegmentStore.open(golden, told.QUOTA)) as store:
        assert dict(store.stats().causes) == {"schema": 7}
