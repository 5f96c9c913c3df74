"""Reads the configuration of a model folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.protocol.errors import ModelIncomplete, ModelUnreadable
from resources.language.text import tr
from storage.untrusted import MissingFileError, parse_json, read_file

if TYPE_CHECKING:
    from collections.abc import Mapping
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
