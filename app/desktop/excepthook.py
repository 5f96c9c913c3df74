"""The last resort: an error that nobody foresaw, raised inside Qt's loop. Owns that it is logged and told.

What the user sees of it is left to the caller.
"""

from __future__ import annotations

import logging
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

_log = logging.getLogger(__name__)


@contextmanager
def installed(tell: Callable[[Exception], object]) -> Iterator[None]:
    """Within, an error in a slot is logged with its traceback and handed to `tell`; without this it would be printed
    and the loop would go on as if nothing were missing.
    """

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        if isinstance(error, Exception):
            _log.critical("an error that nobody foresaw", exc_info=(kind, error, traceback))
            tell(error)
        else:
            before(kind, error, traceback)

    before, sys.excepthook = sys.excepthook, hook
    try:
        yield
    finally:
        sys.excepthook = before
