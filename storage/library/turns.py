"""Removing one turn from the middle of a conversation, and putting it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from resources.language.text import tr
from storage.database import Database
from storage.errors import MessageOpen
from storage.library import attachments, conversations, tree
from storage.library.files import Files
from storage.library.rows import Conversation
from storage.library.schema import attachment, message

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

_Rows = tuple["Mapping[str, Any]", ...]


@dataclass(frozen=True, slots=True)
class RemovedTurn:
    """Everything that brings a removed turn back. `parents` are the former parents of the messages that followed it."""

    before: Conversation
    messages: _Rows
    attachments: _Rows
    contents: Mapping[str, bytes]
    parents: Mapping[str, str]


class Turns:
    """The turns of all conversations. A turn is a question of the user with all answers to it. All methods raise
    EnvironmentProblem and DamagedDatabase besides what they name.
    """

    def __init__(self, database: Database, files: Files) -> None:
        self._database = database
        self._files = files

    def remove(self, conversation: str, message_id: str) -> RemovedTurn:
        """Remove the turn that this message belongs to. The questions that follow its answers, on any branch, follow
        what stood before it. Raises NoSuchConversation, NoSuchMessage, and MessageOpen while an answer is written.
        """
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            line = tree.above(connection, owner.id, tree.get_of(connection, owner.id, message_id).id)
            first = next((one for one in reversed(line) if one.role == "user"), line[0])
            links = _links(connection, owner.id)
            gone, following = _turn(links, first.id)
            removed = self._removed(connection, owner, gone, {one: links[one][0] or "" for one in following})
            if any(row["state"] == "open" for row in removed.messages):
                raise MessageOpen(tr("Stop the answer first, or wait for its end."))
            above = links[gone[0]][0]
            _hang(connection, following, above)
            for identifier in reversed(gone):
                tree.remove(connection, identifier)
            attachments.spare(connection, self._files, (row["file"] for row in removed.attachments))
            _read_on(connection, owner, gone, following, above)
        return removed

    def restore(self, removed: RemovedTurn) -> None:
        """Put a turn back where it was. What was changed of the chat since stays. Raises NoSuchConversation."""
        owner = removed.before
        with self._database.transaction() as connection:
            now = conversations.get(connection, owner.id)
            is_here = owner.reads_from in {row["id"] for row in removed.messages}
            reads_from = owner.reads_from if is_here else now.reads_from
            conversations.change(connection, owner.id, title=now.title or owner.title, reads_from=reads_from)
            for row in _numbered(connection, message, removed.messages):
                parent = row["parent"] if tree.exists(connection, owner.id, row["parent"]) else None
                connection.execute(insert(message).values(row | {"parent": parent}))
            for one, parent in removed.parents.items():
                _hang(connection, (one,), parent)
            for file, content in removed.contents.items():
                self._files.keep(file, content)
            for row in _numbered(connection, attachment, removed.attachments):
                connection.execute(insert(attachment).values(row))
            attachments.index_files(connection, self._files)
            conversations.set_leaf(connection, owner.id, tree.branch_end(connection, owner.id, owner.leaf))

    def _removed(
        self, connection: Connection, owner: Conversation, gone: list[str], parents: Mapping[str, str]
    ) -> RemovedTurn:
        messages = select(message).where(message.c.id.in_(gone)).order_by(message.c.number)
        attached = select(attachment).where(attachment.c.message.in_(gone)).order_by(attachment.c.number)
        files = tuple(dict(row) for row in connection.execute(attached).mappings())
        contents = {file: self._files.read(file) for file in {row["file"] for row in files}}
        kept = {file: content for file, content in contents.items() if content is not None}
        rows = tuple(dict(row) for row in connection.execute(messages).mappings())
        return RemovedTurn(owner, rows, files, kept, parents)


def _numbered(connection: Connection, table: Table, rows: _Rows) -> Iterator[dict[str, Any]]:
    """The removed rows, to be inserted one by one. If another row has the number of one by now, that one and those
    after it get new numbers: SQLite gives the last number again once its row is gone.
    """
    is_free = True
    for row in rows:
        query = select(table.c.number).where(table.c.number == row["number"])
        is_free = is_free and connection.execute(query).first() is None
        yield {name: value for name, value in row.items() if is_free or name != "number"}


def _links(connection: Connection, owner: str) -> dict[str, tuple[str | None, str]]:
    """The parent and the role of each message, oldest first."""
    query = select(message.c.id, message.c.parent, message.c.role).where(message.c.conversation == owner)
    return {row.id: (row.parent, row.role) for row in connection.execute(query.order_by(message.c.number))}


def _turn(links: Mapping[str, tuple[str | None, str]], first: str) -> tuple[list[str], list[str]]:
    """The messages of the turn that begins with `first`, parents first, and the questions that follow them."""
    below: dict[str | None, list[str]] = {}
    for identifier, (parent, _) in links.items():
        below.setdefault(parent, []).append(identifier)
    gone, following = [first], list[str]()
    for identifier in gone:
        for one in below.get(identifier, ()):
            (following if links[one][1] == "user" else gone).append(one)
    return gone, following


def _hang(connection: Connection, identifiers: Iterable[str], parent: str | None) -> None:
    query = update(message).where(message.c.id.in_(list(identifiers)))
    connection.execute(query.values(parent=parent))


def _read_on(
    connection: Connection, owner: Conversation, gone: list[str], following: list[str], above: str | None
) -> None:
    """End the active branch and begin the model's context at messages that are still there."""
    leaf = owner.leaf
    if leaf is None or leaf in gone:
        after = following[-1] if following else above
        leaf = tree.branch_end(connection, owner.id, tree.newest_leaf(connection, after) if after else None)
        conversations.set_leaf(connection, owner.id, leaf)
    if owner.reads_from in gone:
        line = tree.path(connection, owner.id, leaf)[::-1]
        first = next((one for one in line if one in following), None)
        conversations.change(connection, owner.id, reads_from=first)
