"""`hearth` with an engine that repeats the prompt: for tests in which no model matters. Run as a script."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

from app.__main__ import main
from app.base import program
from app.base.program import Program


def echo_engine(*_: object, **_named: object) -> Program:
    """What to run in the place of the engine."""
    return Program(sys.executable, ("-m", "tests.fakes.engine_process"), Path(__file__).parents[2])


if __name__ == "__main__":
    with patch.object(program, "engine", echo_engine):
        sys.exit(main())
