"""The patch for plamo3. Its windows cover one token more than its rotating caches hold, so the result depends on the
size of the prefill chunks. The patch makes the caches as large as the windows.
"""

from __future__ import annotations

from typing import Any

from mlx_lm.models.cache import RotatingKVCache


def patch(model: Any) -> None:
    """Make every rotating cache one token larger."""
    shorter = model.make_cache

    def make_cache() -> list[Any]:
        return [RotatingKVCache(c.max_size + 1) if isinstance(c, RotatingKVCache) else c for c in shorter()]

    model.make_cache = make_cache
