"""The sketch of a model or adapter folder: equal on two machines if they have the same model, and quick to take.

It covers the files that the identity covers: of each the name, the size and a sample of the bytes, which is all of them
in a file of less than a mebibyte. It finds a model; the identity, which covers every byte, is compared when the model
is loaded.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from engine.model.identity import adapter_files, identified, sample
from storage.untrusted import MEBIBYTE, MissingFileError, open_file, read_file

_LARGEST_CONFIG: Final = 8 * MEBIBYTE


def sketch(folder: Path) -> str:
    """In hexadecimal. Raises OSError and UntrustedDataError."""
    digest = hashlib.blake2b(_configuration(folder), digest_size=16)
    adapter = (file for file in adapter_files(folder) if file.is_file())
    for file in sorted((*identified(folder), *adapter)):
        open_file(file).close()  # refuses a pipe, for which `sample` would wait without end
        told = f"\0{file.relative_to(folder)}\0{file.stat().st_size}\0{sample(file)}"
        digest.update(told.encode("utf-8", "surrogateescape"))  # on Linux a name may be any bytes
    return digest.hexdigest()


def _configuration(folder: Path) -> bytes:
    try:
        return read_file(folder / "config.json", _LARGEST_CONFIG)
    except MissingFileError:
        return read_file(folder / "adapter_config.json", _LARGEST_CONFIG)
