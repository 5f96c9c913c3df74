"""Checks the files of a model folder before any library opens them, so that a load cannot hang or grow without limit.

It accepts only regular files, complete weights, and a configuration that fits these weights.
"""

from __future__ import annotations

import re
import stat
from typing import TYPE_CHECKING, Any, Final

from safetensors import SafetensorError, safe_open

from engine.model.configuration import MOST_BYTES as MOST_CONFIG_BYTES
from engine.protocol.errors import ModelIncomplete, ModelMissing, ModelUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_READ: Final = frozenset({".jinja", ".json", ".jsonl", ".model", ".safetensors", ".tiktoken", ".txt"})
"""The suffixes of files that libraries open."""

_TEMPLATES = "additional_chat_templates"
_MOST_BYTES = 512 << 20
"""The limit for a file that is read as a whole. The largest tokenizers take some tens of megabytes."""

_COUNT = re.compile(r"(layers?|experts|heads|blocks|depth)$|^n_(layer|head)$")
_KIND: Final = re.compile(r"[A-Za-z0-9_-]+")
_LAYERS = re.compile(r"(num_hidden_layers|num_layers|n_layers?|layer_types|layers_block_type|_pattern)$")
_MOST_OF_A_KIND = 1 << 14
"""The limit for layers, heads or experts. The largest models have some hundreds."""
MOST_LAYERS: Final = 1 << 10
"""The limit for the layers of a model whose weights are not on this machine."""

_LONGEST_NAME = 80


def check_files(folder: Path) -> None:
    """Raises ModelMissing or ModelUnreadable unless `folder` holds only regular files and folders."""
    if not folder.is_dir():
        raise ModelMissing(f"There is no model folder at {_shown(str(folder))}.")
    for entry in folder.iterdir():
        _check(entry)
    if (templates := folder / _TEMPLATES).is_dir():
        for entry in templates.iterdir():
            _check(entry)


def check_weights(folder: Path) -> None:
    """Raises ModelUnreadable unless `folder` holds weights."""
    if not any(folder.glob("*.safetensors")):
        raise ModelUnreadable("Its folder holds no safetensors weights.")


def _check(entry: Path) -> None:
    wanted = entry.suffix in _READ
    try:
        found = entry.stat()
    except OSError as error:
        if wanted:
            raise ModelIncomplete(f"Its file {_shown(entry.name)} is missing.") from error
        return
    if stat.S_ISDIR(found.st_mode) and not wanted:
        return
    if not stat.S_ISREG(found.st_mode):
        raise ModelUnreadable(f"{_shown(entry.name)} in its folder is not a file.")
    most = MOST_CONFIG_BYTES if entry.name == "config.json" else _MOST_BYTES
    if wanted and entry.suffix != ".safetensors" and found.st_size > most:
        raise ModelUnreadable(f"Its file {_shown(entry.name)} is too large.")


def tensors(folder: Path) -> int:
    """The number of tensors in the weights. Raises ModelIncomplete if a file is shorter or longer than its
    header says.
    """
    return sum(map(_tensors, sorted(folder.glob("*.safetensors"))))


def _tensors(file: Path) -> int:
    try:
        with safe_open(file, framework="np") as weights:
            return len(weights.keys())
    except (SafetensorError, OSError) as error:
        raise ModelIncomplete(f"Its file {_shown(file.name)} is damaged or incomplete.") from error


def check_config(config: Mapping[str, Any], count: int) -> None:
    """Raises ModelUnreadable if `config` names no model type, asks for more layers than `count` tensors can fill, or
    has another number so large that building the model would take minutes.
    """
    kind = config.get("model_type")
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):  # mlx-lm imports a module of that name
        raise ModelUnreadable("Its configuration does not say what kind of model it is.")
    for part in (config, config.get("text_config")):
        for name, value in part.items() if isinstance(part, dict) else ():
            if _LAYERS.search(name) and _layers(value) > count:
                raise ModelUnreadable("Its configuration asks for more layers than its weights can fill.")
    for name, value in _numbers(config):
        if _COUNT.search(name) and value > _MOST_OF_A_KIND:
            raise ModelUnreadable(f"Its configuration asks for more {_shown(name)} than any model has.")


def _layers(value: object) -> int:
    return len(value) if isinstance(value, list | str) else value if isinstance(value, int) else 0


def _numbers(config: Mapping[str, Any]) -> Iterator[tuple[str, int | float]]:
    """All numbers of a configuration with their names, at any depth."""
    waiting: list[tuple[str, Any]] = [("", config)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.items())
        elif isinstance(value, list):
            waiting.extend((name, item) for item in value)
        elif isinstance(value, int | float):
            yield name, value


def _shown(name: str) -> str:
    """A file name from a foreign folder, escaped for display."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "?" for c in text)[:_LONGEST_NAME]
