"""Model identity: the fingerprint under which cached state is valid. Owns what goes into it, not the loading.

Weights are read once per file and remembered by size, modification time and inode, so that a second start of a large
model costs nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

import msgspec
import xxhash

if TYPE_CHECKING:
    from pathlib import Path

CACHE_FORMAT = 2
"""Raised whenever records of an older version can no longer be restored."""

_VOCABULARY_FILES = (
    "tokenizer.json",
    "tokenizer.model",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.json",
    "merges.txt",
    "added_tokens.json",
    "chat_template.jinja",
    "chat_template.json",
)
_BLOCK_BYTES = 1 << 22


@dataclass(frozen=True, slots=True)
class Identity:
    """`model` names everything that state depends on; `vocabulary` only what token ids and prompts depend on. Hex."""

    model: str
    vocabulary: str


class _Digest(msgspec.Struct, frozen=True, array_like=True):
    size: int
    modified_ns: int
    inode: int
    digest: str


class WeightDigests:
    """The remembered content digests of weight files, kept as JSON in `memory` (a file that may vanish at any time)."""

    def __init__(self, memory: Path) -> None:
        self._memory = memory
        self._known = self._load()

    def of(self, file: Path) -> str:
        """The xxh3-128 digest of the file's content. Raises OSError."""
        stat = file.stat()
        known = self._known.get(str(file))
        if known and (known.size, known.modified_ns, known.inode) == (stat.st_size, stat.st_mtime_ns, stat.st_ino):
            return known.digest
        digest = _content_digest(file)
        self._known[str(file)] = _Digest(stat.st_size, stat.st_mtime_ns, stat.st_ino, digest)
        self._save()
        return digest

    def _load(self) -> dict[str, _Digest]:
        try:
            return msgspec.json.decode(self._memory.read_bytes(), type=dict[str, _Digest])
        except (OSError, msgspec.DecodeError):
            return {}

    def _save(self) -> None:
        temporary = self._memory.with_suffix(".tmp")
        try:
            self._memory.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(msgspec.json.encode(self._known))
            temporary.replace(self._memory)
        except OSError:
            temporary.unlink(missing_ok=True)  # forgetting only costs reading the weights again


def _content_digest(file: Path) -> str:
    digest = xxhash.xxh3_128()
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def identify(folder: Path, digests: WeightDigests, kv_bits: int = 0) -> Identity:
    """The identity of the model in `folder`, whose keys and values are quantised to `kv_bits` (0: not at all).

    Raises OSError where a file cannot be read.
    """
    vocabulary = hashlib.blake2b(digest_size=16)
    for name in _VOCABULARY_FILES:
        if (file := folder / name).is_file():
            vocabulary.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    model = hashlib.blake2b(vocabulary.digest(), digest_size=16)
    model.update(f"{CACHE_FORMAT}\0{version('mlx-lm')}\0{kv_bits}\0".encode())
    model.update((folder / "config.json").read_bytes())
    for file in sorted(folder.glob("*.safetensors")):
        model.update(f"\0{file.name}\0{digests.of(file.resolve())}".encode())
    return Identity(model.hexdigest(), vocabulary.hexdigest())


def weight_bytes(folder: Path) -> int:
    """The size of the weights on disk, which is what they take in memory. Raises OSError."""
    return sum(file.stat().st_size for file in folder.glob("*.safetensors"))
