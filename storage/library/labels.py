"""A conversation's settings: its title, place in the sidebar, system prompt, sampling, and whether it may reason or be
cached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from resources.language.text import tr
from storage.errors import NoSuchMessage
from storage.library import conversation_rows, tree
from storage.library.schema import conversation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from storage.database import Database


class Labels:
    """Sets one value of a conversation. Every method that takes an id raises NoSuchConversation; all methods raise
    EnvironmentProblem and DamagedDatabase.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def rename(self, identifier: str, title: str) -> None:
        """Set the user's own title. After an empty one, the next first message gives the title again."""
        self._change(identifier, title=title, titled=bool(title))

    def suggest_title(self, identifier: str, title: str, before: str) -> bool:
        """Replace the title `before` that Hearth gave. Returns False if the conversation has another one by now, or one
        of the user.
        """
        with self._database.transaction() as connection:
            owner = conversation_rows.get(connection, identifier)
            if owner.titled or owner.title != before:
                return False
            conversation_rows.change(connection, identifier, title=title)
        return True

    def set_preset(self, identifier: str, preset: str, sampling: str = "") -> None:
        """Set the name of the sampling preset, and the values beside it that the conversation sets itself."""
        self._change(identifier, preset=preset, sampling=sampling)

    def set_system(self, identifier: str, system: str) -> None:
        """Set the system prompt; empty: that of the model."""
        self._change(identifier, system=system)

    def set_model(self, identifier: str, model: str) -> None:
        """Set the model that answers the conversation, given by its folder."""
        self._change(identifier, model=model)

    def set_thinking(self, identifier: str, *, thinking: bool) -> None:
        """Set whether the model may reason before it answers."""
        self._change(identifier, thinking=thinking)

    def set_pinned(self, identifier: str, pinned: bool) -> None:  # noqa: FBT001 - the value that is set
        """Set whether the conversation is listed above all others."""
        self._change(identifier, pinned=pinned)

    def set_folder(self, identifier: str, name: str) -> None:
        """Move the conversation to a folder; an empty name takes it out of its folder."""
        self._change(identifier, folder=" ".join(name.split()))

    def set_tags(self, identifier: str, tags: Iterable[str]) -> None:
        """Replace all tags. Tags that differ only in case count as one."""
        self._change(identifier, tags=tags)

    def set_cached(self, identifier: str, cached: bool) -> None:  # noqa: FBT001 - the value that is set
        """Set whether the conversation's model state may be cached on disk."""
        self._change(identifier, cached=cached)

    def read_from(self, identifier: str, message_id: str | None) -> None:
        """Set the first message of the prompt (None: the branch's first). Raises NoSuchMessage."""
        with self._database.transaction() as connection:
            if message_id is not None and not tree.exists(connection, identifier, message_id):
                raise NoSuchMessage(tr("This message is no longer part of the chat."))
            conversation_rows.change(connection, identifier, reads_from=message_id)

    def folders(self) -> tuple[str, ...]:
        """The names of all folders that hold a listed conversation, sorted."""
        with self._database.transaction() as connection:
            row = conversation.c
            found = select(row.folder).where(row.deleted.is_(None), row.folder != "").distinct()
            return tuple(sorted(connection.execute(found).scalars(), key=lambda name: (name.casefold(), name)))

    def pinned(self) -> tuple[str, ...]:
        """The ids of the listed conversations that are pinned."""
        with self._database.transaction() as connection:
            row = conversation.c
            found = select(row.id).where(row.deleted.is_(None), row.pinned != 0)
            return tuple(connection.execute(found.order_by(row.number)).scalars())

    def _change(self, identifier: str, **values: object) -> None:
        with self._database.transaction() as connection:
            conversation_rows.change(connection, identifier, **values)
