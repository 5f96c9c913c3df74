"""The names of repositories and commits. Pure."""

from __future__ import annotations

import re
from typing import Final

from app.hub.errors import BadRepositoryName
from resources.language.sentence import sentence

_REPOSITORY: Final = re.compile(r"[A-Za-z0-9_]([\w.-]{0,94}[\w])?/[A-Za-z0-9_]([\w.-]{0,94}[\w])?", re.ASCII)
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")


def checked(repository: str) -> str:
    """Return the name of a repository. Raises BadRepositoryName unless it is publisher/name as the hub allows it."""
    if is_repository(repository):
        return repository
    raise BadRepositoryName(
        sentence(
            "{repository} names no model. A name is publisher/name, as on the model's page.",
            repository=repr(repository[:100]),
        )
    )


def is_repository(name: str) -> bool:
    """Whether a name is publisher/name as the hub allows it. It is then also a safe path."""
    return bool(_REPOSITORY.fullmatch(name)) and "--" not in name and ".." not in name


def is_commit(revision: str) -> bool:
    """Whether a revision names a commit, which never changes."""
    return bool(_COMMIT.fullmatch(revision))
