"""The library, the user's words: owns what is one transaction, and the clock; rows are left to its neighbours.

Every method ends durably or not at all. All raise EnvironmentProblem and DamagedDatabase besides what they name. One
thread at a time.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from storage.database import PRECIOUS, Database
from storage.errors import NoSuchMessage
from storage.library import attachment_rows, conversations, messages, tree
from storage.library.backups import Backups, NoBackups
from storage.library.files import Memory, beside
from storage.library.library_file import LibraryFile
from storage.library.opened import Opened
from storage.library.rows import Aside, Conversation, Turn, fork_title_from, storable
from storage.library.schema import STEPS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection

    from storage.library.rows import Message, Page, Summary

_NOTHING = Aside()


def _now() -> int:
    return time.time_ns() // 1_000_000


class Library(Opened):
    """The open library. Ids are uuid4 hex; times are ms, UTC. Attached files lie beside it, in `attachments`."""

    @classmethod
    def open(cls, path: Path, clock: Callable[[], int] = _now) -> Self:
        """Open or make the file. Raises NewerVersion, DamagedDatabase, EnvironmentProblem; LostDatabase for a file that
        is gone while there are copies of it in `backups` beside it.
        """
        return cls(LibraryFile.open(path, STEPS, PRECIOUS), clock, beside(path), Backups(path, clock))

    @classmethod
    def in_memory(cls, clock: Callable[[], int] = _now) -> Self:
        """A library that is written nowhere and gone when it is closed, attached files and all. Has no backups."""
        return cls(Database.in_memory(STEPS), clock, Memory(), NoBackups())

    def conversations(self) -> tuple[Summary, ...]:
        """The list: the pinned ones first, then the newest."""
        with self._database.transaction() as connection:
            return conversations.summaries(connection)

    def create(
        self,
        title: str = "",
        system: str = "",
        preset: str = "balanced",
        model: str = "",
        *,
        cached: bool = True,
    ) -> Conversation:
        """A new conversation. A title given here is the user's."""
        now = self._clock()
        made = Conversation("", storable(title), bool(title), storable(system), preset, model, now, now, None)
        made = replace(made, cached=cached)
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
            line = tree.branch(connection, owner.id, tree.ending(connection, owner.id, owner.leaf))
            return attachment_rows.with_them(connection, line, self._files)

    def page(self, identifier: str, before: str | None, count: int) -> Page:
        """At most `count` messages of the active branch: those just before the message `before` (None: its last ones).

        Reads only these, without their ledgers. Raises NoSuchConversation, NoSuchMessage.
        """
        with self._database.transaction() as connection:
            owner = conversations.get(connection, identifier)
            if before is None:
                end = tree.ending(connection, owner.id, owner.leaf)
            elif (first := messages.get(connection, before)).conversation == owner.id:
                end = first.parent
            else:
                raise NoSuchMessage("This message is no longer part of the chat.")
            found = tree.page(connection, owner.id, end, count)
            return replace(found, messages=attachment_rows.with_them(connection, found.messages, self._files))

    def begin_turn(self, conversation: str, text: str, model: str) -> Turn:
        """Add the user's message and an open reply under the leaf, durably. Raises NoSuchConversation.

        The reply is the new leaf, a conversation without a title is named by `text`, the draft is cleared; its files go
        with the message.
        """
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            turn = self._say(connection, owner, tree.ending(connection, owner.id, owner.leaf), text, model)
            conversations.change(connection, owner.id, draft="")
            return self._with_files(connection, turn)

    def edit(self, conversation: str, message_id: str, text: str, model: str) -> Turn:
        """Say `text` instead of a message of the user, which stays as an alternative with all that follows it.

        The message's files go with the new one too, and so do those of the draft. Raises NoSuchConversation;
        NoSuchMessage if it has no such message of the user.
        """
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            before = messages.get(connection, message_id)
            if before.role != "user" or before.conversation != owner.id:
                raise NoSuchMessage("Only a message of yours can be edited.")
            turn = self._say(connection, owner, before.parent, text, model)
            attachment_rows.copy(connection, owner.id, {before.id: turn.user.id}, owner.id)
            return self._with_files(connection, turn)

    def _with_files(self, connection: Connection, turn: Turn) -> Turn:
        attachment_rows.send(connection, turn.user.conversation, turn.user.id)
        return replace(turn, user=attachment_rows.with_them(connection, (turn.user,), self._files)[0])

    def _say(self, connection: Connection, owner: Conversation, parent: str | None, text: str, model: str) -> Turn:
        now = self._clock()
        user = messages.say(connection, owner.id, parent, text, now)
        reply = messages.begin(connection, owner.id, user, model, now)
        conversations.name_by(connection, owner, user.content)
        conversations.change(connection, owner.id, leaf=reply.id, updated=now, model=model)
        return Turn(user, reply)

    def begin_alternatives(
        self, conversation: str, parent_message_id: str, count: int, model: str
    ) -> tuple[Message, ...]:
        """Add `count` open replies under a message of the user; the first of them is the new leaf.

        Raises NoSuchConversation; NoSuchMessage if it has no such message of the user.
        """
        now = self._clock()
        with self._database.transaction() as connection:
            parent = messages.get(connection, parent_message_id)
            replies = tuple(messages.begin(connection, conversation, parent, model, now) for _ in range(count))
            conversations.change(connection, conversation, leaf=replies[0].id, updated=now, model=model)
        return replies

    def alternatives(self, message_id: str) -> tuple[str, ...]:
        """The messages that stand for each other, this one among them, oldest first. Raises NoSuchMessage."""
        with self._database.transaction() as connection:
            return tree.alternatives(connection, messages.get(connection, message_id))

    def step(self, conversation: str, message_id: str, by: int) -> None:
        """Show the alternative that stands `by` places after this message (before it: negative; the last one at most),
        with the newest branch below it. Raises NoSuchConversation, NoSuchMessage.
        """
        with self._database.transaction() as connection:
            one = messages.get(connection, message_id)
            if one.conversation != conversation:
                raise NoSuchMessage("This message is no longer part of the chat.")
            places = tree.alternatives(connection, one)
            place = min(max(places.index(one.id) + by, 0), len(places) - 1)
            conversations.change(connection, conversation, leaf=tree.newest_leaf(connection, places[place]))

    def fork(self, conversation: str, message_id: str, first: str | None = None) -> Conversation:
        """A new conversation with a copy of the branch up to this message, ledgers and files included, but not
        pinned; what stands before `first` is left out. Raises NoSuchConversation, NoSuchMessage.
        """
        now = self._clock()
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            line = tree.span(connection, owner.id, first, message_id)
            bare = replace(owner, title=fork_title_from(owner.title), created=now, updated=now, leaf=None, pinned=False)
            made = conversations.add(connection, replace(bare, reads_from=None))
            copies = tree.copy(connection, line, made.id)
            attachment_rows.copy(connection, owner.id, copies, made.id)
            start = copies.get(owner.reads_from or "")
            conversations.change(connection, made.id, leaf=copies[message_id], reads_from=start)
            return conversations.get(connection, made.id)

    def reopen(self, message_id: str) -> Message:
        """Continue a reply: open again, text and ledger kept. Raises NoSuchMessage."""
        with self._database.transaction() as connection:
            return messages.reopen(connection, message_id)

    def save_progress(self, message_id: str, content: str, aside: Aside = _NOTHING) -> None:
        """The words so far of an open reply. Raises NoSuchMessage, MessageClosed."""
        with self._database.transaction() as connection:
            messages.grow(connection, message_id, content, aside)

    def end(self, reply: Message) -> Message:
        """End an open reply with all that `reply` says of it (`state` is how). It as it now stands.

        Raises NoSuchMessage; MessageClosed if the reply has ended already, which then stays as it is.
        """
        now = self._clock()
        with self._database.transaction() as connection:
            closed = messages.close(connection, reply)
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
        with self._database.transaction() as connection:
            conversations.change(connection, identifier, draft=storable(text))

    def withdraw_turn(self, reply_id: str, back_to: str | None = None) -> str:
        """Take back a silent reply, and the user's message with it. The user's text.

        The text is put before the draft, so that no crash can lose it, and its files are the draft's again. A message
        that has other replies stays: the text is then empty. If the active branch ended here, it ends with `back_to`
        again, or with the newest that is left. Raises NoSuchMessage, ReplyNotEmpty.
        """
        with self._database.transaction() as connection:
            reply = messages.get(connection, reply_id)
            messages.remove_empty(connection, reply)
            question = messages.get(connection, reply.parent or "")
            if kept := messages.has_successors(connection, question.id):
                left: str | None = tree.newest_leaf(connection, question.id)
            else:
                attachment_rows.take_back(connection, question.id)
                messages.remove(connection, question.id)
                conversations.take_back(connection, question.conversation, question.content)
                left = question.parent
            self._lead_back(connection, question.conversation, (back_to, left))
        return "" if kept else question.content

    def _lead_back(self, connection: Connection, conversation: str, candidates: tuple[str | None, ...]) -> None:
        ends = (conversations.leaf_of(connection, conversation), *candidates)
        found = next((end for end in ends if tree.exists(connection, conversation, end)), None)
        conversations.lead_to(connection, conversation, tree.ending(connection, conversation, found))
