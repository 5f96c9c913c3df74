"""Faults of a walk that show at once: warnings of Qt, exceptions that nothing caught, and logged errors."""

from __future__ import annotations

import logging
import re
import sys
import threading
import traceback
from types import TracebackType
from typing import Any, Self

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

_OF_THE_PLATFORM = re.compile(
    r"This plugin does not support (propagateSizeHints|raise|grabbing the keyboard|grabbing the mouse)"
    r"|QFSFileEngine::open: No file name specified"  # Qt's own dialog for a printer, if the user empties its file name
)
_OURS = (TypeError, AttributeError, LookupError, AssertionError, NameError, ArithmeticError)
"""A library job that ends with one of these is a mistake in the code, and not a refusal."""

_EXPECTED = ("the engine ended",)
"""Errors that the walk itself causes."""


class Faults(logging.Handler):
    """Collects the faults while the context is open. `found` has a text for each."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def __enter__(self) -> Self:
        self._hooks = sys.excepthook, sys.unraisablehook, threading.excepthook
        sys.excepthook = self._exception
        sys.unraisablehook = lambda told: self._add("unraisable", f"{told.exc_value!r} in {told.object!r}")
        threading.excepthook = lambda told: self._add("thread", repr(told.exc_value))
        self._handler = qInstallMessageHandler(self._qt)
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)
        qInstallMessageHandler(self._handler)
        sys.excepthook, sys.unraisablehook, threading.excepthook = self._hooks

    def emit(self, record: logging.LogRecord) -> None:
        """Note a logged error, and a warning that has one of our own mistakes in it."""
        error = record.exc_info[1] if record.exc_info else None
        is_expected = record.getMessage().startswith(_EXPECTED)
        if (record.levelno >= logging.ERROR and not is_expected) or isinstance(error, _OURS):
            told = "".join(traceback.format_exception(error)) if error is not None else ""
            self._add("log", f"{record.getMessage()}\n{told}")

    def _exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self._add("exception", "".join(traceback.format_exception(kind, error, trace)))

    def _qt(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if kind not in {QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg} and not _OF_THE_PLATFORM.search(message):
            self._add("Qt", f"{message} ({_place(context)})\n{''.join(traceback.format_stack(limit=8))}")

    def _add(self, kind: str, text: str) -> None:
        self.found.append(f"{kind}: {text}")


def _place(context: Any) -> str:
    return f"{context.category or ''} {context.file or ''}:{context.line}"
