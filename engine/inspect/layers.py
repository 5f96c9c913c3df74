"""Finds what each layer of a model keeps of a conversation, and how many bytes, from caches that processed some tokens.

On the inspector's main thread. The caches are never evaluated: their shapes and types are all that is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import mlx.core as mx
from mlx_lm.models.cache import make_prompt_cache

from engine.cache.codec.codec import Layout, kinds, leaves
from engine.memory.footprint import Footprint
from engine.model.probes import tried
from engine.protocol.inspection import LayerKind
from storage.segments.records import RecordKind

_KINDS: Final[dict[str | None, LayerKind]] = {
    RecordKind.KV: "attention",
    RecordKind.WINDOW: "window",
    RecordKind.STATE: "recurrent",
}
_LENGTHS: Final = (4096, 8192)
"""Tokens after which caches of an unknown class are compared: beyond the windows of published models."""


def measured(model: Any) -> tuple[tuple[LayerKind, ...], Footprint]:
    """The kind of each layer of `model`, and the bytes of a conversation. A cache belongs to the layer that is called
    with it first: the others read the keys and values of that layer. If the model calls no layer itself, each cache
    counts as one.
    """
    caches = make_prompt_cache(model)
    unused = {id(cache): cache for cache in caches}
    used = [_watched(layer, unused) for layer in getattr(model, "layers", ())]
    tried(model, caches)
    layout = Layout.of(caches)
    by_layer = used if any(used) else [[cache] for cache in caches]
    return tuple(map(_kind, by_layer)), layout.footprint if layout else _growth(model)


def _growth(model: Any) -> Footprint:
    """The bytes of caches whose class is unknown, from their sizes at two lengths."""
    short, long = _LENGTHS
    at_short, at_long = _bytes_after(model, short), _bytes_after(model, long)
    token_bytes = max(0, at_long - at_short) // (long - short)
    return Footprint(token_bytes, (), max(0, at_short - short * token_bytes))


def _bytes_after(model: Any, tokens: int) -> int:
    caches = make_prompt_cache(model)
    model(mx.zeros((1, tokens), mx.int32), cache=caches)
    return sum(int(leaf.nbytes) for _, leaf in leaves(caches))


def _watched(layer: Any, unused: dict[int, Any]) -> list[Any]:
    """Make `layer` move the caches that it is called with from `unused` to the list that this returns. Its class keeps
    its name and module, for code that inspects it.
    """
    own = type(layer)
    used: list[Any] = []

    def called(module: Any, *args: Any, **kwargs: Any) -> Any:
        used.extend(unused.pop(id(given)) for given in (*args, *kwargs.values()) if id(given) in unused)
        return own.__call__(module, *args, **kwargs)

    layer.__class__ = type(own.__name__, (own,), {"__call__": called, "__module__": own.__module__})
    return used


def _kind(caches: Sequence[Any]) -> LayerKind:
    """The kind of a layer with these caches. Caches of an unknown class count as attention."""
    used = [own for _, own in kinds(caches) if not own.leaf.empty()]
    found = {"window" if own.max_tokens else _KINDS.get(own.record, "attention") for own in used}
    if "recurrent" in found and len(found) > 1:
        return "mixed"
    return next((kind for kind in ("attention", "window", "recurrent") if kind in found), "none")
