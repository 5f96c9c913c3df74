"""Checks the weights of a model folder by the headers of their files. Their data is never read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, Final

from safetensors import SafetensorError, safe_open

from engine.model.file_checks import shown
from engine.protocol.errors import (
    AdapterAlone,
    DownloadUnfinished,
    ForeignWeights,
    ModelIncomplete,
    ModelUnreadable,
)
from resources.language.text import mark, tr
from storage.segments.records import LENGTH_BYTES, InvalidHeaderError, described_bytes, header_bytes
from storage.untrusted import MEBIBYTE, MissingFileError, UntrustedDataError, decode_json, open_file, read_file

if TYPE_CHECKING:
    from pathlib import Path

_INDEX: Final = "model.safetensors.index.json"
_MOST_INDEX_BYTES: Final = 64 * MEBIBYTE
_MOST_HEADER_BYTES: Final = 8 * MEBIBYTE
"""The largest header of a weight file. The headers of published models take a megabyte at most."""
_MOST_TENSORS: Final = 1 << 18
"""The most tensors of a model. The largest, with hundreds of experts in each layer, have about 200,000."""

_FOREIGN: Final = {
    mark("GGUF format"): ("*.gguf", "*.ggml"),
    mark("PyTorch format, which can run program code"): ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.pickle"),
    mark("NumPy format"): ("*.npz", "*.npy"),
}
"""Weights that mlx-lm does not read, or only by running what they contain."""


def weight_files(folder: Path) -> list[Path]:
    """The files that mlx-lm reads, sorted. A second copy under another name, such as "consolidated", is not one."""
    return sorted(folder.glob("model*.safetensors"))


def check_weights(folder: Path) -> None:
    """Raises ModelError unless `folder` holds the weights of a model, in all files that its index names."""
    if (folder / "adapter_config.json").is_file() and not (folder / "config.json").exists():
        raise AdapterAlone(tr("It is an adapter, which works only together with the model that it was trained on."))
    _check_index(folder)
    if weight_files(folder):
        return
    if any(folder.glob("*.safetensors")):
        raise ModelUnreadable(tr('Its folder holds no weights under the names that mlx-lm reads, such as "model".'))
    for form, patterns in _FOREIGN.items():
        if any(any(folder.glob(pattern)) for pattern in patterns):
            raise ForeignWeights(tr("Its weights are in the {form}. Hearth reads safetensors only.", form=tr(form)))
    raise ModelUnreadable(tr("Its folder holds no safetensors weights."))


def _check_index(folder: Path) -> None:
    """Raises DownloadUnfinished if a file that the index names is missing."""
    try:
        index = decode_json(read_file(folder / _INDEX, _MOST_INDEX_BYTES), dict[str, Any])
    except MissingFileError:
        return
    except UntrustedDataError as error:
        raise ModelUnreadable(tr("Its file {name} cannot be read.", name=_INDEX)) from error
    places = index.get("weight_map")
    for name in sorted({str(name) for name in places.values()}) if isinstance(places, dict) else ():
        if "/" in name or not (folder / name).is_file():
            raise DownloadUnfinished(tr("Its file {name} is missing.", name=shown(name)))


def tensor_names(folder: Path) -> list[str]:
    """The names of all tensors in the weights. Raises ModelIncomplete if a file is shorter or longer than its header
    says, ModelUnreadable if there are more of them than libraries read in a few seconds.
    """
    names: list[str] = []
    for file in weight_files(folder):
        names += names_in(file)
        if len(names) > _MOST_TENSORS:
            raise ModelUnreadable(tr("Its weights are in more pieces than those of any model."))
    return names


def names_in(file: Path) -> list[str]:
    """The names of the tensors in one file. Raises ModelIncomplete as `tensor_names` does."""
    with open_file(file) as content:
        length = _header_bytes(content, file)
        try:
            with safe_open(file, framework="np") as weights:
                return list(weights.keys())
        except (SafetensorError, OSError) as error:
            raise _flaw(content, length, file) from error


def _header_bytes(content: BinaryIO, file: Path) -> int:
    """The bytes of the header, its length included. Raises ModelIncomplete if it is too large or not in the file."""
    try:
        start = memoryview(content.read(LENGTH_BYTES))
        return header_bytes(start, file.stat().st_size, _MOST_HEADER_BYTES)
    except (InvalidHeaderError, OSError) as error:
        raise _damaged(file) from error


def _flaw(content: BinaryIO, length: int, file: Path) -> ModelIncomplete:
    """Say why no library opens a file. Most often its end is missing."""
    try:
        described = described_bytes(content.read(length - LENGTH_BYTES))
        is_cut = length + described > file.stat().st_size
    except (InvalidHeaderError, OSError):
        is_cut = False
    if is_cut:
        return DownloadUnfinished(tr("Its file {name} is not complete.", name=shown(file.name)))
    return _damaged(file)


def _damaged(file: Path) -> ModelIncomplete:
    return ModelIncomplete(tr("Its file {name} is damaged or incomplete.", name=shown(file.name)))
