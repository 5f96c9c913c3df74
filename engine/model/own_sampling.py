"""Reads the sampling that the maker of a model suggests, from its generation_config.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from engine.protocol.sampling_settings import OwnSampling, Sampling
from storage.untrusted import MEBIBYTE, UntrustedDataError, decode_json, read_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

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
