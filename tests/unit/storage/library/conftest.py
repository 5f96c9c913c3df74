"""A new library for every test, with a clock that the test sets."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.library.library import Library
from tests.fakes.library import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library" / "library.sqlite"


@pytest.fixture
def library(path: Path, clock: Clock) -> Iterator[Library]:
    with closing(Library.open(path, clock)) as opened:
        yield opened
