"""The models on this machine that can be picked. Owns where they are looked for and which are fit; reads only, and
never the network.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from resources import DEMO_MODEL
from ui.state import ModelView

if TYPE_CHECKING:
    from collections.abc import Iterator

_log = logging.getLogger(__name__)

DEMO = ModelView(str(DEMO_MODEL), "Hearth demo", "Built in: a tiny demo model for trying Hearth, not for real work")
_TOKENIZERS = ("tokenizer.json", "tokenizer.model")


class Unfit(Exception):  # noqa: N818 - a verdict, not an error: it never leaves this module
    """Why a folder is not offered."""


class _Quantization(msgspec.Struct):
    bits: int = 0
    quant_method: str = ""


class _Config(msgspec.Struct):
    model_type: str = ""
    quantization: _Quantization | None = None
    quantization_config: _Quantization | None = None


class _Index(msgspec.Struct):
    weight_map: dict[str, str]


def default_model(picked: str) -> str:
    """The folder of the model that was picked last, or of the built-in one where that is gone."""
    return picked if picked and (Path(picked) / "config.json").is_file() else DEMO.id


def name_of(folder: Path) -> str:
    """What a model is called, whether it is offered or not: the Hugging Face cache names folders after a commit."""
    if str(folder) == DEMO.id:
        return DEMO.name
    home = folder.parent.parent.name
    return home.rpartition("--")[2] if home.startswith("models--") else folder.name


def find(models: Path, current: str = "") -> tuple[ModelView, ...]:
    """The demo, then every fit model under the folder `models` and in the Hugging Face cache, by name.

    `current` is a folder that is offered wherever it lies, because it is in use.
    """
    found = {view.id: view for folder, name in _candidates(models) for view in _view(folder, name)}
    if current not in {"", DEMO.id, *found}:
        found[current] = ModelView(current, name_of(Path(current)), current)
    return (DEMO, *sorted(found.values(), key=lambda view: view.name.casefold()))


def _candidates(models: Path) -> Iterator[tuple[Path, str]]:
    for config in sorted((*models.glob("*/config.json"), *models.glob("*/*/config.json"))):
        yield config.parent, config.parent.name
    for home in sorted(_hub().glob("models--*")):
        snapshot = _snapshot(home)
        if snapshot is not None:
            yield snapshot, name_of(snapshot)


def _hub() -> Path:
    if "HF_HUB_CACHE" in os.environ:
        return Path(os.environ["HF_HUB_CACHE"])
    return Path(os.environ.get("HF_HOME", "~/.cache/huggingface")).expanduser() / "hub"


def _snapshot(home: Path) -> Path | None:
    """The snapshot that `main` points to, else the newest."""
    main = home / "refs" / "main"
    if main.is_file() and (home / "snapshots" / main.read_text().strip() / "config.json").is_file():
        return home / "snapshots" / main.read_text().strip()
    found = [config.parent for config in home.glob("snapshots/*/config.json")]
    return max(found, key=lambda folder: folder.stat().st_mtime, default=None)


def _view(folder: Path, name: str) -> tuple[ModelView, ...]:
    try:
        config = _config(folder)
        size = sum(weights.stat().st_size for weights in _weights(folder))
    except (Unfit, OSError) as reason:
        _log.info("%s is not offered: %s", folder, reason)
        return ()
    return (ModelView(str(folder), name, _detail(config, size)),)


def _config(folder: Path) -> _Config:
    try:
        config = msgspec.json.decode((folder / "config.json").read_bytes(), type=_Config)
    except msgspec.DecodeError as error:
        raise Unfit("its config.json cannot be read") from error
    if not config.model_type:
        raise Unfit("its config.json names no model type")
    method = config.quantization_config.quant_method if config.quantization_config is not None else ""
    if method and config.quantization is None:
        raise Unfit(f"its weights are quantised by {method}, which MLX does not read")
    if not any((folder / tokenizer).is_file() for tokenizer in _TOKENIZERS):
        raise Unfit("it has no tokenizer")
    return config


def _weights(folder: Path) -> list[Path]:
    index = folder / "model.safetensors.index.json"
    if not index.is_file():
        found = list(folder.glob("model*.safetensors"))
        if not found:
            raise Unfit("it has no safetensors weights")
        return found
    try:
        names = set(msgspec.json.decode(index.read_bytes(), type=_Index).weight_map.values())
    except msgspec.DecodeError as error:
        raise Unfit("the index of its weights cannot be read") from error
    missing = sorted(name for name in names if not (folder / name).is_file())
    if missing:
        raise Unfit(f"its download is not complete: {missing[0]} is missing")
    return [folder / name for name in names]


def _detail(config: _Config, size: int) -> str:
    bits = f"{config.quantization.bits}-bit" if config.quantization is not None else ""
    amount = f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"  # noqa: PLR2004 - a gigabyte
    return " · ".join(part for part in (config.model_type, bits, amount) if part)
