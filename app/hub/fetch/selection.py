"""Chooses the files of a repository that Hearth downloads. Pure.

Only weights as safetensors, JSON, chat templates, tokenizer files, the licence and the card are ever chosen. Nothing
that could be executed is: no Python, no pickle.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import PurePosixPath
from typing import Final

from app.hub.errors import RepositoryRefused
from app.hub.fetch.digests import known
from resources.language.sentence import Sentence, sentence
from resources.language.text import mark

WEIGHTS: Final = ".safetensors"
_SUFFIXES: Final = frozenset({WEIGHTS, ".json", ".jinja", ".model", ".tiktoken"})
_NAMES: Final = frozenset({"merges.txt", "vocab.txt"})
_WORDS: Final = ("license", "licence", "notice", "readme", "use_policy")
_TEXT: Final = frozenset({"", ".md", ".txt"})
_ADAPTER: Final = "adapter_config.json"
_TEMPLATES: Final = "additional_chat_templates"
_MODEL: Final = "model"
_CONFIG: Final = "config.json"
_HEAD: Final = "mtp"
"""The draft head of a model: a file of this name, or a folder."""
_LONGEST: Final = 200
"""Bytes of a name. A file system takes 255, and the download adds an ending."""
_MOST: Final = 10_000
_FOREIGN: Final = {
    ".gguf": mark("GGUF files"),
    ".bin": mark("PyTorch files"),
    ".pt": mark("PyTorch files"),
    ".pth": mark("PyTorch files"),
    ".ckpt": mark("PyTorch files"),
    ".npz": mark("NumPy files"),
    ".onnx": mark("ONNX files"),
    ".h5": mark("TensorFlow files"),
    ".msgpack": mark("Flax files"),
}


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a commit. `digest` is as in `app.hub.fetch.digests`, `place` the folder that it goes to below the
    model's.
    """

    remote: str
    size: int
    digest: str
    place: str = ""

    @property
    def path(self) -> str:
        """Its path below the model's folder."""
        return f"{self.place}/{self.remote}" if self.place else self.remote


def chosen(repository: str, files: Sequence[RemoteFile]) -> tuple[RemoteFile, ...]:
    """The files to download, the weights last. Raises RepositoryRefused if there are no weights that Hearth can load,
    or if a file's name is unsafe.
    """
    if len(files) > _MOST:
        raise RepositoryRefused(
            sentence(
                "{repository} has more than {most} files, so it is no model that Hearth can use.",
                repository=repository,
                most=_MOST,
            )
        )
    names = of_use(file.path for file in files)
    wanted = [file for file in files if file.path in names]
    if not any(file.path.endswith(WEIGHTS) for file in wanted):
        raise RepositoryRefused(_no_weights(repository, files))
    _check(repository, wanted)
    return tuple(sorted(wanted, key=lambda file: (file.path.endswith(WEIGHTS), file.path)))


def head_files(repository: str, files: Sequence[RemoteFile], own: Sequence[RemoteFile]) -> tuple[RemoteFile, ...]:
    """The files of a draft head that was published apart from the model with the files `own`. None if that has a head.

    Raises RepositoryRefused as `chosen` does.
    """
    if any(_on_disk(file.path).startswith((f"{_HEAD}/", f"{_HEAD}.")) for file in own):
        return ()
    wanted = [file for file in chosen(repository, files) if file.path == _CONFIG or _is_weights_file(file.path)]
    return tuple(replace(file, place=_HEAD) for file in wanted)


def _is_weights_file(path: str) -> bool:
    return "/" not in path and path.endswith(WEIGHTS)


def of_use(paths: Iterable[str]) -> frozenset[str]:
    """Those of a repository's files that Hearth downloads. Some publishers add the same weights under a second name:
    mlx-lm loads model*.safetensors.
    """
    every = list(paths)
    adapters = {PurePosixPath(path).parent for path in every if path.endswith(f"/{_ADAPTER}")}
    wanted = [path for path in every if _wanted(PurePosixPath(path), adapters)]
    if any(path.startswith(_MODEL) and path.endswith(WEIGHTS) for path in wanted):
        loaded = (_MODEL, "adapter", f"{_HEAD}.")
        wanted = [path for path in wanted if not _is_weights_file(path) or path.startswith(loaded)]
    return frozenset(wanted)


def _wanted(path: PurePosixPath, adapters: set[PurePosixPath]) -> bool:
    """Whether a file is of use. `adapters` are the subfolders that hold an adapter."""
    if any(part.startswith(".") and part != ".." for part in path.parts):
        return False
    if len(path.parts) > 1 and path.parent not in adapters and path.parts[0] not in {_TEMPLATES, _HEAD}:
        return False
    name = path.name.lower()
    legal = name.startswith(_WORDS) and path.suffix.lower() in _TEXT
    return path.suffix.lower() in _SUFFIXES or name in _NAMES or legal


def _no_weights(repository: str, files: Iterable[RemoteFile]) -> Sentence:
    kinds = sorted(
        {_FOREIGN[suffix] for file in files if (suffix := PurePosixPath(file.path).suffix.lower()) in _FOREIGN}
    )
    if not kinds:
        return sentence("{repository} has no weights as safetensors, so Hearth cannot use it.", repository=repository)
    return sentence(
        "{repository} has {held} and no safetensors, which Hearth needs. Look for an MLX version of this model.",
        repository=repository,
        held=_enumerated([sentence(kind) for kind in kinds]),
    )


def _enumerated(kinds: Sequence[Sentence]) -> Sentence:
    *others, last = kinds
    if not others:
        return last
    parts = reduce(lambda before, kind: Sentence("{before}, {kind}", {"before": before, "kind": kind}), others)
    return sentence("{parts} and {last}", parts=parts, last=last)


def _check(repository: str, files: Iterable[RemoteFile]) -> None:
    names: set[str] = set()
    for file in files:
        if not _is_safe(file.path) or _on_disk(file.path) in names:
            raise RepositoryRefused(
                sentence(
                    "{repository} has a file with a name that no model needs, so Hearth refuses it.",
                    repository=repository,
                )
            )
        if not known(file.digest):
            raise RepositoryRefused(
                sentence(
                    "The hub tells no digest of {path}, so Hearth cannot check {repository}.",
                    path=file.path,
                    repository=repository,
                )
            )
        names.add(_on_disk(file.path))


def _on_disk(path: str) -> str:
    """The same text for two names that a Mac takes for one file."""
    return unicodedata.normalize("NFC", path).casefold()


def _is_safe(path: str) -> bool:
    """Whether the path stays inside the model's folder on every system."""
    parts = path.split("/")
    return all(part not in ("", ".", "..") and len(part.encode()) <= _LONGEST for part in parts) and (
        path.isprintable() and "\\" not in path and ":" not in path
    )
