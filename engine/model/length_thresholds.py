"""Finds the lengths at which a model begins to compute differently, from its configuration. Pure.

A threshold is a window that fills up, an index that begins to select, a chunk that ends, or a rotation that changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_WINDOWS: Final = ("sliding_window", "sliding_window_size", "window_size", "attention_window_size", "loop_window_size")
_OTHERS: Final = ("attention_chunk_size", "index_topk")
_ROTATION: Final = "original_max_position_embeddings"
_SCALE_BY_POSITION: Final = "llama_4_scaling_beta"
_COMPUTED_ONCE: Final = frozenset({"default", "linear", "llama3", "longrope", "proportional", "mrope"}) | {
    "yarn",
    "deepseek_yarn",
    "telechat3-yarn",
}
"""Kinds of rotation whose frequencies mlx-lm 0.32.2 computes once, for all positions."""

_DEPTH: Final = 4
"""How deeply nested objects are searched. The rotation of a text model, by layer type, is this deep."""


def thresholds(config: Mapping[str, Any], context_limit: int) -> tuple[int, ...]:
    """The thresholds in tokens, ascending. Those beyond `context_limit` (in tokens, 0 if unknown) are left out."""
    objects = _objects(config, _DEPTH)
    found = {length for one in objects for length in _named(one) if type(length) is int and length > 0}
    return tuple(sorted(length for length in found if not context_limit or length < context_limit))


def _objects(config: Mapping[str, Any], depth: int) -> Iterator[Mapping[str, Any]]:
    """`config` and the objects nested in it."""
    yield config
    for part in config.values():
        if isinstance(part, dict) and depth > 1:
            yield from _objects(part, depth - 1)


def _named(one: Mapping[str, Any]) -> Iterator[Any]:
    """The values of one object of a configuration under the names above."""
    if one.get("use_sliding_window") is not False:
        yield from (one.get(name) for name in _WINDOWS)
    yield from (one.get(name) for name in _OTHERS)
    if _turns(one):
        yield one.get(_ROTATION)


def _turns(rotation: Mapping[str, Any]) -> bool:
    """Whether `rotation`, any object of a configuration, describes a rotation that changes with the position."""
    kind = rotation.get("rope_type", rotation.get("type"))
    return _SCALE_BY_POSITION in rotation or (isinstance(kind, str) and kind not in _COMPUTED_ONCE)
