"""Conversations: their rows, creating, listing and finding them, the draft of each, and its settings.

The functions run inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import msgspec
from sqlalchemy import case, func, insert, select, update

from resources.language.text import mark, tr
from storage.database import Database
from storage.errors import NoSuchConversation, NoSuchMessage, SeveralConversations
from storage.library import tree
from storage.library.columns import EXCERPT, label, storable
from storage.library.rows import (
    NO_DRAFT,
    USUAL_SWITCHES,
    Conversation,
    ConversationData,
    QueuedText,
    SavedDraft,
    Summary,
    Switches,
)
from storage.library.schema import attachment, conversation, message

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, FromClause, Select

_WORDS_READ: Final = 200
"""Characters of a message that a snippet is made of."""

GONE: Final = mark("This conversation no longer exists.")

_FIELDS: Final = [conversation.c[one.name] for one in fields(Conversation)]


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
            query = summaries(row.updated).where(row.deleted.is_(None))
            ordered = query.order_by(row.pinned.desc(), row.updated.desc(), row.number.desc())
            return tuple(map(summary, connection.execute(ordered)))

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
        sampling: str = "",
        switches: Switches = USUAL_SWITCHES,
    ) -> Conversation:
        """Add a conversation. If `title` is given, no message replaces it."""
        now = self._clock()
        made = ConversationData(title, titled=bool(title), created=now, updated=now, system=system, preset=preset)
        with self._database.transaction() as connection:
            return add(connection, replace(made, model=model, sampling=sampling, switches=switches))

    def get(self, identifier: str) -> Conversation:
        """The conversation of this id. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            return get(connection, identifier)

    def find(self, title: str) -> Conversation | None:
        """The conversation with exactly this title. Raises SeveralConversations: an imported one has any title."""
        with self._database.transaction() as connection:
            return _by_title(connection, title)

    def find_or_create(self, title: str, system: str, model: str) -> Conversation:
        """The conversation with exactly this title, or else a new one. Raises SeveralConversations."""
        now = self._clock()
        made = ConversationData(title, created=now, updated=now, system=system, model=model)
        with self._database.transaction() as connection:
            return _by_title(connection, title) or add(connection, made)

    def untouched(
        self, system: str = "", preset: str = "balanced", sampling: str = "", only: str = ""
    ) -> Conversation | None:
        """The newest conversation without a message, a draft, a label or other settings than these. With `only`, that
        one or none. It may think or not.
        """
        with self._database.transaction() as connection:
            row = conversation.c
            texts = (row.title, row.draft, row.queue, row.edits, row.folder, row.tags)
            blank = (column == "" for column in texts)
            begun = (row.system == storable(system), row.preset == storable(preset), row.sampling == storable(sampling))
            plain = (row.leaf.is_(None), row.deleted.is_(None), row.titled == 0, row.pinned == 0)
            files = select(attachment.c.number).where(attachment.c.conversation == row.id).exists()
            query = select(*_FIELDS).where(*blank, *begun, *plain, ~files).order_by(row.number.desc())
            rows = connection.execute(query.where(row.id == only) if only else query)
            found = (Conversation(**row._asdict()) for row in rows)
            return next((one for one in found if one.switches == Switches(thinking=one.switches.thinking)), None)

    def draft(self, identifier: str) -> SavedDraft:
        """What was written but not sent, also in a deleted conversation. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            row = conversation.c
            found = connection.execute(select(row.draft, row.queue, row.edits).where(row.id == identifier)).first()
            if found is None:
                raise NoSuchConversation(tr(GONE))
            return SavedDraft(*found)

    def save_draft(self, identifier: str, draft: SavedDraft) -> None:
        """Replace the draft, also that of a deleted conversation, whose words may be saved late."""
        with self._database.transaction() as connection:
            change_any(connection, identifier, **draft_columns(draft))


class Labels:
    """A conversation's settings: its title, place in the sidebar, system prompt, sampling and switches. Every method
    that takes an id raises NoSuchConversation; all methods raise EnvironmentProblem and DamagedDatabase.
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
            owner = get(connection, identifier)
            if owner.titled or owner.title != before:
                return False
            change(connection, identifier, title=title)
        return True

    def set_preset(self, identifier: str, preset: str, sampling: str = "") -> None:
        """Set the name of the sampling preset, and the values beside it that the conversation sets itself."""
        self._change(identifier, preset=preset, sampling=sampling)

    def set_system(self, identifier: str, system: str) -> None:
        """Set the system prompt; empty: that of the model. Those of a deleted conversation may be saved late."""
        with self._database.transaction() as connection:
            change_any(connection, identifier, system=system)

    def set_model(self, identifier: str, model: str) -> None:
        """Set the model that answers the conversation, given by its folder."""
        self._change(identifier, model=model)

    def switch(self, identifier: str, **switches: bool) -> None:
        """Set these of the conversation's `Switches`."""
        with self._database.transaction() as connection:
            now = get(connection, identifier).switches
            change(connection, identifier, switches=msgspec.structs.replace(now, **switches))

    def set_pinned(self, *identifiers: str, pinned: bool) -> None:
        """Set whether these conversations are listed above all others. Changes all or none."""
        self._change(*identifiers, pinned=pinned)

    def set_folder(self, *identifiers: str, folder: str) -> None:
        """Move these conversations to a folder, "" for none. Moves all or none."""
        self._change(*identifiers, folder=" ".join(folder.split()))

    def set_tags(self, identifier: str, tags: Iterable[str]) -> None:
        """Replace all tags. Tags that differ only in case count as one."""
        self._change(identifier, tags=tags)

    def read_from(self, identifier: str, message_id: str | None) -> None:
        """Set the first message of the prompt (None: the branch's first). Raises NoSuchMessage."""
        with self._database.transaction() as connection:
            if message_id is not None and not tree.exists(connection, identifier, message_id):
                raise NoSuchMessage(tr("This message is no longer part of the chat."))
            change(connection, identifier, reads_from=message_id)

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

    def _change(self, *identifiers: str, **values: object) -> None:
        with self._database.transaction() as connection:
            for identifier in identifiers:
                change(connection, identifier, **values)


def by_number(connection: Connection, numbers: Collection[int]) -> dict[int, Summary]:
    """The conversations with these row numbers, by row number."""
    query = summaries(conversation.c.updated).add_columns(conversation.c.number)
    rows = connection.execute(query.where(conversation.c.number.in_(numbers)))
    return {number: summary(values) for *values, number in rows}


def summary(values: Sequence[Any]) -> Summary:
    """A row of `summaries`."""
    *labels, typed, queue, edits, files, instructions = values
    draft = NO_DRAFT
    if typed or queue or edits:
        draft = SavedDraft(typed, tuple(QueuedText(one.text[:_WORDS_READ], one.files) for one in queue), edits)
    return Summary(*(*labels, draft, files, instructions))


def summaries(moment: ColumnElement[int]) -> Select[Any]:
    """A query for the summaries of all conversations, with `moment` as the time of each. The window could not name one
    whose id is empty, as another program may have written it.
    """
    row, leaf, before = conversation.c, message.alias("leaf"), message.alias("before")
    said = case((leaf.c.content != "", leaf.c.content), (before.c.content != "", before.c.content), else_=_names(leaf))
    words = func.substr(said, 1, _WORDS_READ, type_=EXCERPT)
    joined = conversation.outerjoin(leaf, leaf.c.id == row.leaf).outerjoin(before, before.c.id == leaf.c.parent)
    draft, system = (func.substr(one, 1, _WORDS_READ, type_=EXCERPT) for one in (row.draft, row.system))
    labels = (row.pinned, row.folder, row.tags, row.switches)
    unsent = (draft, row.queue, row.edits, _draft_files())
    query = select(row.id, row.title, words, moment, *labels, *unsent, system).select_from(joined)
    return query.where(func.length(row.id) > 0)


def _names(leaf: FromClause) -> ColumnElement[str]:
    """The names of the files of the newest messages, which have no text."""
    named = select(func.group_concat(attachment.c.name, ", "))
    return named.where(attachment.c.message.in_((leaf.c.id, leaf.c.parent))).correlate(leaf).scalar_subquery()


def _draft_files() -> ColumnElement[int]:
    """How many files the draft of each conversation has."""
    of_draft = (attachment.c.conversation == conversation.c.id, attachment.c.message.is_(None))
    counted = select(func.count()).select_from(attachment).where(*of_draft)
    return counted.correlate(conversation).scalar_subquery()


def columns(made: ConversationData) -> dict[str, Any]:
    """The columns of a new conversation with these values, under a new id."""
    values = {one.name: getattr(made, one.name) for one in fields(ConversationData)}
    return values | {"id": uuid4().hex, "draft": "", "deleted": None}


def draft_columns(draft: SavedDraft) -> dict[str, Any]:
    """The columns that hold a draft."""
    return {"draft": draft.typed, "queue": draft.queue, "edits": draft.edits}


def add(connection: Connection, made: ConversationData) -> Conversation:
    """Insert a conversation under a new id. Returns it with that id."""
    values = columns(made)
    connection.execute(insert(conversation).values(values))
    return get(connection, values["id"])


def _by_title(connection: Connection, title: str) -> Conversation | None:
    """The conversation with exactly this title, as it is stored. Raises SeveralConversations."""
    row = conversation.c
    query = select(*_FIELDS).where(row.title == label(title), row.deleted.is_(None)).limit(2)
    found = connection.execute(query).all()
    if len(found) > 1:
        raise SeveralConversations(tr("Several conversations are called “{title}”; rename all but one.", title=title))
    return Conversation(**found[0]._asdict()) if found else None


def get(connection: Connection, identifier: str) -> Conversation:
    """The conversation of this id. Raises NoSuchConversation, also if it is deleted."""
    query = select(*_FIELDS).where(conversation.c.id == identifier, conversation.c.deleted.is_(None))
    row = connection.execute(query).first()
    if row is None:
        raise NoSuchConversation(tr(GONE))
    return Conversation(**row._asdict())


def require(connection: Connection, identifier: str) -> None:
    """Raise NoSuchConversation unless a conversation has this id, deleted or not."""
    if connection.execute(select(conversation.c.id).where(conversation.c.id == identifier)).first() is None:
        raise NoSuchConversation(tr(GONE))


def latest(connection: Connection, now: int) -> int:
    """The time `now`, or the newest time in the library if that is later: the clock may have been set back."""
    row = conversation.c
    moments = connection.execute(select(func.max(row.updated), func.max(row.deleted))).one()
    return max(now, *(moment or 0 for moment in moments))


def change(connection: Connection, identifier: str, **values: object) -> None:
    """Set columns of a listed conversation. Raises NoSuchConversation."""
    query = update(conversation).where(conversation.c.id == identifier, conversation.c.deleted.is_(None))
    if not connection.execute(query.values(values)).rowcount:
        raise NoSuchConversation(tr(GONE))


def change_any(connection: Connection, identifier: str, **values: object) -> None:
    """Set columns of a conversation even if it is deleted: its last reply may still be ending."""
    connection.execute(update(conversation).where(conversation.c.id == identifier).values(values))


def set_leaf(connection: Connection, identifier: str, leaf: str | None) -> None:
    """End the active branch at `leaf`. If no message is left, also clear a title that the user did not give."""
    row = conversation.c
    change_any(connection, identifier, leaf=leaf)
    if leaf is None:
        connection.execute(update(conversation).where(row.id == identifier, row.titled == 0).values(title=""))


def leaf_of(connection: Connection, identifier: str) -> str | None:
    """The stored leaf, also of a deleted conversation."""
    query = select(conversation.c.leaf).where(conversation.c.id == identifier)
    return connection.execute(query).scalar()
