"""This Mac and another one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.base.paths import Paths
from tests.fakes import macs
from tests.fakes.macs import Other

_ENDING_SECONDS = 15.0


@pytest.fixture
def here(tmp_path: Path) -> Paths:
    return macs.mac(tmp_path / "here")


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Other]:
    """The other Mac. After the test, no thread of its worker is left."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("HOME", str(tmp_path))
    with macs.other_mac(tmp_path / "there") as other:
        yield other
    left = [thread for thread in threading.enumerate() if thread.name.startswith("worker")]
    for thread in left:
        thread.join(_ENDING_SECONDS)  # one that has closed its connection may still have to return
    assert not [thread.name for thread in left if thread.is_alive()]
