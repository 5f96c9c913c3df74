"""Links the messages of a conversation without branches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from storage.library.archive import ArchivedMessage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from storage.library.rows import Role


@dataclass(frozen=True, slots=True)
class Utterance:
    """The words of one speaker. `created` is in ms, UTC; 0 if unknown."""

    role: Role
    words: str
    created: int = 0


def in_a_row(turns: Iterable[Utterance]) -> tuple[ArchivedMessage, ...]:
    """Return each turn as a message that follows the one before."""
    return tuple(
        ArchivedMessage(str(place), str(place - 1) if place else None, one.role, one.words, created=one.created)
        for place, one in enumerate(turns)
    )
