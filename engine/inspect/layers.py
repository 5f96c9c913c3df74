"""Finds what each layer of a model keeps of a conversation, and how many bytes, from caches that processed some tokens.

On the inspector's main thread. The caches are never evaluated: their shapes and types are all that is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import mlx.core as mx
from mlx_lm.models.cache import make_prompt_cache

from engine.cache.codec.codec import Layout, kinds, leaves
from engine.memory.footprint import Footprint
from engine.model.trial import tried
from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.protocol.inspection import LayerKind

_KINDS: Final[dict[str | None, LayerKind]] = {
    RecordKind.KV: "attention",
    RecordKind.WINDOW: "window",
    RecordKind.STATE: "recurrent",
}
_LENGTHS: Final = (4096, 8192)
"""Tokens after which caches of an unknown class are compared: beyond the windows of published models."""


def measured(model: Any) -> tuple[tuple[LayerKind, ...], Footprint]:
    """The kind of each layer of `model`, and the bytes of a conversation."""
    caches = make_prompt_cache(model)
    users = _Users(model, caches)
    tried(model, caches)
    layout = Layout.of(caches)
    return users.kinds(), layout.footprint if layout else _growth(model)


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


class _Users:
    """Records which caches each layer is called with. A cache belongs to the layer that is called with it first: the
    others read the keys and values of that layer.
    """

    def __init__(self, model: Any, caches: Sequence[Any]) -> None:
        self._caches = caches
        self._layers = list(getattr(model, "layers", ()))
        self._used: dict[int, list[Any]] = {}
        self._owned: set[int] = set()
        if len(self._layers) != len(caches):
            for index, layer in enumerate(self._layers):
                self._record(layer, index)

    def kinds(self) -> tuple[LayerKind, ...]:
        """The kind of each layer. A model has one cache for each, unless its layers were seen with others."""
        if not self._used:
            return tuple(_kind([cache]) for cache in self._caches)
        return tuple(_kind(self._used.get(index, [])) for index in range(len(self._layers)))

    def _record(self, layer: Any, index: int) -> None:
        """Make `layer` record its caches. Its class keeps its name and module, for code that inspects it."""
        own = type(layer)
        known = {id(cache) for cache in self._caches}

        def called(module: Any, *args: Any, **kwargs: Any) -> Any:
            for given in (*args, *kwargs.values()):
                if id(given) in known - self._owned:
                    self._owned.add(id(given))
                    self._used.setdefault(index, []).append(given)
            return own.__call__(module, *args, **kwargs)

        layer.__class__ = type(own.__name__, (own,), {"__call__": called, "__module__": own.__module__})


def _kind(caches: Sequence[Any]) -> LayerKind:
    """The kind of a layer with these caches. Caches of an unknown class count as attention."""
    used = [own for _, own in kinds(caches) if not own.leaf.empty()]
    found = {"window" if own.max_tokens else _KINDS.get(own.record, "attention") for own in used}
    if "recurrent" in found and len(found) > 1:
        return "mixed"
    return next((kind for kind in ("attention", "window", "recurrent") if kind in found), "none")
