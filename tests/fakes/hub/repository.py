"""A repository of the loopback hub: files as bytes, commits, and what the hub tells about them."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LARGE = 1 << 20
LARGE_NAMES = (".safetensors", ".bin", ".pt", ".gguf", ".model", ".npz")
"""Files with these endings, and files of `LARGE` bytes, are kept by LFS: git holds a pointer."""


@dataclass(frozen=True)
class HubFile:
    """A file of a commit, with the digests that the hub tells."""

    path: str
    data: bytes
    xet: bool = False

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.data)

    @property
    def large(self) -> bool:
        """Whether LFS keeps it."""
        return self.path.endswith(LARGE_NAMES) or self.size >= LARGE

    @property
    def sha256(self) -> str:
        """The digest by which LFS names it."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def pointer(self) -> bytes:
        """The small file that git keeps in its place."""
        return f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {self.size}\n".encode()

    @property
    def blob_id(self) -> str:
        """The digest of the git object: of the file, or of its pointer."""
        content = self.pointer if self.large else self.data
        return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()

    @property
    def etag(self) -> str:
        """The digest that a download is checked against."""
        return self.sha256 if self.large else self.blob_id

    @property
    def xet_hash(self) -> str | None:
        """The name in the xet storage; None if the file is not kept there."""
        return hashlib.sha256(b"xet" + self.data).hexdigest() if self.xet and self.large else None

    def entry(self) -> dict[str, Any]:
        """The file in a tree listing."""
        listed: dict[str, Any] = {"type": "file", "oid": self.blob_id, "size": self.size, "path": self.path}
        if self.large:
            listed["lfs"] = {"oid": self.sha256, "size": self.size, "pointerSize": len(self.pointer)}
        return listed | ({"xetHash": self.xet_hash} if self.xet_hash else {})

    def sibling(self, *, blobs: bool) -> dict[str, Any]:
        """The file in a model's info."""
        if not blobs:
            return {"rfilename": self.path}
        lfs = {"sha256": self.sha256, "size": self.size, "pointerSize": len(self.pointer)} if self.large else None
        return {"rfilename": self.path, "size": self.size, "blobId": self.blob_id} | ({"lfs": lfs} if lfs else {})


@dataclass
class Repository:
    """A model on the hub. `commit` replaces its files; earlier commits stay.

    `gated`: its files need a token of `members`. `private`: without such a token the hub denies that it exists.
    """

    id: str
    tags: list[str] = field(default_factory=lambda: ["mlx", "safetensors"])
    card: dict[str, Any] = field(default_factory=dict)
    downloads: int = 0
    likes: int = 0
    pipeline: str = "text-generation"
    modified: str = "2026-09-01T12:00:00.000Z"
    gated: str | bool = False
    private: bool = False
    xet: bool = False
    members: set[str] = field(default_factory=set)
    commits: dict[str, dict[str, HubFile]] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)

    def commit(self, files: Mapping[str, bytes], branch: str = "main") -> str:
        """Make `files` the newest commit of a branch. Returns its name."""
        made = {path: HubFile(path, data, self.xet) for path, data in sorted(files.items())}
        listing = "\n".join(f"{file.blob_id} {path}" for path, file in made.items())
        name = hashlib.sha1(f"{self.id} {len(self.commits)}\n{listing}".encode(), usedforsecurity=False).hexdigest()
        self.commits[name] = made
        self.branches[branch] = name
        return name

    def sha(self, revision: str = "main") -> str | None:
        """The commit of a branch or of a commit's name; None if there is no such revision."""
        return revision if revision in self.commits else self.branches.get(revision)

    def open_to(self, token: str) -> bool:
        """Whether this token opens a private or gated repository."""
        return token in self.members

    def tree(self, sha: str, folder: str, *, recursive: bool) -> list[dict[str, Any]]:
        """The files and folders below `folder`."""
        listed: dict[str, dict[str, Any]] = {}
        start = f"{folder}/" if folder else ""
        for path, file in self.commits[sha].items():
            if not path.startswith(start):
                continue
            for parent in _parents(path.removeprefix(start)):
                listed.setdefault(start + parent, _folder(start + parent))
            listed[path] = file.entry()
        return [entry for path, entry in listed.items() if recursive or "/" not in path.removeprefix(start)]

    def info(self, sha: str, *, blobs: bool = False) -> dict[str, Any]:
        """Everything that the hub tells of the model."""
        files = self.commits[sha]
        return self.listed() | {
            "author": self.id.partition("/")[0],
            "sha": sha,
            "lastModified": self.modified,
            "gated": self.gated,
            "disabled": False,
            "config": _config(files),
            "cardData": self.card,
            "siblings": [file.sibling(blobs=blobs) for file in files.values()],
            "safetensors": _parameters(files),
            "usedStorage": sum(file.size for file in files.values()),
        }

    def listed(self) -> dict[str, Any]:
        """The model in a search's answer."""
        return {
            "_id": hashlib.sha1(self.id.encode(), usedforsecurity=False).hexdigest()[:24],
            "id": self.id,
            "modelId": self.id,
            "likes": self.likes,
            "private": self.private,
            "downloads": self.downloads,
            "trendingScore": self.likes,
            "tags": self.tags + ([f"license:{self.card['license']}"] if "license" in self.card else []),
            "pipeline_tag": self.pipeline,
            "library_name": "mlx" if "mlx" in self.tags else "transformers",
            "createdAt": self.modified,
        }


def files_in(folder: Path) -> dict[str, bytes]:
    """The files of a plain folder, for `Repository.commit`."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def _parents(path: str) -> Iterator[str]:
    parts = path.split("/")
    for count in range(1, len(parts)):
        yield "/".join(parts[:count])


def _folder(path: str) -> dict[str, Any]:
    oid = hashlib.sha1(path.encode(), usedforsecurity=False).hexdigest()
    return {"type": "directory", "oid": oid, "size": 0, "path": path}


def _config(files: Mapping[str, HubFile]) -> dict[str, Any]:
    """The excerpt of config.json that the hub tells."""
    if "config.json" not in files:
        return {}
    try:
        whole = json.loads(files["config.json"].data)
    except ValueError:
        return {}
    return {key: whole[key] for key in ("architectures", "model_type", "quantization_config") if key in whole}


def _parameters(files: Mapping[str, HubFile]) -> dict[str, Any] | None:
    """The parameters by dtype, from the headers of the safetensors files; None without such files."""
    counts: dict[str, int] = {}
    for file in files.values():
        for tensor in _header(file).values():
            counts[tensor["dtype"]] = counts.get(tensor["dtype"], 0) + math.prod(tensor["shape"])
    return {"parameters": counts, "total": sum(counts.values())} if counts else None


def _header(file: HubFile) -> dict[str, Any]:
    if not file.path.endswith(".safetensors"):
        return {}
    try:
        header = json.loads(file.data[8 : 8 + int.from_bytes(file.data[:8], "little")])
    except ValueError:
        return {}
    return {name: tensor for name, tensor in header.items() if name != "__metadata__"}
