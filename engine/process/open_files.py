"""The limit on open files: raises it at the start, and checks it against the files of a model."""

from __future__ import annotations

import resource
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_WANTED: Final = 10_240
"""More files than any model has. macOS refuses a higher soft limit, even if the hard limit is infinite."""
_OWN: Final = 32
"""Files that the engine has open besides a model's weights: pipes, the store's database, and records being read."""


def raise_limit() -> None:
    """Raise the soft limit as high as the system allows. The hard limit does not change."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # the system may have a lower limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@contextmanager
def kept_limit() -> Iterator[None]:
    """Keeps the limit unchanged within its block. The import of mlx-lm sets it to (2048, 4096): that lowers the hard
    limit, or raises ValueError if the hard limit is already lower. Until mlx-lm raises the soft limit alone.
    """
    set_limit = resource.setrlimit

    def set_others(what: int, limits: Any) -> None:
        if what != resource.RLIMIT_NOFILE:
            set_limit(what, limits)

    resource.setrlimit = set_others
    try:
        yield
    finally:
        resource.setrlimit = set_limit


def limit_below(weight_files: int) -> int:
    """The limit, if it is too low to load that many weight files, which are all open at once; else 0."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if 0 <= soft < weight_files + _OWN else 0
