"""A new store for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.segments.index import Index
from storage.segments.store import SegmentStore
from tests.fakes.segments import opened_with_index


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "segments"


@pytest.fixture
def opened(root: Path) -> Iterator[tuple[SegmentStore, Index]]:
    with opened_with_index(root) as both:
        yield both


@pytest.fixture
def store(opened: tuple[SegmentStore, Index]) -> SegmentStore:
    return opened[0]


@pytest.fixture
def index(opened: tuple[SegmentStore, Index]) -> Index:
    """The index of `store`."""
    return opened[1]
