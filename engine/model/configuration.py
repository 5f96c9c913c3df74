"""Reads the configuration of a model folder: config.json, and the sampling that its maker suggests in
generation_config.json.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.protocol.errors import ModelIncomplete, ModelUnreadable
from engine.protocol.sampling_settings import OwnSampling, Sampling
from resources.language.text import tr
from storage.untrusted import MEBIBYTE, MissingFileError, UntrustedDataError, decode_json, parse_json, read_file

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
