"""A clock under the test's control, and a conversation in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from storage.database import Database
from storage.library.archive import Archive
from storage.library.archive_import import ArchiveImport
from storage.library.library import Library
from storage.library.rows import Attachment, ClosedState, Message


class Clock:
    """A clock that advances one second with every look, and more on demand."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        self.now += 1000
        return self.now


def say(library: Library, conversation: str, text: str, answer: str) -> str:
    turn = library.messages.begin_turn(conversation, text, "model")
    return end(library, turn.reply, answer).id


def end(  # noqa: PLR0913 - the columns of a row
    library: Library,
    reply: Message,
    content: str,
    state: ClosedState = "done",
    *,
    ledger: str = "",
    usage: str = "",
    error: str = "",
) -> Message:
    """End an open reply."""
    return library.messages.end(replace(reply, content=content, state=state, ledger=ledger, usage=usage, error=error))


def save(library: Library, reply: Message, content: str) -> None:
    """Save the text so far of an open reply."""
    library.messages.save_progress(replace(reply, content=content))


def texts(library: Library, conversation: str) -> list[str]:
    return [message.content for message in library.messages.branch(conversation)]


def rot(path: Path) -> None:
    """Damage all pages of a database behind the second."""
    path.write_bytes(path.read_bytes()[:8192].ljust(path.stat().st_size, b"\xa5"))


def attach(library: Library, conversation: str, path: Path) -> Attachment:
    return library.attachments.add(conversation, path.name, path.read_bytes())


def import_all(library: Library, archive: Archive) -> tuple[str, ...]:
    """Add all conversations of an archive, also those that are here already."""
    running = ArchiveImport(archive, again=True)
    while not library.transfer.import_next(running):
        pass
    return running.ids


def alternatives(library: Library, message: str) -> list[str]:
    """The ids of the messages with the same parent, this one included."""
    parents = {one.id: one.parent for chat in library.transfer.export().conversations for one in chat.messages}
    return [one for one, parent in parents.items() if parent == parents[message]]


def write(database: Database, chats: Mapping[str, Sequence[str]], ledger: str) -> None:
    """Write the rows of conversations whose messages begin with the user's. Many of them take no time: an open message
    is in no search index. The ids of the messages are that of their chat with a number, from 0.
    """
    with database.transaction() as connection:
        for chat, said in chats.items():
            connection.exec_driver_sql(
                "INSERT INTO conversation (id, title, titled, system, preset, model, created, updated, leaf, draft)"
                " VALUES (?, ?, 0, '', 'balanced', '', 1, 1, ?, '')",
                (chat, chat, f"{chat}{len(said) - 1}"),
            )
            for number, words in enumerate(said):
                parent, role = f"{chat}{number - 1}" if number else None, "assistant" if number % 2 else "user"
                connection.exec_driver_sql(
                    "INSERT INTO message (id, conversation, parent, role, state, content, usage, error, model, created,"
                    " ledger) VALUES (?, ?, ?, ?, 'open', ?, '', '', '', 1, ?)",
                    (f"{chat}{number}", chat, parent, role, words, ledger),
                )
