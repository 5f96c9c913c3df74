"""Decides whether a model folder can be used, before any library opens its files. The loader and the inspector refuse
the same folders for the same reasons.

A configuration is checked before mlx-lm builds the model: that mlx-lm knows its kind, that no code of the folder is
needed, and that no number in it is so large that building the model would take minutes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from mlx_lm.utils import _get_classes
from transformers import PreTrainedTokenizerBase
from transformers.models.auto.tokenization_auto import tokenizer_class_from_name

from engine.model.adapter import check_adapter
from engine.model.configuration import parts, read_config
from engine.model.file_checks import (
    MOST_BYTES,
    TOKENIZER,
    check_files,
    check_tokenizer,
    check_weights,
    shown,
    tensor_names,
)
from engine.model.load_failure import FOREIGN, meaning
from engine.protocol.errors import (
    AdapterAlone,
    ModelNeedsCode,
    ModelTooLarge,
    ModelUnreadable,
    ModelUnsupported,
    QuantizationUnsupported,
    VisionOnly,
)
from resources.language.text import tr
from storage.untrusted import parse_json, read_file

_MOST_LAYERS: Final = 1 << 10
"""The limit for the layers of a model whose weights are not on this machine."""


def checked(folder: Path, adapter: Path | None = None) -> tuple[dict[str, Any], list[str]]:
    """The configuration of a whole model, and the names of its tensors. Raises ModelError, which is about the adapter
    if there is one.
    """
    if adapter is not None:
        check_adapter(adapter)
        if not folder.is_dir():
            raise AdapterAlone(tr("The model that it was trained on is not on this machine any more."))
    check_files(folder)
    check_weights(folder)
    config = read_config(folder)
    names = tensor_names(folder)
    check_config(config, len(names))
    _check_settings(folder)
    check_tokenizer(folder)
    return config, names


def checked_without_weights(folder: Path) -> dict[str, Any]:
    """The configuration of a model whose weights are not in `folder`. Raises ModelError."""
    check_files(folder)
    config = read_config(folder)
    check_config(config, _MOST_LAYERS)
    _check_settings(folder)
    check_tokenizer(folder)
    return config


@contextmanager
def building(config: Mapping[str, Any]) -> Iterator[None]:
    """Blame the quantisation if a model fails to be built whose weights another library quantised: mlx-lm reads only
    some forms of each method.
    """
    try:
        yield
    except FOREIGN as error:
        method = foreign_method(config)
        if method and not isinstance(meaning(error), ModelTooLarge):
            raise unsupported_quantization(method) from error
        raise


_COUNT: Final = re.compile(
    r"(layers?|experts|heads|blocks|depth|labels|attention_types|dense_replace|extra_ids|words)$|^(n_layer|n_head|offset)$"
)
"""The names of numbers for each of which mlx-lm or transformers makes a list of that length."""
_KIND: Final = re.compile(r"[A-Za-z0-9_-]+")
_LAYERS: Final = re.compile(r"(num_hidden_layers|num_layers|n_layers?|layer_types|layers_block_type|_pattern)$")
_MOST_OF_A_KIND: Final = 1 << 14
"""The limit for layers, heads or experts. The largest models have some hundreds."""
_OTHER_FILES: Final = ("configuration_files", "fast_tokenizer_files", "gguf_file")
"""The names of settings by which transformers reads another file in place of one that is checked."""
_SETTINGS: Final = ("tokenizer_config.json", "special_tokens_map.json")
"""The files whose settings transformers hands to the class of the tokenizer almost unchanged."""

_MODES: Final = frozenset({"affine", "mxfp4", "mxfp8", "nvfp4"})
_METHODS: Final = frozenset({"awq", "bitnet", "compressed-tensors", "fp8", "gptq", "modelopt", "mxfp4", "mxfp8"})
"""The foreign methods of quantisation of which mlx-lm 0.32.2 reads at least some form."""

_MEDIA: Final = ("vision_config", "audio_config", "vision_tower_config", "visual", "image_size")


def check_config(config: Mapping[str, Any], most_layers: int) -> None:
    """Raises ModelError if mlx-lm cannot build a model of `config` or would run code for it, or if it asks for more
    than `most_layers` layers.
    """
    kind = config.get("model_type")
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):  # mlx-lm imports a module of that name
        raise ModelUnreadable(tr("Its configuration does not say what kind of model it is."))
    if config.get("model_file") is not None:
        raise ModelNeedsCode(tr("Its configuration names a file with program code, which Hearth never runs."))
    _check_layers(config, most_layers)
    _check_values(config, "config.json")
    _check_kind(config)
    _check_quantization(config)


def _check_layers(config: Mapping[str, Any], most_layers: int) -> None:
    for part in parts(config):
        for name, value in part.items():
            if _LAYERS.search(name) and _layers(value) > most_layers:
                raise ModelUnreadable(tr("Its configuration asks for more layers than its weights can fill."))


def _layers(value: object) -> int:
    return len(value) if isinstance(value, list | str) else value if isinstance(value, int) else 0


def _check_settings(folder: Path) -> None:
    """Raises ModelUnreadable as `_check_values` does, for the settings of the tokenizer."""
    for file in _SETTINGS:
        try:
            settings = parse_json(read_file(folder / file, MOST_BYTES).decode())
        except ValueError:  # missing, or a library says what is wrong with it
            continue
        _check_values(settings, file)


def _check_values(settings: object, file: str) -> None:
    """Raises ModelUnreadable if the `settings` in a file have a number of which libraries make a very long list, or
    name another file: transformers opens it, wherever it lies. Old settings may have paths of another machine.
    """
    for name, value in _values(settings):
        if isinstance(value, int | float) and _COUNT.search(name) and value > _MOST_OF_A_KIND:
            raise ModelUnreadable(tr("Its configuration asks for more {name} than any model has.", name=shown(name)))
        if isinstance(value, str) and (_is_file(value) or (name in _OTHER_FILES and value != TOKENIZER)):
            raise ModelUnreadable(tr("Its file {name} names a file elsewhere: {other}.", name=file, other=shown(value)))
        if isinstance(value, str) and name == "tokenizer_class" and _is_no_tokenizer(value):
            raise ModelUnreadable(tr("Its file {name} cannot be read.", name=file))


def _is_no_tokenizer(name: str) -> bool:
    """Whether transformers would take another of its classes for a tokenizer: some read folders that are not checked,
    and ask on stdin, which has commands, whether code of the folder may run.
    """
    kind = tokenizer_class_from_name(name)
    is_own = kind is not None and kind.__module__.startswith("transformers.models.")
    return is_own and not issubclass(kind, PreTrainedTokenizerBase)


def _is_file(text: str) -> bool:
    """Whether `text` is the path of something that can be read. SentencePiece ends a path at its first zero."""
    path = text.partition("\0")[0]
    return os.path.exists(path) and not os.path.isdir(path)  # noqa: PTH110, PTH112 # a chat template is too long for Path


def _values(settings: object) -> Iterator[tuple[str, Any]]:
    """All numbers and texts with their names, at any depth."""
    waiting: list[tuple[str, Any]] = [("", settings)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.items())
        elif isinstance(value, list):
            waiting.extend((name, item) for item in value)
        else:
            yield name, value


def _check_kind(config: Mapping[str, Any]) -> None:
    """Raises ModelError unless the installed mlx-lm has classes for the kind of model."""
    try:
        _get_classes(dict(config))
    except (ImportError, AttributeError, ValueError, SystemExit) as error:  # one module ends its process
        if has_media(config):
            raise VisionOnly(tr("It works on images or sound, and Hearth cannot use its text part.")) from error
        if "auto_map" in config:
            raise ModelNeedsCode(tr("It needs program code from its own folder, which Hearth never runs.")) from error
        raise ModelUnsupported(tr("This version of Hearth does not support this kind of model.")) from error


def has_media(config: Mapping[str, Any]) -> bool:
    """Whether the model was made for images or sound, too."""
    return any(config.get(name) for name in _MEDIA)


def _check_quantization(config: Mapping[str, Any]) -> None:
    """Raises QuantizationUnsupported for a form of quantisation that mlx-lm does not know."""
    known = config.get("quantization")
    if known is None:
        method = foreign_method(config)
        if method and method not in _METHODS:
            raise unsupported_quantization(method)
    elif not isinstance(known, dict):
        raise ModelUnreadable(tr("Its configuration does not say how its weights are quantised."))
    elif (mode := known.get("mode", "affine")) not in _MODES:
        raise unsupported_quantization(mode)


def foreign_method(config: Mapping[str, Any]) -> str:
    """The method by which another library quantised the weights; empty for plain weights and those of MLX."""
    if config.get("quantization") is not None:
        return ""
    for part in parts(config):
        if isinstance(given := part.get("quantization_config"), dict):
            return str(given.get("quant_method", ""))
    return ""


def unsupported_quantization(method: object) -> QuantizationUnsupported:
    """The error for weights of that `method`."""
    return QuantizationUnsupported(
        tr("Its weights are quantised in a form that MLX does not read ({method}).", method=shown(str(method)))
    )
