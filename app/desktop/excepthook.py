"""The last resort for an unexpected error in Qt's loop: logs it and reports it to the caller."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

_log = logging.getLogger(__name__)


@contextmanager
def installed(tell: Callable[[Exception], object]) -> Iterator[None]:
    """Within the context, log an error in a slot with its traceback and pass it to `tell`. Without this hook Qt would
    print the error and continue.
    """

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        if isinstance(error, Exception):
            _log.critical("unexpected error", exc_info=(kind, error, traceback))
            tell(error)
        else:
            before(kind, error, traceback)

    before, sys.excepthook = sys.excepthook, hook
    try:
        yield
    finally:
        sys.excepthook = before
