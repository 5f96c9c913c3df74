"""Checks cheaply whether the files of a folder are a model that Hearth may be able to run. Only reads, without MLX.

The inspector looks closer (also at forms of quantisation, most of which mlx-lm reads), and the engine decides at the
load.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec

from app.models.model_folders import ModelFolder
from resources.language.text import tr
from storage.untrusted import MEBIBYTE, MissingFileError, UntrustedDataError, WrongFormError, decode_json, read_file
from ui.state.models import ModelState

_LARGEST_CONFIG: Final = 8 * MEBIBYTE
_LARGEST_INDEX: Final = 32 * MEBIBYTE
_MOST_TENSORS: Final = 1 << 18
"""Of an index. To decode one that names millions takes seconds, in which no other thread runs: the window stands still.
"""
_INDEX: Final = "model.safetensors.index.json"
_TOKENIZERS: Final = ({"tokenizer.json"}, {"tokenizer.model"}, {"vocab.json", "merges.txt"})
_OTHER_TASKS: Final = re.compile(r"MaskedLM|Classification|ForCTC|Detection|Segmentation|(?<!LMHead)(?<!Chat)Model$")
"""In the names of the classes that a config.json gives for models that do not write text."""
_PYTORCH: Final = re.compile(r"\.(bin|pt|pth|ckpt)$")
_WEIGHTS: Final = re.compile(r"model.*\.safetensors")
_ADAPTER_WEIGHTS: Final = "adapters.safetensors"
_PEFT_WEIGHTS: Final = "adapter_model.safetensors"


class NotAModel(Exception):  # noqa: N818 - a verdict, not an error: it never leaves the package
    """Why a folder is left out: it has no language model."""


class Unusable(Exception):  # noqa: N818 - a verdict, too
    """Why a model cannot be used. `words` says so to people, with what they can do. `fault` is the rest of a sentence
    if one of its files is damaged: a notice then names the model, too.
    """

    state = ModelState.UNUSABLE
    fault = ""

    def words(self, _files_advice: str) -> str:
        """The sentences. `_files_advice` says how to get the files of the model again, which does not help here."""
        return str(self)


class Incomplete(Unusable):
    """Files of the model are missing."""

    state = ModelState.INCOMPLETE

    def words(self, files_advice: str) -> str:
        """The sentence, and how to get the files again."""
        return f"{self} {files_advice}"


class Unreadable(Unusable):
    """A file of the model is damaged. Without `advice`, the user should get the files again."""

    def __init__(self, fault: str, advice: str = "") -> None:
        super().__init__(fault)
        self.fault = fault
        self._advice = advice

    def words(self, files_advice: str) -> str:
        """The sentence with the fault, and what to do."""
        return tr("It cannot be read: {fault}. {advice}", fault=self.fault, advice=self._advice or files_advice)


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Facts from the files of a model: its type, the bits of its quantisation (0: none), the bytes of its weights.

    `base` is the model that an adapter is for, as its maker named it: a repository or a folder; empty for a model.
    """

    model_type: str
    bits: int
    size: int
    base: str = ""


class _Quantization(msgspec.Struct):
    bits: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0


class _Config(msgspec.Struct):
    model_type: Annotated[str, msgspec.Meta(max_length=64)] = ""
    architectures: list[str] | None = None
    quantization: _Quantization | None = None


class _Index(msgspec.Struct):
    weight_map: dict[str, str]


class _Adapter(msgspec.Struct):
    model: str = ""
    base_model_name_or_path: str | None = None


def model_files(folder: ModelFolder) -> ModelFiles:
    """Raises NotAModel or Unusable."""
    if not _is_text(str(folder.path)):
        raise Unreadable(tr("its name is not valid UTF-8"), tr("Rename its folder."))
    if "adapter_config.json" in folder.names:
        return _adapter(folder)
    if "config.json" not in folder.names:
        raise _without_config(folder)
    config = _config(folder)
    weights = _weights(folder)
    if not any(needed <= folder.names for needed in _TOKENIZERS):
        raise Incomplete(tr("It has no tokenizer."))
    bits = config.quantization.bits if config.quantization is not None else 0
    return ModelFiles(config.model_type, bits, _size(weights))


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _without_config(folder: ModelFolder) -> Unusable:
    if any(name.endswith(".gguf") for name in folder.names):
        return Unusable(tr("It is in the GGUF format, which MLX does not read. Look for the same model in MLX format."))
    return Incomplete(tr("Its config.json is missing."))


def _config(folder: ModelFolder) -> _Config:
    try:
        config = decode_json(read_file(folder.path / "config.json", _LARGEST_CONFIG), _Config)
    except UntrustedDataError as error:
        if isinstance(error, WrongFormError) and not _has_parts(folder):
            raise NotAModel(tr("its config.json is not that of a language model")) from error
        raise Unreadable(tr("config.json: {error}", error=error)) from error
    if not config.model_type:
        raise NotAModel(tr("its config.json names no model type"))
    if config.architectures and all(map(_OTHER_TASKS.search, config.architectures)):
        raise NotAModel(tr("it is a {kind}, which writes no text", kind=config.architectures[0]))
    return config


def _has_parts(folder: ModelFolder) -> bool:
    """Whether other files are those of a language model: other programs, too, write a config.json."""
    return any(needed <= folder.names for needed in _TOKENIZERS) or any(map(_WEIGHTS.fullmatch, folder.names))


def _weights(folder: ModelFolder) -> list[Path]:
    try:
        index = read_file(folder.path / _INDEX, _LARGEST_INDEX)
    except MissingFileError:
        found = [folder.path / name for name in folder.names if _WEIGHTS.fullmatch(name)]
        if not (present := list(filter(_is_file, found))):
            raise _without_weights(folder, found) from None
        return present
    except UntrustedDataError as error:
        raise Unreadable(f"{_INDEX}: {error}") from error
    if index.count(b":") > _MOST_TENSORS:
        raise Unreadable(f"{_INDEX}: {WrongFormError()}")
    return _indexed(folder.path, index)


def _is_file(path: Path) -> bool:
    """False also if the system refuses to look for a file of that name."""
    return os.path.isfile(path)  # noqa: PTH113 - the method raises for some names


def _without_weights(folder: ModelFolder, broken: list[Path]) -> Unusable:
    if broken or folder.pending:
        return Incomplete(tr("Its weights are missing."))
    if any(name.endswith(".gguf") for name in folder.names):
        return _without_config(folder)
    if any(map(_PYTORCH.search, folder.names)):
        return Unusable(
            tr(
                "Its weights are PyTorch files, which can hold program code, so Hearth never opens them. "
                "Look for it in MLX format."
            )
        )
    return Incomplete(tr("It has no safetensors weights."))


def _indexed(folder: Path, index: bytes) -> list[Path]:
    try:
        names = set(decode_json(index, _Index).weight_map.values())
    except UntrustedDataError as error:
        raise Unreadable(f"{_INDEX}: {error}") from error
    missing = sum("/" in name or not _is_file(folder / name) for name in names)
    if missing:
        raise Incomplete(
            tr("{missing} of its {count} files with weights are missing.", missing=missing, count=len(names))
        )
    return [folder / name for name in sorted(names)]


def _size(weights: list[Path]) -> int:
    try:
        return sum(file.stat().st_size for file in weights)
    except OSError as error:
        raise Unreadable(tr("its weights cannot be read")) from error


def _adapter(folder: ModelFolder) -> ModelFiles:
    """An adapter as mlx-lm writes it. Those of PEFT name and lay out their weights differently."""
    try:
        config = decode_json(read_file(folder.path / "adapter_config.json", _LARGEST_CONFIG), _Adapter)
    except UntrustedDataError as error:
        raise Unreadable(tr("adapter_config.json: {error}", error=error)) from error
    if _ADAPTER_WEIGHTS not in folder.names and _PEFT_WEIGHTS in folder.names:
        raise Unusable(
            tr("It is an adapter in the format of PEFT, which MLX does not read. Train or convert it with mlx-lm.")
        )
    if _ADAPTER_WEIGHTS not in folder.names:
        raise Incomplete(tr("It is an adapter without its weights: {file} is missing.", file=_ADAPTER_WEIGHTS))
    return ModelFiles("", 0, _size([folder.path / _ADAPTER_WEIGHTS]), config.model or "unknown")
