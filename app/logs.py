"""The log files. Owns where records go and how large they grow; no text of any conversation is ever logged."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ENGINE = logging.getLogger("hearth.engine")
"""What the engine's process writes to its stderr, in a file of its own."""

_BYTES = 1_000_000
_KEPT = 3


class _OwnerOnlyFile(RotatingFileHandler):
    """Where the disk takes no more, records are lost; nobody is kept from his work by that."""

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        return TextIOWrapper(os.fdopen(os.open(self.baseFilename, flags, 0o600), "ab"), self.encoding)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)

    def close(self) -> None:
        with suppress(OSError):
            super().close()


@contextmanager
def written(folder: Path, name: str) -> Iterator[None]:
    """Within, log to `NAME.log` and what the engine says to `NAME-engine.log`, both in `folder`."""
    root = logging.getLogger()
    ours = _handler(folder / f"{name}.log", "%(asctime)s %(levelname)s %(name)s %(message)s")
    engines = _handler(folder / f"{name}-engine.log", "%(message)s")
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


def _handler(path: Path, form: str) -> logging.Handler:
    handler = _OwnerOnlyFile(path, maxBytes=_BYTES, backupCount=_KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter(form))
    return handler
