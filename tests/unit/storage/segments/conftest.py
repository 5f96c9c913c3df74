"""A new store for every test."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.segments.store import SegmentStore
from tests.fakes.segments import MUCH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "segments"


@pytest.fixture
def store(root: Path) -> Iterator[SegmentStore]:
    with closing(SegmentStore.open(root, MUCH)) as opened:
        yield opened
