"""Finds the model that a user names on the command line. Runs on the main thread; only looks at files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.base.errors import BadArguments
from app.base.paths import absolute

if TYPE_CHECKING:
    from pathlib import Path


def folder_named(name: str) -> Path:
    """Return the absolute path that `name` is, whether or not something is there. Raises BadArguments if the name is
    empty, because no path and no model has an empty name, or if `absolute` does.
    """
    if not name.strip():
        raise BadArguments("The model's name is empty; hearth models list names all models.")
    path = absolute(name)
    return path.resolve() if ".." in path.parts else path
