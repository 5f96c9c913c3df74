"""The command lines with which the app starts itself again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from app.base import program


def test_engine_is_this_app(tmp_path: Path) -> None:
    """The engine uses the same interpreter and code, whatever the user's working directory is."""
    engine = program.engine(tmp_path, 10)
    assert (engine.program, engine.arguments[:2]) == (sys.executable, ("-m", "app"))
    ours = ("--parent", str(os.getpid()))
    assert engine.arguments[2:] == ("--engine", *ours, "--segments", str(tmp_path), "--quota", "10")
    assert (engine.folder / "app" / "__main__.py").is_file()
    assert program.engine(tmp_path).arguments == engine.arguments[:-2], "it is told later"


def test_the_inspector_is_this_app_too() -> None:
    """It ends with this process."""
    inspector = program.inspector()
    assert inspector.arguments == ("-m", "app", "--inspector", "--parent", str(os.getpid()))
    assert inspector.folder == program.this_app().folder


def test_bundle_starts_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundle has no interpreter that could run a module."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert program.engine(Path(tmp_path), 10).arguments[0] == "--engine"
