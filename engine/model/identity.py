"""The identity of a model: the fingerprint under which its cached state is valid.

Each weight file is hashed once and its digest remembered, so that a large model starts quickly the second time. A
remembered digest is used only if the file's stamp and a sample of its bytes have not changed. All smaller files are
hashed at every start.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import xxhash

from engine.cache.segment import in_memory
from engine.model.file_checks import weight_files
from storage.folders import fresh_file, own_folder
from storage.untrusted import MEBIBYTE, MissingFileError, UntrustedDataError, decode_json, read_file

CACHE_FORMAT = 2
"""Raise this when records of an older version can no longer be restored."""

_VOCABULARY_FILES = (
    "*.jinja",
    "*.model",
    "*.spm",
    "*.tiktoken",
    "added_tokens.json",
    "additional_chat_templates/*.jinja",
    "bpe.codes",
    "byte_maps.json",
    "chat_template.json",
    "dict.txt",
    "merges.txt",
    "normalizer.json",
    "special_tokens_map.json",
    "tekken.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab*",
)
"""Name patterns of the files that tokenizers and templates are read from."""
_QUANTISATION_FILE = "hf_quant_config.json"
"""Some models keep it beside config.json: how to interpret their weights."""
_BLOCK_BYTES = 1 << 22
_LARGEST_MEMORY = 16 * MEBIBYTE
"""Enough bytes for a hundred thousand digests."""
SETTLED_NS: Final = 3_000_000_000
"""If a file changed this shortly before it was read, it may have changed again without a new time: file systems round
times to up to two seconds.
"""
_HEAD_BYTES: Final = 1 << 16
_PIECE_BYTES: Final = 4096
_PIECES: Final = 256

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Identity:
    """`model` identifies everything that cached state depends on, `vocabulary` only what token ids and prompts depend
    on. Both are hexadecimal. If this machine has only a share of the model, its name follows `model`, after a hyphen.
    """

    model: str
    vocabulary: str

    def of_share(self, name: str) -> Identity:
        """The identity of a share of this model."""
        return replace(self, model=f"{self.model}-{name}")

    def is_divided_otherwise(self, model: str) -> bool:
        """Whether `model` identifies this model, but another share of it, or all of it if this is a share."""
        return model != self.model and self.is_same(model)

    def is_same(self, model: str) -> bool:
        """Whether `model` identifies this model, or any share of it."""
        return model.partition("-")[0] == self.model.partition("-")[0]

    def of_keys(self, *, on_disk: bool) -> str:
        """The identity for the keys of segments, which may be kept `on_disk` or stay in memory."""
        return self.model if on_disk else in_memory(self.model)


class Stamp(NamedTuple):
    """Every honest change of a file changes one of these fields. A program can forge all of them except `changed_ns`,
    the system's time of the last change, which not every file system keeps.
    """

    size: int
    modified_ns: int
    inode: int
    device: int
    changed_ns: int

    @classmethod
    def of(cls, file: Path) -> Stamp:
        """Raises OSError."""
        stat = file.stat()
        return cls(stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_dev, stat.st_ctime_ns)

    def is_settled(self, read_ns: int) -> bool:
        """Whether a change after `read_ns`, when the file was read, would be visible."""
        return max(self.modified_ns, self.changed_ns) + SETTLED_NS <= read_ns


class _Digest(msgspec.Struct, frozen=True, array_like=True):
    """The remembered digest of a file that was read at `read_ns`."""

    stamp: Stamp
    read_ns: int
    sample: str
    digest: str


class WeightDigests:
    """The remembered digests of weight files, stored as JSON in `memory`, a file that may disappear at any time.

    `clock` returns the file system's time in ns. If `memory` is damaged, no digest is remembered.
    """

    def __init__(self, memory: Path, clock: Callable[[], int] = time.time_ns) -> None:
        self._memory = memory
        self._clock = clock
        self._known = self._load()

    def of(self, file: Path, tell: Callable[[int], None] = lambda _read: None) -> str:
        """The xxh3-128 digest of the file's content. `tell` receives the number of bytes of each portion. Raises
        OSError.
        """
        stamp, read_ns, sampled = Stamp.of(file), self._clock(), sample(file)
        known = self._known.get(str(file))
        if known and (known.stamp, known.sample) == (stamp, sampled) and stamp.is_settled(known.read_ns):
            return known.digest
        digest = _content_digest(file, tell)
        self._known[str(file)] = _Digest(stamp, read_ns, sampled, digest)
        self._save()
        return digest

    def _load(self) -> dict[str, _Digest]:
        try:
            return decode_json(read_file(self._memory, _LARGEST_MEMORY), dict[str, _Digest])
        except MissingFileError:
            return {}
        except UntrustedDataError as error:
            log.warning("%s is damaged (%s): the files of each model are read once more", self._memory, error)
            return {}

    def _save(self) -> None:
        temporary = self._memory.with_suffix(".tmp")
        with suppress(OSError):  # forgetting only costs hashing the weights again
            own_folder(self._memory.parent)
            with fresh_file(temporary) as file:
                file.write(msgspec.json.encode(self._known))
            temporary.replace(self._memory)


def sample(file: Path) -> str:
    """The digest of the file's head and of pieces spread evenly over it, about a mebibyte in all. Raises OSError."""
    digest = xxhash.xxh3_128()
    with file.open("rb", buffering=0) as stream:
        size = os.fstat(stream.fileno()).st_size
        digest.update(os.pread(stream.fileno(), _HEAD_BYTES, 0))
        for number in range(1, _PIECES + 1):
            digest.update(os.pread(stream.fileno(), _PIECE_BYTES, max(0, size - _PIECE_BYTES) * number // _PIECES))
    return digest.hexdigest()


def _content_digest(file: Path, tell: Callable[[int], None]) -> str:
    digest = xxhash.xxh3_128()
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK_BYTES):
            digest.update(block)
            tell(len(block))
    return digest.hexdigest()


def identify(
    folder: Path,
    digests: WeightDigests,
    kv_bits: int = 0,
    tell: Callable[[int], None] = lambda _read: None,
    adapter: Path | None = None,
) -> Identity:
    """The identity of the model in `folder`, changed by `adapter` if there is one, with keys and values quantised to
    `kv_bits` (0: not quantised). `tell` receives the number of bytes of weights read so far. An adapter changes no
    vocabulary.

    Raises OSError if a file cannot be read.
    """
    vocabulary = hashlib.blake2b(digest_size=16)
    for file in _vocabulary_files(folder):
        name = file.relative_to(folder).as_posix()
        vocabulary.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    model = hashlib.blake2b(vocabulary.digest(), digest_size=16)
    model.update(f"{CACHE_FORMAT}\0{version('mlx-lm')}\0{kv_bits}\0".encode())
    model.update((folder / "config.json").read_bytes())
    if (file := folder / _QUANTISATION_FILE).is_file():
        model.update(f"\0{file.name}\0".encode() + file.read_bytes())
    for file in weight_files(folder):
        model.update(f"\0{file.name}\0{digests.of(file.resolve(), tell)}".encode())
    if adapter is not None:
        config, weights = adapter_files(adapter)
        model.update(f"\0adapter\0{digests.of(weights.resolve(), tell)}\0".encode() + config.read_bytes())
    return Identity(model.hexdigest(), vocabulary.hexdigest())


def stamps(folder: Path, adapter: Path | None = None) -> dict[str, Stamp]:
    """The stamps of all files that the identity of the model in `folder` depends on. Raises OSError."""
    own = adapter_files(adapter) if adapter is not None else ()
    return {str(file): Stamp.of(file) for file in (*identified(folder), *own) if file.is_file()}


def identified(folder: Path) -> tuple[Path, ...]:
    """The files that the identity of the model in `folder` depends on."""
    configuration = (file for name in ("config.json", _QUANTISATION_FILE) if (file := folder / name).is_file())
    return (*_vocabulary_files(folder), *configuration, *weight_files(folder))


def _vocabulary_files(folder: Path) -> list[Path]:
    """Sorted, so that a model keeps its identity. On some disks macOS makes a file ._NAME beside each one."""
    found = {file for pattern in _VOCABULARY_FILES for file in folder.glob(pattern) if file.is_file()}
    return sorted(file for file in found if not file.name.startswith("._"))


def adapter_files(folder: Path) -> tuple[Path, Path]:
    """The configuration and the weights of the adapter in `folder`."""
    return folder / "adapter_config.json", folder / "adapters.safetensors"


def weight_bytes(folder: Path, adapter: Path | None = None) -> int:
    """The size of the weights on disk, which is also their size in memory. Raises OSError."""
    own = adapter_files(adapter)[1:] if adapter is not None else ()
    return sum(file.stat().st_size for file in (*weight_files(folder), *own))
