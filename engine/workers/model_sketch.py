"""The sketch of a model or adapter folder: equal on two machines if they have the same model, and quick to take.

It covers the configuration, and of each weight file the name, the size and a sample of the bytes. It finds a model; the
identity, which covers every byte, is compared when the model is loaded.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from engine.model.identity import sample
from storage.untrusted import MEBIBYTE, MissingFileError, open_file, read_file

_LARGEST_CONFIG: Final = 8 * MEBIBYTE


def sketch(folder: Path) -> str:
    """In hexadecimal. Raises OSError and UntrustedDataError."""
    digest = hashlib.blake2b(_configuration(folder), digest_size=16)
    for file in sorted((*folder.glob("model*.safetensors"), *folder.glob("adapters.safetensors"))):
        open_file(file).close()  # refuses a pipe, for which `sample` would wait without end
        told = f"\0{file.name}\0{file.stat().st_size}\0{sample(file)}"
        digest.update(told.encode("utf-8", "surrogateescape"))  # on Linux a name may be any bytes
    return digest.hexdigest()


def _configuration(folder: Path) -> bytes:
    try:
        return read_file(folder / "config.json", _LARGEST_CONFIG)
    except MissingFileError:
        return read_file(folder / "adapter_config.json", _LARGEST_CONFIG)
