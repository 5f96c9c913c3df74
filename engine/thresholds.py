"""Thresholds: the lengths at which a model begins to compute differently, as its configuration names them.

Owns the names. A window that fills up, an index that begins to choose, a chunk that ends, and a rotation that changes
are thresholds. What is done with them is the loader's. Pure.
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


def thresholds(config: Mapping[str, Any], context_limit: int) -> tuple[int, ...]:
    """The thresholds in tokens, ascending, without those that no conversation reaches: `context_limit` in tokens, 0 if
    it is unknown.
    """
    found = {length for length in _named(config) if type(length) is int and length > 0}
    return tuple(sorted(length for length in found if not context_limit or length < context_limit))


def _named(config: Mapping[str, Any]) -> Iterator[Any]:
    """What `config` and all the objects in it have under the names above."""
    if config.get("use_sliding_window", True):
        yield from (config.get(name) for name in _WINDOWS)
    yield from (config.get(name) for name in _OTHERS)
    if _turns(config):
        yield config.get(_ROTATION)
    for part in config.values():
        if isinstance(part, dict):
            yield from _named(part)


def _turns(rotation: Mapping[str, Any]) -> bool:
    """Whether `rotation`, which may be any object of a configuration, describes one that changes with the position."""
    kind = rotation.get("rope_type", rotation.get("type"))
    return _SCALE_BY_POSITION in rotation or (isinstance(kind, str) and kind not in _COMPUTED_ONCE)
