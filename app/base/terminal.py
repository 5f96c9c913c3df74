"""Lines on the terminal: text on stdout, complaints on stderr. Loads no library."""

from __future__ import annotations

import os
import sys
from typing import Final

FAILED: Final = 2
"""The exit status of a command that has complained."""


def complain(text: str) -> None:
    """Write one line on stderr."""
    sys.stderr.write(f"hearth: {text}\n")
    sys.stderr.flush()


def write(text: str) -> None:
    """Write `text` on stdout at once, in UTF-8 whatever the locale. If the reader is gone, later text is dropped."""
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
