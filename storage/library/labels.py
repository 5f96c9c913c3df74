"""What a conversation is called, where it lies and how it is answered: owns setting one at a time, and listing them.

What is said in it is left to the store. All methods raise EnvironmentProblem and DamagedDatabase besides what they
name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.errors import NoSuchMessage
from storage.library import conversations, tree
from storage.library.opened import Opened
from storage.library.rows import storable, tags_line

if TYPE_CHECKING:
    from collections.abc import Iterable


class Labels(Opened):
    """The part of the library that the sidebar and the settings of a chat are made of."""

    def rename(self, identifier: str, title: str) -> None:
        """Give the user's own title; an empty one lets the next first message name it. Raises NoSuchConversation."""
        self._change(identifier, title=storable(title), titled=int(bool(title)))

    def set_preset(self, identifier: str, preset: str) -> None:
        """Raises NoSuchConversation."""
        self._change(identifier, preset=preset)

    def set_thinking(self, identifier: str, *, thinking: bool) -> None:
        """Whether its model may reason first. Raises NoSuchConversation."""
        self._change(identifier, thinking=int(thinking))

    def set_pinned(self, identifier: str, pinned: bool) -> None:  # noqa: FBT001 - the value that is set
        """Whether it stands above all others. Raises NoSuchConversation."""
        self._change(identifier, pinned=int(pinned))

    def set_folder(self, identifier: str, name: str) -> None:
        """The folder that it lies in; an empty name takes it out. Raises NoSuchConversation."""
        self._change(identifier, folder=" ".join(storable(name).split()))

    def set_tags(self, identifier: str, tags: Iterable[str]) -> None:
        """Its tags, instead of those before; each counts once, whatever its case. Raises NoSuchConversation."""
        self._change(identifier, tags=tags_line(tags))

    def set_cached(self, identifier: str, cached: bool) -> None:  # noqa: FBT001 - the value that is set
        """Whether it may be kept warm on disk. Raises NoSuchConversation."""
        self._change(identifier, cached=int(cached))

    def folders(self) -> tuple[str, ...]:
        """The folders that there are, by name: those that a listed conversation lies in."""
        with self._database.transaction() as connection:
            return conversations.folders(connection)

    def pinned(self) -> tuple[str, ...]:
        """The ids of the listed conversations that are pinned."""
        with self._database.transaction() as connection:
            return conversations.pinned(connection)

    def read_from(self, identifier: str, message_id: str | None) -> None:
        """Let the model read from this message on (None: all). Raises NoSuchConversation, NoSuchMessage."""
        with self._database.transaction() as connection:
            if message_id is not None and not tree.exists(connection, identifier, message_id):
                raise NoSuchMessage("This message is no longer part of the chat.")
            conversations.change(connection, identifier, reads_from=message_id)
