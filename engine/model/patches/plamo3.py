"""The repair of plamo3: its windows see one token more than its rings hold, so that what it reads in one go and what it
reads bit by bit differ. Owns rings that hold what the windows see.
"""

from __future__ import annotations

from typing import Any

from mlx_lm.models.cache import RotatingKVCache


def repair(model: Any) -> None:
    """Give every ring the room of one token more."""
    shorter = model.make_cache

    def make_cache() -> list[Any]:
        return [RotatingKVCache(c.max_size + 1) if isinstance(c, RotatingKVCache) else c for c in shorter()]

    model.make_cache = make_cache
