"""The library, the user's words: owns what is one transaction, and the clock; rows are left to its neighbours.

Every method ends durably or not at all. All raise EnvironmentProblem and DamagedDatabase besides what they name. One
thread at a time.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self, overload

from storage.database import PRECIOUS, Database
from storage.errors import classified
from storage.library import conversations, messages
from storage.library.backups import backup
from storage.library.rows import Conversation, Turn, storable
from storage.library.schema import STEPS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from storage.library.rows import ClosedState, Message, Summary


def _now() -> int:
    return time.time_ns() // 1_000_000


class Library:
    """The open library. Ids are uuid4 hex; times are ms, UTC."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database = database
        self._clock = clock

    @classmethod
    def open(cls, path: Path, clock: Callable[[], int] = _now) -> Self:
        """Open or make the file. Raises NewerVersion, DamagedDatabase, EnvironmentProblem."""
        return cls(Database.open(path, STEPS, PRECIOUS), clock)

    def conversations(self, search: str = "") -> tuple[Summary, ...]:
        """The list, newest first; with `search`, those whose title or messages hold all of its words."""
        with self._database.transaction() as connection:
            return conversations.summaries(connection, search)

    def create(self, title: str = "", system: str = "", preset: str = "balanced", model: str = "") -> Conversation:
        """A new conversation. A title given here is the user's."""
        now = self._clock()
        made = Conversation("", storable(title), bool(title), storable(system), preset, model, now, now, None)
        with self._database.transaction() as connection:
            return conversations.add(connection, made)

    def conversation(self, identifier: str) -> Conversation:
        """Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            return conversations.get(connection, identifier)

    def find(self, title: str) -> Conversation | None:
        """The newest conversation of exactly this title."""
        with self._database.transaction() as connection:
            return conversations.find(connection, title)

    def branch(self, identifier: str) -> tuple[Message, ...]:
        """The active branch, root to leaf. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            owner = conversations.get(connection, identifier)
            return messages.branch(connection, owner)

    def rename(self, identifier: str, title: str) -> None:
        """Give the user's own title; an empty one lets the next first message name it. Raises NoSuchConversation."""
        self._change(identifier, title=storable(title), titled=int(bool(title)))

    def set_preset(self, identifier: str, preset: str) -> None:
        """Raises NoSuchConversation."""
        self._change(identifier, preset=preset)

    def set_model(self, identifier: str, model: str) -> None:
        """Raises NoSuchConversation."""
        self._change(identifier, model=model)

    def delete(self, identifier: str) -> None:
        """Move to recently deleted: no longer listed or found, erased by `purge_deleted`. Raises NoSuchConversation."""
        self._change(identifier, deleted=self._clock())

    def purge_deleted(self, older_than_ms: int) -> tuple[str, ...]:
        """Erase for real what was deleted at least `older_than_ms` milliseconds ago. The ids of what is gone."""
        with self._database.transaction() as connection:
            erased = conversations.purge(connection, self._clock() - older_than_ms)
        if erased:
            self._database.truncate_log()
        return erased

    def begin_turn(self, conversation: str, text: str, model: str) -> Turn:
        """Add the user's message and an open reply under the leaf, durably. Raises NoSuchConversation.

        The reply is the new leaf, a conversation without a title is named by `text`, the draft is cleared.
        """
        now = self._clock()
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            user = messages.say(connection, owner.id, messages.ending(connection, owner), text, now)
            reply = messages.begin(connection, owner.id, user, model, now)
            conversations.name_by(connection, owner, user.content)
            conversations.change(connection, owner.id, leaf=reply.id, updated=now, draft="")
        return Turn(user, reply)

    def begin_reply(self, conversation: str, parent_message_id: str, model: str) -> Message:
        """Add an alternative open reply under a message of the user; it is the new leaf.

        Raises NoSuchConversation; NoSuchMessage if it has no such message of the user.
        """
        now = self._clock()
        with self._database.transaction() as connection:
            parent = messages.get(connection, parent_message_id)
            reply = messages.begin(connection, conversation, parent, model, now)
            conversations.change(connection, conversation, leaf=reply.id, updated=now)
        return reply

    def reopen(self, message_id: str) -> Message:
        """Continue a reply: open again, text and ledger kept. Raises NoSuchMessage."""
        with self._database.transaction() as connection:
            return messages.reopen(connection, message_id)

    def save_progress(self, message_id: str, content: str) -> None:
        """The text so far of an open reply. Raises NoSuchMessage, MessageClosed."""
        with self._database.transaction() as connection:
            messages.grow(connection, message_id, content)

    @overload
    def close(self) -> None: ...

    @overload
    def close(
        self, message_id: str, content: str, state: ClosedState, ledger: str = "", usage: str = "", error: str = ""
    ) -> Message: ...

    def close(
        self,
        message_id: str | None = None,
        content: str = "",
        state: ClosedState = "done",
        ledger: str = "",
        usage: str = "",
        error: str = "",
    ) -> Message | None:
        """Without a message: close the library. With one: end an open reply, and return it as it now stands.

        Raises NoSuchMessage; MessageClosed if the reply has ended already, which then stays as it is.
        """
        if message_id is None:
            self._database.close()
            return None
        now = self._clock()
        with self._database.transaction() as connection:
            closed = messages.close(
                connection, message_id, content, state, ledger=ledger, usage=usage, error=storable(error)
            )
            conversations.put(connection, closed.conversation, updated=now)
        return closed

    def interrupt_open(self) -> int:
        """At the app's start: no reply is being written any more. How many were open."""
        with self._database.transaction() as connection:
            return messages.interrupt_open(connection)

    def draft(self, identifier: str) -> str:
        """What was typed and not sent. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            return conversations.draft(connection, identifier)

    def save_draft(self, identifier: str, text: str) -> None:
        """Raises NoSuchConversation."""
        self._change(identifier, draft=storable(text))

    def withdraw_turn(self, reply_id: str) -> str:
        """Take back an empty reply, and the user's message with it. The user's text.

        The text is put before the draft, so that no crash can lose it. A message that has other replies stays, and the
        newest of them is shown again: the text is then empty. Raises NoSuchMessage, ReplyNotEmpty.
        """
        with self._database.transaction() as connection:
            reply = messages.get(connection, reply_id)
            messages.remove_empty(connection, reply)
            question = messages.get(connection, reply.parent or "")
            if messages.has_successors(connection, question.id):
                conversations.put(connection, reply.conversation, leaf=messages.tip(connection, question.id))
                return ""
            messages.remove(connection, question.id)
            conversations.take_back(connection, question)
            return question.content

    def backup(self, folder: Path) -> Path | None:
        """A checked copy in `folder`, at most one in 24 hours, ten kept. Its path, or None if none was due."""
        with classified():
            return backup(self._database.raw, folder, self._clock())

    def _change(self, identifier: str, **values: str | int | None) -> None:
        with self._database.transaction() as connection:
            conversations.change(connection, identifier, **values)
