"""A cache manager with a real store: `cache`. Or the store alone: `store`."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.segments.store import SegmentStore
from tests.fakes.cache_rig import Rig

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path / "segments")
    yield made
    assert made.manager.close(10)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SegmentStore]:
    with closing(SegmentStore.open(tmp_path / "segments", 1 << 30)) as opened:
        yield opened
