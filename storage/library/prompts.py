"""Saved prompts: the user's own texts, for a message to begin with."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from sqlalchemy import delete, func, insert, select, update

from storage.database import Database
from storage.library.rows import Prompt
from storage.library.schema import prompt


class Prompts:
    """The saved prompts. `clock` in ms, UTC. All methods raise EnvironmentProblem and DamagedDatabase."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database = database
        self._clock = clock

    def listed(self) -> tuple[Prompt, ...]:
        """All prompts, by name."""
        query = select(prompt.c.id, prompt.c.name, prompt.c.text).order_by(func.lower(prompt.c.name), prompt.c.number)
        with self._database.transaction() as connection:
            return tuple(Prompt(*row) for row in connection.execute(query))

    def save(self, identifier: str, name: str, text: str) -> str:
        """Replace a prompt, or add one if `identifier` is "" or the prompt is gone. Returns its id."""
        values = {"name": name, "text": text, "updated": self._clock()}
        with self._database.transaction() as connection:
            if connection.execute(update(prompt).where(prompt.c.id == identifier).values(values)).rowcount:
                return identifier
            made = identifier or uuid4().hex
            connection.execute(insert(prompt).values(values | {"id": made}))
        return made

    def remove(self, identifier: str) -> None:
        """Delete a prompt."""
        with self._database.transaction() as connection:
            connection.execute(delete(prompt).where(prompt.c.id == identifier))
