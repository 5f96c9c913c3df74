"""Finds the model that a user names on the command line. Runs on the main thread; only looks at files."""

from __future__ import annotations

import os
from pathlib import Path

from app.base.errors import BadArguments


def folder_named(name: str) -> Path:
    """Return the absolute path that `name` is, whether or not something is there. Raises BadArguments if the name is
    empty: no path and no model has an empty name.
    """
    if not name.strip():
        raise BadArguments("The model's name is empty; hearth models list names all models.")
    path = Path(os.path.expanduser(name))  # noqa: PTH111 - the method raises for a user who does not exist
    return path.resolve() if ".." in path.parts else path.absolute()
