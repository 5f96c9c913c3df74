"""The tour plays in a home without chats, and leaves those of the user alone."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from app.base import paths
from tests.tour.__main__ import choose_home


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home that HEARTH_HOME names."""
    monkeypatch.setenv("HEARTH_HOME", str(tmp_path))
    return tmp_path


def test_a_named_home_without_chats_is_used(named: Path) -> None:
    """Its settings and logs are those of the tour."""
    with ExitStack() as stack:
        choose_home(stack)
        assert os.environ["HEARTH_HOME"] == str(named)


def test_a_home_with_chats_stays_as_it_is(named: Path) -> None:
    """A second tour, too, begins without chats, in a temporary home."""
    library = paths.find().library_file
    library.parent.mkdir()
    library.touch()
    with ExitStack() as stack:
        choose_home(stack)
        chosen = Path(os.environ["HEARTH_HOME"])
        assert chosen != named
        assert chosen.is_dir()
    assert not chosen.exists()


@pytest.mark.usefixtures("named")
def test_without_a_named_home_it_is_temporary(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty HEARTH_HOME names none."""
    monkeypatch.setenv("HEARTH_HOME", "")
    with ExitStack() as stack:
        choose_home(stack)
        chosen = Path(os.environ["HEARTH_HOME"])
        assert chosen.is_dir()
    assert not chosen.exists()
