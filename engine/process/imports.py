"""Keeps two libraries from what they do while they are imported: transformers from reading what Hearth never uses, and
mlx-lm from lowering the limit of open files.

transformers reads the sources of all its models, 1,700 files, twice: half of the engine's start. Hearth needs only
their configurations and tokenizers, because mlx-lm has its own models. The bundle leaves the other files out. A clone
has them, so they are hidden: until transformers reads the source of a model only when it is used.

On the main thread, before other threads list folders of transformers.
"""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

UNUSED: Final = re.compile(
    r"transformers/models/(?!auto/)[^/]+/"
    r"(modeling|modular|convert|image_processing|video_processing|feature_extraction)_[^/]*\.pyc?"
)
_MODELS: Final = "transformers/models"


@contextmanager
def unused_hidden() -> Iterator[None]:
    """Hides these files within its block from whatever lists a folder by `os.scandir`, as transformers does. An import
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


@contextmanager
def hard_limit_kept() -> Iterator[None]:
    """The import of mlx-lm sets the limit to (2048, 4096): that lowers the hard limit, or raises ValueError if the hard
    limit is lower. Within this block it sets only the soft limit, to at most the hard limit. This is needed until
    mlx-lm leaves the hard limit alone.
    """
    set_limit = resource.setrlimit

    def set_soft(what: int, limits: tuple[int, int]) -> None:
        hard = resource.getrlimit(what)[1]
        set_limit(what, (min(limits[0], hard), hard))

    resource.setrlimit = set_soft
    try:
        yield
    finally:
        resource.setrlimit = set_limit
