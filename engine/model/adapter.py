"""Puts an adapter of mlx-lm on a model that was just built: LoRA, DoRA, or layers that were trained in full.

An adapter comes from anywhere. Its configuration is checked before mlx-lm sees it, and its weights must be exactly
those that the configuration asks for: mlx-lm fills what is missing with random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import mlx.core as mx
import msgspec
from mlx.utils import tree_flatten

from engine.model.file_checks import check_regular, names_in
from engine.model.identity import adapter_files
from engine.model.load_failure import FOREIGN
from engine.protocol.errors import AdapterUnfit, AdapterUnsupported, ModelMissing, ModelUnreadable
from resources.language.text import mark, tr
from storage.untrusted import MEBIBYTE, UntrustedDataError, decode_json, read_file

_PEFT_WEIGHTS: Final = "adapter_model.safetensors"
_MOST_CONFIG_BYTES: Final = 8 * MEBIBYTE
_MOST_KEYS: Final = 4096
_KINDS: Final = frozenset({"lora", "dora", "full"})
_LEAVES: Final = frozenset({"lora_a", "lora_b", "m"})

_NOT_OURS: Final = mark("Its adapter_config.json is not that of an adapter of mlx-lm.")
UNFIT: Final = mark("It does not fit its base model: {why}.")


class _Parameters(msgspec.Struct, frozen=True):
    rank: Annotated[int, msgspec.Meta(ge=1, le=4096)]
    scale: Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
    dropout: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.0
    keys: Annotated[list[Annotated[str, msgspec.Meta(max_length=256)]], msgspec.Meta(max_length=_MOST_KEYS)] | None = (
        None
    )


class _Config(msgspec.Struct, frozen=True):
    fine_tune_type: Annotated[str, msgspec.Meta(max_length=64)] = "lora"
    num_layers: Annotated[int, msgspec.Meta(ge=-1, le=1 << 14)] = -1
    lora_parameters: _Parameters | None = None


def check_adapter(folder: Path) -> None:
    """Raises ModelError unless `folder` holds a whole adapter of a kind that mlx-lm has."""
    if not folder.is_dir():
        raise ModelMissing(tr("There is no adapter folder at this place."))
    config, weights = adapter_files(folder)
    if not weights.exists() and (folder / _PEFT_WEIGHTS).exists():
        raise AdapterUnsupported(tr("It is an adapter in the format of PEFT, which MLX does not read."))
    for file in (config, weights):
        check_regular(file)
    _config(config)
    names_in(weights)


def put_on(model: Any, folder: Path) -> None:
    """Change `model`, which is not evaluated yet, to the one that the adapter in `folder` makes of it.

    Raises AdapterUnfit.
    """
    files = adapter_files(folder)
    config, own = _config(files[0]), _parameters(model)
    if config.fine_tune_type == "full":
        allowed, needed = own, frozenset[str]()
    else:
        _convert(model, config)
        allowed = {name: one for name, one in _parameters(model).items() if name not in own and _leaf(name) in _LEAVES}
        needed = frozenset(allowed)
    weights: dict[str, mx.array] = mx.load(str(files[1]))  # type: ignore[assignment] # safetensors make a dict
    _check(weights, allowed, needed)
    model.load_weights(list(weights.items()), strict=False)
    model.eval()  # the new layers drop out values at random until then


def _config(file: Path) -> _Config:
    try:
        config = decode_json(read_file(file, _MOST_CONFIG_BYTES), _Config)
    except UntrustedDataError as error:
        raise ModelUnreadable(tr(_NOT_OURS)) from error
    if config.fine_tune_type not in _KINDS:
        raise AdapterUnsupported(tr("This version of Hearth does not support this kind of adapter."))
    if config.lora_parameters is None and config.fine_tune_type != "full":
        raise ModelUnreadable(tr(_NOT_OURS))
    return config


def _convert(model: Any, config: _Config) -> None:
    from mlx_lm.tuner.utils import linear_to_lora_layers  # loads mlx-lm's training, with its terminal output

    parameters = msgspec.to_builtins(config.lora_parameters)
    parameters["keys"] = set(parameters["keys"]) if parameters["keys"] is not None else None
    try:
        linear_to_lora_layers(model, config.num_layers, parameters, use_dora=config.fine_tune_type == "dora")
    except FOREIGN as error:
        raise AdapterUnfit(tr(UNFIT, why=tr("its layers cannot be adapted so"))) from error


def _check(weights: Mapping[str, mx.array], allowed: Mapping[str, mx.array], needed: frozenset[str]) -> None:
    if not weights or not weights.keys() <= allowed.keys():
        raise AdapterUnfit(tr(UNFIT, why=tr("it was trained on other layers")))
    if needed - weights.keys():
        raise AdapterUnfit(tr(UNFIT, why=tr("weights of some layers are missing")))
    for name, weight in weights.items():
        if weight.shape != allowed[name].shape or not mx.issubdtype(weight.dtype, mx.floating):
            raise AdapterUnfit(tr(UNFIT, why=tr("its weights have other sizes")))


def _parameters(model: Any) -> dict[str, mx.array]:
    return dict(tree_flatten(model.parameters()))


def _leaf(name: str) -> str:
    return name.rpartition(".")[2]
