"""A cache manager with a real store: `cache`. Or the store alone: `store`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.segments.store import SegmentStore
from tests.fakes.cache_rig import Rig


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path / "segments")
    yield made
    assert made.manager.close(10)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SegmentStore]:
    with closing(SegmentStore.open(tmp_path / "segments", 1 << 30)) as opened:
        yield opened
