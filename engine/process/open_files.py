"""How many files the engine may have open at once. Owns the process's limit, and what a model needs of it."""

from __future__ import annotations

import resource
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_WANTED: Final = 10_240
"""More than any model has files. macOS refuses a higher soft limit, even where the hard limit is infinite."""
_OWN: Final = 32
"""What the engine has open besides a model's weights: pipes, the store's database, records that are being read."""


def raise_limit() -> None:
    """Raise the soft limit as far as the system allows. The hard limit stays as it is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # a system may have a lower limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@contextmanager
def kept_limit() -> Iterator[None]:
    """Within, nothing changes the limit. The import of mlx-lm sets it to (2048, 4096): that lowers the hard limit, or
    raises ValueError if the hard limit is lower already.
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
    """The limit, if it is too low to load that many files of weights, all of which are open at once; else 0."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if 0 <= soft < weight_files + _OWN else 0
