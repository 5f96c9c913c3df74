"""Conversations: creating, listing, finding and forking them, and the draft of each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from sqlalchemy import case, select

from resources.language.text import tr
from storage.errors import NoSuchConversation, NoSuchMessage
from storage.library import attachments, conversation_rows, tree
from storage.library.columns import storable
from storage.library.conversation_rows import FIELDS, GONE
from storage.library.rows import Conversation, Summary, fork_title_from
from storage.library.schema import attachment, conversation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from sqlalchemy import Connection, Select

    from storage.database import Database
    from storage.library.rows import Message


class Conversations:
    """The conversations that are not deleted. `clock` in ms, UTC. All methods raise EnvironmentProblem and
    DamagedDatabase besides what they name.
    """

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database = database
        self._clock = clock

    def listed(self) -> tuple[Summary, ...]:
        """All conversations: the pinned ones first, then the newest."""
        with self._database.transaction() as connection:
            row = conversation.c
            query = conversation_rows.summaries(row.updated).where(row.deleted.is_(None))
            ordered = query.order_by(row.pinned.desc(), row.updated.desc(), row.number.desc())
            return tuple(Summary(*row) for row in connection.execute(ordered))

    def models(self) -> dict[str, str]:
        """The model that answers each conversation by its id, "" for one without a message."""
        with self._database.transaction() as connection:
            row = conversation.c
            model = case((row.leaf.is_(None), ""), else_=row.model).label("model")
            rows = connection.execute(select(row.id, model).where(row.deleted.is_(None)))
            return {one.id: one.model for one in rows}

    def create(
        self,
        title: str = "",
        system: str = "",
        preset: str = "balanced",
        model: str = "",
        *,
        cached: bool = True,
    ) -> Conversation:
        """Add a conversation. If `title` is given, no message replaces it."""
        now = self._clock()
        made = Conversation("", title, bool(title), system, preset, model, now, now, None)
        with self._database.transaction() as connection:
            return conversation_rows.add(connection, replace(made, cached=cached))

    def get(self, identifier: str) -> Conversation:
        """The conversation of this id. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            return conversation_rows.get(connection, identifier)

    def find(self, title: str) -> Conversation | None:
        """The newest conversation with exactly this title."""
        with self._database.transaction() as connection:
            row = conversation.c
            query = select(*FIELDS).where(row.title == storable(title), row.deleted.is_(None))
            newest = query.order_by(row.updated.desc(), row.number.desc()).limit(1)
            return _first(connection, newest)

    def untouched(self, system: str = "", preset: str = "balanced", sampling: str = "") -> Conversation | None:
        """The newest conversation without a message, a draft, a label or other settings than these."""
        with self._database.transaction() as connection:
            row = conversation.c
            blank = (column == "" for column in (row.title, row.draft, row.folder, row.tags))
            begun = (row.system == storable(system), row.preset == storable(preset), row.sampling == storable(sampling))
            plain = (row.leaf.is_(None), row.deleted.is_(None), row.titled == 0, row.pinned == 0, row.cached == 1)
            files = select(attachment.c.number).where(attachment.c.conversation == row.id).exists()
            query = select(*FIELDS).where(*blank, *begun, *plain, ~files).order_by(row.number.desc()).limit(1)
            return _first(connection, query)

    def fork(self, identifier: str, message_id: str, first: str | None = None) -> Conversation:
        """Copy the branch from the message `first` (None: its root) to `message_id` into a new conversation.

        Ledgers, files and settings are copied, but the new conversation is not pinned. Raises NoSuchConversation,
        NoSuchMessage.
        """
        now = self._clock()
        with self._database.transaction() as connection:
            owner = conversation_rows.get(connection, identifier)
            line = tree.branch(connection, owner.id, message_id)
            begins = [place for place, one in enumerate(line) if first in (None, one.id)]
            if not begins:
                raise NoSuchMessage(tr("This message is no longer part of the chat."))
            bare = replace(owner, title=fork_title_from(owner.title), created=now, updated=now, leaf=None, pinned=False)
            made = conversation_rows.add(connection, replace(bare, reads_from=None))
            copies = _copied(connection, line[begins[0] :], made.id)
            attachments.copy(connection, owner.id, copies, made.id)
            start = copies.get(owner.reads_from or "")
            conversation_rows.change(connection, made.id, leaf=copies[message_id], reads_from=start)
            return conversation_rows.get(connection, made.id)

    def draft(self, identifier: str) -> str:
        """The text that was typed but not sent. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            row = conversation.c
            query = select(row.draft).where(row.id == identifier, row.deleted.is_(None))
            found = connection.execute(query).first()
            if found is None:
                raise NoSuchConversation(tr(GONE))
            return str(found.draft)

    def save_draft(self, identifier: str, text: str) -> None:
        """Replace the draft's text. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            conversation_rows.change(connection, identifier, draft=text)


class Labels:
    """A conversation's settings: its title, place in the sidebar, system prompt, sampling, and whether it may reason or
    be cached. Every method that takes an id raises NoSuchConversation; all methods raise
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


def _copied(connection: Connection, line: Sequence[Message], owner: str) -> dict[str, str]:
    """Copy a branch into the new conversation `owner`. Returns the new ids by the old ones. An open reply is copied as
    stopped.
    """
    fresh = {one.id: uuid4().hex for one in line}
    parent = None
    for one in line:
        state = "stopped" if one.state == "open" else one.state
        copied = replace(one, id=fresh[one.id], conversation=owner, parent=parent, state=state)
        parent = tree.add(connection, copied).id
    return fresh


def _first(connection: Connection, query: Select[Any]) -> Conversation | None:
    row = connection.execute(query).first()
    return None if row is None else Conversation(*row)
