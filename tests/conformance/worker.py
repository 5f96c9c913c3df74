"""A worker: one process that checks some families and prints a line of JSON for each.

A family that fails unexpectedly ends the process with its error. The parent process continues with the next one.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["MLX_DISABLE_COMPILE"] = "1"

import msgspec

from engine.protocol.errors import ModelUnreadable
from tests.conformance.families import NOT_LOADED
from tests.conformance.scenario import check
from tests.conformance.subject import make
from tests.conformance.table import Checked, Row, row, unloaded


def main() -> None:
    """Check the families that the command line names."""
    for family in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            began = time.process_time()
            line = _checked(family, Path(folder))
            checked = Checked(line, time.process_time() - began)
        sys.stdout.buffer.write(msgspec.json.encode(checked) + b"\n")
        sys.stdout.flush()


def _checked(family: str, folder: Path) -> Row:
    try:
        subject = make(family, folder / "model")
    except ModelUnreadable:
        if family not in NOT_LOADED:
            raise
        return unloaded(family)
    return row(check(subject, folder / "segments"))


if __name__ == "__main__":
    main()
