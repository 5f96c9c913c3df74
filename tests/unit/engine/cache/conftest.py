"""A cache manager with a real store: `cache`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.cache_rig import Rig

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path / "segments")
    yield made
    assert made.manager.close(10)
