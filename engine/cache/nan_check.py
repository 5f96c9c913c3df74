"""The NaN check: whether computed records may be kept. On the MLX thread.

Everything computed from a state with a NaN is NaN. If such a state were kept, a conversation that failed once would
fail for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mlx.core as mx

from engine.cache.codec.cache_classes import Arrays

_BITS = {
    mx.float32: (mx.uint32, 0x7FFF_FFFF, 0x7F80_0000),
    mx.float16: (mx.uint16, 0x7FFF, 0x7C00),
    mx.bfloat16: (mx.uint16, 0x7FFF, 0x7F80),
}
"""By type: the integer type of the same width, all bits but the sign, and the bits of infinity. Only NaNs are above."""


def before_first_nan(records: Sequence[Mapping[str, Arrays]]) -> int:
    """Counts the `records`, each one segment's by kind, before the first that holds a NaN. Evaluates them."""
    found = [_has_nan(kinds) for kinds in records]
    mx.eval([array for kinds in records for arrays in kinds.values() for array in arrays.values()], found)
    return next((at for at, one in enumerate(found) if one.item()), len(records))


def _has_nan(kinds: Mapping[str, Arrays]) -> mx.array:
    """Looks at the bits: several times faster than comparing the numbers."""
    arrays = [array for some in kinds.values() for array in some.values() if array.dtype in _BITS and array.size]
    return mx.any(mx.stack([_above_infinity(array) for array in arrays])) if arrays else mx.array(0)


def _above_infinity(array: mx.array) -> mx.array:
    bits, unsigned, infinity = _BITS[array.dtype]
    return mx.max(array.view(bits) & unsigned) > infinity
