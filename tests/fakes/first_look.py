"""Another process that acts at the worst moment: just after this one has looked whether something exists."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest


def after_first_look(monkeypatch: pytest.MonkeyPatch, path: Path, act: Callable[[], object]) -> None:
    """Call `act` once, right after the first look at `path`, which then says what was there before."""
    look = Path.stat
    waiting = [act]

    def stat(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        try:
            return look(self, follow_symlinks=follow_symlinks)
        finally:
            if self == path and waiting:
                waiting.pop()()

    monkeypatch.setattr(Path, "stat", stat)
