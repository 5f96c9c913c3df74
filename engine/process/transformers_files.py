"""The files of transformers' models that Hearth never uses, and an import of transformers that does not read them.

transformers reads the sources of all its models, 1,700 files, twice while it is imported: half of the engine's start.
Hearth needs only their configurations and tokenizers, because mlx-lm has its own models. The bundle leaves the other
files out. A clone has them, so they are hidden during the import: until transformers reads the source of a model only
when it is used.

On the main thread, before other threads list folders of transformers.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

UNUSED: Final = re.compile(
    r"transformers/models/(?!auto/)[^/]+/"
    r"(modeling|modular|convert|image_processing|video_processing|feature_extraction)_[^/]*\.pyc?"
)
_MODELS: Final = "transformers/models"


@contextmanager
def unused_hidden() -> Iterator[None]:
    """Hides them within its block from whatever lists a folder by `os.scandir`, as transformers does. An import
    statement finds them all the same.
    """
    scan = os.scandir

    @contextmanager
    def needed(path: str) -> Iterator[Iterator[os.DirEntry[str]]]:
        with scan(path) as entries:
            yield (entry for entry in entries if not UNUSED.search(entry.path))

    def listed(path: Any = ".") -> AbstractContextManager[Iterator[os.DirEntry[Any]]]:
        return needed(path) if _MODELS in str(path) else scan(path)

    os.scandir = listed  # type: ignore[assignment] # transformers only enters and iterates it
    try:
        yield
    finally:
        os.scandir = scan
