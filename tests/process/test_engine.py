"""The engine as a process: its pipe, its end, and many tabs at once against replies made alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from resources import DEMO_MODEL
from tests.soak.engine_pipe import EnginePipe
from tests.soak.run import Soak
from tests.soak.twin import Twins

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

QUOTA = 1 << 28


@pytest.mark.parametrize("end", [EnginePipe.close, EnginePipe.hang_up])
def test_the_engine_ends_cleanly(tmp_path: Path, end: Callable[[EnginePipe], int]) -> None:
    """Asked to end with its pipe still open, or left alone by the app: status 0 both times."""
    with EnginePipe(tmp_path, QUOTA) as engine:
        engine.load(DEMO_MODEL)
        assert end(engine) == 0


def test_many_tabs_at_once_say_what_they_say_alone_and_cold(tmp_path: Path) -> None:
    """Joining, leaving, stopping, pausing, editing and forking tabs change nothing about any reply."""
    company, lone = tmp_path / "company", tmp_path / "lone"
    company.mkdir()
    lone.mkdir()
    with EnginePipe(company, QUOTA) as engine, EnginePipe(lone, QUOTA) as other:
        twins = Twins(other, DEMO_MODEL)
        twins.start()
        soak = Soak(engine, twins, tabs=4, seed=7)
        engine.load(DEMO_MODEL)
        soak.run(seconds=6)
        twins.finish()
    assert twins.equal > 4, soak.report()
    assert soak.sound, soak.report()
