"""The limit on open files while mlx-lm is imported."""

from __future__ import annotations

import resource
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def hard_limit_kept() -> Iterator[None]:
    """The import of mlx-lm sets the limit to (2048, 4096): that lowers the hard limit, or raises ValueError if the hard
    limit is lower. Within this block it sets the soft limit alone, as far as the hard limit allows. Until mlx-lm does.
    """
    set_limit = resource.setrlimit

    def set_soft(what: int, limits: tuple[int, int]) -> None:
        hard = resource.getrlimit(what)[1]
        set_limit(what, (min(limits[0], hard), hard))

    resource.setrlimit = set_soft
    try:
        yield
    finally:
        resource.setrlimit = set_limit
