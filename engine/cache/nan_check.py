"""Soundness: whether what a model computed is worth keeping. Owns what is looked for; who refuses it is the manager's.

A state with a NaN in it says nothing any more, and everything that is computed from it says no more than that. Where it
is kept, a conversation that went wrong once goes wrong for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import mlx.core as mx

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.cache.codec.span import Arrays

_BITS = {
    mx.float32: (mx.uint32, 0x7FFF_FFFF, 0x7F80_0000),
    mx.float16: (mx.uint16, 0x7FFF, 0x7C00),
    mx.bfloat16: (mx.uint16, 0x7FFF, 0x7F80),
}
"""By type: the integers of its bits, all of them but the sign, and those of an infinity. Only NaNs are above that."""


def before_first_nan(records: Sequence[Mapping[str, Arrays]]) -> int:
    """How many of `records`, each a segment's by kind, come before the first that holds a NaN. Evaluates them."""
    found = [_has_nan(kinds) for kinds in records]
    mx.eval([array for kinds in records for arrays in kinds.values() for array in arrays.values()], found)
    return next((at for at, one in enumerate(found) if one.item()), len(records))


def _has_nan(kinds: Mapping[str, Arrays]) -> mx.array:
    """One pass over the bits of each array: several times faster than over its numbers."""
    arrays = [array for some in kinds.values() for array in some.values() if array.dtype in _BITS and array.size]
    return mx.any(mx.stack([_above_infinity(array) for array in arrays])) if arrays else mx.array(0)


def _above_infinity(array: mx.array) -> mx.array:
    bits, unsigned, infinity = _BITS[array.dtype]
    return mx.max(array.view(bits) & unsigned) > infinity
