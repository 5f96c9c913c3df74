"""Writes the log files, which rotate. No text of any conversation is ever logged.

Logging never blocks or ends the app. If a log cannot be opened, its records are dropped, and one line on stderr says
so.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from storage.errors import Problem, classify
from storage.folders import OWNER_FILE, open_own

ENGINE = logging.getLogger("hearth.engine")
"""The lines that the engine's process writes on stderr. They go to a file of their own."""

_BYTES = 1_000_000
_KEPT = 3


class _OwnerOnlyFile(RotatingFileHandler):
    """If the disk is full, log records are dropped silently."""

    _refused = False

    def _open(self) -> TextIOWrapper:
        """Open a regular file for appending. A pipe would block, and what a link leads to is not Hearth's."""
        try:
            file = os.fdopen(open_own(Path(self.baseFilename), os.O_WRONLY | os.O_APPEND), "ab")
            os.fchmod(file.fileno(), OWNER_FILE)
            return TextIOWrapper(file, self.encoding)
        except OSError as error:
            if not self._refused and classify(error).code != Problem.DISK_FULL:
                self._refused = True
                with suppress(OSError, ValueError, AttributeError):  # stderr may be missing or closed
                    sys.stderr.write(f"hearth: Nothing is logged to {self.baseFilename}: {error.strerror}.\n")
            raise

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)

    def close(self) -> None:
        with suppress(OSError):
            super().close()


@contextmanager
def written(folder: Path, name: str, largest: int = _BYTES) -> Iterator[None]:
    """Within the context, log to `NAME.log` in `folder`, and the engine's stderr to `NAME-engine.log`. A file that
    would grow beyond `largest` bytes is rotated.
    """
    root = logging.getLogger()
    ours = _handler(folder / f"{name}.log", "%(asctime)s %(levelname)s %(name)s %(message)s", largest)
    engines = _handler(folder / f"{name}-engine.log", "%(message)s", largest)
    before = root.level
    root.setLevel(logging.INFO)
    root.addHandler(ours)
    ENGINE.addHandler(engines)
    ENGINE.propagate = False
    try:
        yield
    finally:
        ENGINE.propagate = True
        ENGINE.removeHandler(engines)
        root.removeHandler(ours)
        root.setLevel(before)
        ours.close()
        engines.close()


def _handler(path: Path, form: str, largest: int) -> logging.Handler:
    handler = _OwnerOnlyFile(path, maxBytes=largest, backupCount=_KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter(form))
    return handler
