"""Finds the folders that may hold a model, below a source, and checks cheaply whether the files of one are a model that
Hearth may be able to run. Only reads, without MLX.

The inspector looks closer (also at forms of quantisation, most of which mlx-lm reads), and the engine decides at the
load.

Invariants:

- A folder that cannot be listed hides no other.
- At most MOST_FOLDERS folders of a source are listed, because the user may add a whole disk.
- Hidden folders are left out: Hearth keeps its unfinished downloads in one.
- Hearth's models folder itself is never listed as a model, whatever files lie in it.
"""

from __future__ import annotations

import logging
import os
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

import msgspec

from app.base.model_names import repository_of
from app.models.download_record import NAME
from app.models.sources import ModelSource, Origin
from resources.language.text import tr
from storage.untrusted import MEBIBYTE, MissingFileError, UntrustedDataError, WrongFormError, decode_json, read_file
from ui.state.models import ModelState

_log = logging.getLogger(__name__)

MOST_FOLDERS: Final = 10_000
_CACHED: Final = "models--"
"""The Hugging Face cache's folders of models begin with this."""
_DEEPEST: Final = 2
"""Models lie in a source itself, in its folders, or in those of their publishers."""
_PARTS: Final = frozenset({"additional_chat_templates", "mtp"})
"""Folders of a model: its other chat templates, and its draft head."""
FROM_OTHER_MACS: Final = "From other Macs"
"""The folder in Hearth's models folder for what other Macs copied here. No publisher has this name: it has spaces."""
_LARGEST_REF: Final = 1024


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder that looks like a model. `names` are its entries. `pending`: files of it are still being downloaded by
    another program, or that was broken off.
    """

    path: Path
    repository: str
    source: ModelSource
    names: frozenset[str]
    pending: bool = False


def folders_in(source: ModelSource) -> Iterator[ModelFolder]:
    """Yield the folders of a source that look like models."""
    waiting = deque([(source.folder, 0)])
    for _ in range(MOST_FOLDERS):
        if not waiting:
            return
        folder, depth = waiting.popleft()
        if folder.name.startswith(_CACHED):
            yield from _cached(source, folder)
            continue
        names = _names(folder)
        is_model = _looks_like_model(folder, names) and (depth > 0 or source.origin is not Origin.HEARTH)
        if is_model:
            # Hearth and LM Studio keep models in folders of their publishers.
            is_published = depth == _DEEPEST and folder.parent.name != FROM_OTHER_MACS
            repository = f"{folder.parent.name}/{folder.name}" if is_published else folder.name
            yield ModelFolder(folder, repository, source, frozenset(names))
        if NAME in names or is_model:  # a copy may have parts alone
            names = [name for name in names if name not in _PARTS]
        if depth < _DEEPEST:
            below = (folder / name for name in names if not name.startswith("."))
            waiting.extend((path, depth + 1) for path in below if os.path.isdir(path))  # noqa: PTH112 - the method raises for some folders
    _log.warning("%s has too many folders to look into all", ascii(str(source.folder)))


def _names(folder: Path) -> list[str]:
    """Return the sorted entries of a folder; an empty list if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in islice(entries, MOST_FOLDERS))
    except (OSError, ValueError) as error:
        _log.debug("%s is not searched: %s", ascii(str(folder)), error)
        return []


def _looks_like_model(folder: Path, names: list[str]) -> bool:
    """Whether one of these entries is a file that only models have. A folder may have such a name, too."""
    marks = (name for name in names if name in {"config.json", "adapter_config.json"} or name.endswith(".gguf"))
    return any(not os.path.isdir(folder / name) for name in marks)  # noqa: PTH112 - as above


def _cached(source: ModelSource, home: Path) -> Iterator[ModelFolder]:
    """Yield the model of a folder of the Hugging Face cache, if it looks like one: the snapshot that `main` points to,
    else the newest.
    """
    pending = any(name.endswith(".incomplete") for name in _names(home / "blobs"))
    snapshots = home / "snapshots"
    found = {name: path for name in _names(snapshots) if _looks_like_model(path := snapshots / name, _names(path))}
    snapshot = found.get(_main(home)) or max(found.values(), key=_age, default=None)
    if snapshot is not None:
        yield ModelFolder(snapshot, repository_of(home), source, frozenset(_names(snapshot)), pending)
    elif pending:
        yield ModelFolder(home, repository_of(home), source, frozenset(), pending=True)


def _main(home: Path) -> str:
    """Return the commit in the reference `main`; empty if the file cannot be read or holds none."""
    try:
        return read_file(home / "refs" / "main", _LARGEST_REF).decode("ascii").strip()
    except MissingFileError:
        return ""
    except ValueError as error:
        _log.info("%s: refs/main cannot be read (%s), so the newest snapshot counts", ascii(str(home)), error)
        return ""


def _age(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0


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
_NOT_UTF8: Final = re.compile("[\ud800-\udfff]")
"""How Python marks the bytes of such a name."""


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


def model_files(folder: ModelFolder) -> ModelFiles:
    """Raises NotAModel or Unusable."""
    if _NOT_UTF8.search(str(folder.path)):
        raise Unreadable(tr("its name is not valid UTF-8"), tr("Rename its folder."))
    is_whole = "config.json" in folder.names and any(map(_WEIGHTS.fullmatch, folder.names))
    if "adapter_config.json" in folder.names and not is_whole:  # a merged model may still have its adapter's
        return _adapter(folder)
    if "config.json" not in folder.names:
        raise _without_config(folder)
    config = _config(folder)
    weights = _weights(folder)
    if not any(needed <= folder.names for needed in _TOKENIZERS):
        raise Incomplete(tr("It has no tokenizer."))
    bits = config.quantization.bits if config.quantization is not None else 0
    return ModelFiles(config.model_type, bits, _size(weights))


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
        if index.count(b":") > _MOST_TENSORS:
            raise WrongFormError
        names = set(decode_json(index, _Index).weight_map.values())
    except MissingFileError:
        found = [folder.path / name for name in folder.names if _WEIGHTS.fullmatch(name)]
        if not (present := list(filter(_is_file, found))):
            raise _without_weights(folder, found) from None
        return present
    except UntrustedDataError as error:
        raise Unreadable(f"{_INDEX}: {error}") from error
    missing = sum("/" in name or not _is_file(folder.path / name) for name in names)
    if missing:
        raise Incomplete(
            tr("{missing} of its {count} files with weights are missing.", missing=missing, count=len(names))
        )
    return [folder.path / name for name in sorted(names)]


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
