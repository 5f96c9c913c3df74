"""Reads the configuration of a model folder: config.json, the sampling that its maker suggests in
generation_config.json, and the thresholds, the lengths at which it begins to compute differently.

A threshold is a window that fills up, an index that begins to select, a chunk that ends, or a rotation that changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from engine.protocol.errors import ModelIncomplete, ModelUnreadable
from engine.protocol.sampling_settings import OwnSampling, Sampling
from resources.language.text import tr
from storage.untrusted import MEBIBYTE, MissingFileError, UntrustedDataError, decode_json, parse_json, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MOST_BYTES: Final = 8 << 20
"""The largest config.json that is read."""
_MOST_TOKENS: Final = 1 << 31
"""A configuration that promises a longer context says nothing of use."""


def read_config(folder: Path) -> dict[str, Any]:
    """The object in config.json. Raises ModelUnreadable."""
    try:
        config = parse_json(read_file(folder / "config.json", MOST_BYTES).decode())
    except MissingFileError as error:
        raise ModelIncomplete(tr("Its file config.json is missing.")) from error
    except ValueError as error:
        raise ModelUnreadable(tr("Its config.json cannot be read.")) from error
    if not isinstance(config, dict):
        raise ModelUnreadable(tr("Its config.json is not an object."))
    return config


def parts(config: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The configuration, and that of its text part if it has one."""
    text = config.get("text_config")
    return (config, text) if isinstance(text, dict) else (config,)


def context_limit(config: Mapping[str, Any]) -> int:
    """The most tokens of a conversation; 0 if the configuration does not say, or says nothing sane."""
    for part in parts(config):
        if isinstance(limit := part.get("max_position_embeddings"), int):
            return limit if 0 < limit <= _MOST_TOKENS else 0
    return 0


_MOST_TOP_K = 1 << 31


def suggested_sampling(folder: Path) -> OwnSampling:
    """The sampling that the model in `folder` suggests. Values that cannot be sampled with count as none, and so does a
    damaged file: mlx-lm ignores it too.
    """
    try:
        given = decode_json(read_file(folder / "generation_config.json", MEBIBYTE), dict[str, Any])
    except UntrustedDataError:
        return OwnSampling()
    if given.get("do_sample") is False:
        return OwnSampling()
    top_k = given.get("top_k")
    return OwnSampling(
        temperature=_number(given, "temperature"),
        top_p=_number(given, "top_p"),
        top_k=top_k if type(top_k) is int and 0 <= top_k < _MOST_TOP_K else None,
    )


def _number(given: Mapping[str, Any], name: str) -> float | None:
    value: Any = given.get(name)
    if type(value) not in (int, float) or msgspec.structs.replace(Sampling(), **{name: value}).refusal:
        return None
    return float(value)


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
