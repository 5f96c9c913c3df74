"""Checks the files of a model folder before any library opens them, so that a load cannot hang or grow without limit.

It accepts only regular files of limited sizes, a tokenizer that makes no text grow beyond measure, and weights whose
headers fit their files. The data of weights is never read.
"""

from __future__ import annotations

import glob
import stat
from base64 import b64decode, b64encode
from math import inf, prod
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec
from safetensors import SafetensorError, safe_open

from engine.model.configuration import MOST_BYTES as MOST_CONFIG_BYTES
from engine.protocol.errors import (
    AdapterAlone,
    DownloadUnfinished,
    ForeignWeights,
    ModelIncomplete,
    ModelMissing,
    ModelUnreadable,
    NoTokenizer,
)
from resources.language.text import mark, tr
from storage.segments.records import LENGTH_BYTES, InvalidHeaderError, described_bytes, header_bytes
from storage.untrusted import (
    MEBIBYTE,
    MissingFileError,
    UntrustedDataError,
    decode_json,
    open_file,
    parse_json,
    read_file,
)

_WHOLE: Final = (".codes", ".jinja", ".json", ".jsonl", ".model", ".spm", ".tiktoken", ".txt")
"""The suffixes of files that libraries or the identity read as a whole. They also read a "vocab" with any suffix."""

_TEMPLATES = "additional_chat_templates"
MOST_BYTES: Final = 128 << 20
"""The limit for a file that is read as a whole. The largest tokenizers take some tens of megabytes."""

TOKENIZER: Final = "tokenizer.json"
_LONGEST_NAME = 80


def check_files(folder: Path) -> None:
    """Raises ModelMissing or ModelUnreadable unless `folder` holds only regular files and folders. On disks of other
    systems, macOS puts a `._` file beside each file, and transformers takes that of a chat template for one.
    """
    if not folder.is_dir():
        raise ModelMissing(tr("There is no model folder at {folder}.", folder=shown(str(folder))))
    if glob.escape(str(folder)) != str(folder):
        raise ModelUnreadable(tr("Its path has a *, ? or [, so mlx-lm finds no weights there: rename the folder."))
    for entry in folder.iterdir():
        check_regular(entry)
    if (templates := folder / _TEMPLATES).is_dir():
        for entry in templates.iterdir():
            check_regular(entry)
            if entry.name.startswith("._") and entry.suffix == ".jinja":
                name = shown(f"{_TEMPLATES}/{entry.name}")
                raise ModelUnreadable(
                    tr("Its file {name}, which macOS has left, is no chat template: delete it.", name=name)
                )


def check_regular(entry: Path) -> None:
    """Raises ModelIncomplete or ModelUnreadable if `entry` is one that a library or the identity reads, and not a file
    of a limited size.
    """
    name = entry.name.lower()
    is_whole = name.startswith("vocab") or name.endswith(_WHOLE)
    wanted = is_whole or name.endswith(".safetensors")
    try:
        found = entry.stat()
    except OSError as error:
        if wanted:
            raise ModelIncomplete(tr("Its file {name} is missing.", name=shown(entry.name))) from error
        return
    if stat.S_ISDIR(found.st_mode) and not (wanted and entry.suffix):
        return
    if not stat.S_ISREG(found.st_mode):
        raise ModelUnreadable(tr("{name} in its folder is not a file.", name=shown(entry.name)))
    most = MOST_CONFIG_BYTES if name == "config.json" else MOST_BYTES
    if is_whole and found.st_size > most:
        raise ModelUnreadable(tr("Its file {name} is too large.", name=shown(entry.name)))


def shown(name: str) -> str:
    """A file name from a foreign folder, escaped for display."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "?" for c in text)[:_LONGEST_NAME]


_VOCABULARIES: Final = (TOKENIZER, "*.model", "*.spm", "*.tiktoken", "tekken.json", "vocab*", "bpe.codes")
"""Name patterns of the files of which every tokenizer has at least one."""

_MOST_GROWTH: Final = 80
"""How many times longer a normalizer may make a text. The map of SentencePiece puts at most 18 letters in place of one,
and each step beside it counts twice at most.
"""

_LONGEST_TOKEN: Final = 2000
"""Characters, once decoded. The longest of published vocabularies are runs of some hundred blanks or signs."""

_LARGEST_MAP: Final = 4 * MEBIBYTE
"""The largest map of letters of a normalizer. SentencePiece's own have some hundred kilobytes."""


class _Vocabulary(msgspec.Struct):
    vocab: dict[str, Any] | list[Any] | None = None


class _Added(msgspec.Struct):
    content: str = ""


class _Steps(msgspec.Struct):
    normalizer: Any = None
    decoder: Any = None
    model: _Vocabulary | None = None
    added_tokens: list[_Added] | None = None

    @property
    def longest_token(self) -> int:
        entries = (self.model and self.model.vocab) or ()
        pieces = (entry[0] if isinstance(entry, list) and entry else entry for entry in entries)
        tokens = (*pieces, *(token.content for token in self.added_tokens or ()))
        return max((len(token) for token in tokens if isinstance(token, str)), default=0)


def check_tokenizer(folder: Path) -> None:
    """Raises NoTokenizer if `folder` has no vocabulary, ModelUnreadable if that is not JSON (libraries take long to
    notice), if one of its tokens is very long, or if its steps make a text grow too much.
    """
    if not any(any(folder.glob(pattern)) for pattern in _VOCABULARIES):
        raise NoTokenizer(tr("Its folder has no tokenizer, which turns text into numbers for the model."))
    try:
        steps = decode_json(read_file(folder / TOKENIZER, MOST_BYTES), _Steps)
    except MissingFileError:
        return
    except UntrustedDataError as error:
        raise ModelUnreadable(tr("Its file {name} cannot be read.", name=TOKENIZER)) from error
    _refuse_growth(steps, steps.longest_token)


def check_loaded(tokenizer: Any) -> None:
    """Raises ModelUnreadable if a tokenizer, as libraries made it of all its files, has a very long token, or if its
    steps make a text grow too much. tokenizer.json is only one of the files that say so.
    """
    _refuse_growth(_steps_of(tokenizer), max(map(len, tokenizer.get_vocab()), default=0))


def normalizer_growth(tokenizer: Any) -> float:
    """How many times longer a tokenizer may make a text before it encodes it."""
    return _growth(_steps_of(tokenizer).normalizer)


def _steps_of(tokenizer: Any) -> _Steps:
    """The steps of a tokenizer of either library."""
    if backend := getattr(tokenizer, "backend_tokenizer", None):
        return _Steps(*map(_described, (backend.normalizer, backend.decoder)))
    if pieces := getattr(tokenizer, "sp_model", None):
        from sentencepiece import sentencepiece_model_pb2 as form  # few models need it

        model = form.ModelProto  # type: ignore[attr-defined] # protobuf makes it at run time
        letters = model.FromString(pieces.serialized_model_proto()).normalizer_spec.precompiled_charsmap
        return _Steps({"precompiled_charsmap": b64encode(letters).decode()})
    return _Steps()


def _described(step: Any) -> Any:
    """A step as tokenizer.json describes it."""
    return None if step is None else parse_json(step.__getstate__().decode())


def _refuse_growth(steps: _Steps, longest_token: int) -> None:
    if _growth(steps.normalizer) > _MOST_GROWTH or _growth(steps.decoder) * longest_token >= _LONGEST_TOKEN:
        raise ModelUnreadable(tr("Its tokenizer would make texts so long that they fill the memory."))


def _growth(step: object) -> float:
    """How many times longer `step`, as tokenizer.json describes it, makes a text of one letter at most."""
    if not isinstance(step, dict):
        return 1
    if isinstance(letters := step.get("precompiled_charsmap"), str):
        return _longest_of(letters)
    parts = step.get("normalizers", step.get("decoders"))
    if isinstance(parts, list):
        return prod(map(_growth, parts))
    added, pattern = step.get("content", step.get("prepend")), step.get("pattern")
    if not isinstance(added, str):
        return 1
    replaced = pattern.get("String") if isinstance(pattern, dict) else None
    return max(1, len(added) / len(replaced)) if isinstance(replaced, str) and replaced else 1 + len(added)


def _longest_of(letters: str) -> float:
    """The letters of the longest text that a map of letters, in Base64, puts in place of one. Behind a table whose size
    comes first, the texts follow each other, each with a zero at its end.
    """
    try:
        content = b64decode(letters)
    except ValueError:  # no library reads it
        return 1
    if len(content) > _LARGEST_MAP:
        return inf
    table = int.from_bytes(content[:4], "little")
    return max(1, *(len(text.decode(errors="replace")) for text in content[4 + table :].split(b"\0")))


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
