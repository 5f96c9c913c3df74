"""The library's tables, its search indexes, and the triggers that keep both in step.

`message.ledger` is the last column because it is large: SQLite reads a row only up to the last column that a query
names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, get_args

from sqlalchemy import Column, ForeignKey, Index, Integer, MetaData, Table, text

from storage.database import Schema
from storage.library.columns import EDITS, FIELD, LABEL, LINK, NUMBER, QUEUE, SWITCH, SWITCHES, TAGS, WORDS, one_of
from storage.library.rows import MessageState, Role

if TYPE_CHECKING:
    from sqlalchemy import Connection

metadata: Final = MetaData()

conversation: Final = Table(
    "conversation",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", WORDS, unique=True, nullable=False),
    Column("title", LABEL, nullable=False),
    Column("titled", SWITCH, nullable=False),
    Column("system", FIELD, nullable=False),
    Column("preset", WORDS, nullable=False),
    Column("model", LABEL, nullable=False),
    Column("created", NUMBER, nullable=False),
    Column("updated", NUMBER, nullable=False),
    Column("leaf", LINK),
    Column("draft", WORDS, nullable=False),
    Column("queue", QUEUE, nullable=False, server_default=""),
    Column("edits", EDITS, nullable=False, server_default=""),
    Column("deleted", NUMBER),
    Column("reads_from", LINK),
    Column("pinned", SWITCH, nullable=False, server_default="0"),
    Column("folder", LABEL, nullable=False, server_default=""),
    Column("tags", TAGS, nullable=False, server_default=""),
    Column("switches", SWITCHES, nullable=False, server_default=""),
    Column("sampling", WORDS, nullable=False, server_default=""),
    Index("conversation_listed", "deleted", "updated"),
)
"""The search index refers to `number`. `deleted` is the time of deletion in ms; NULL: listed; negative: the mark of a
running import. `tags` has one tag a line. `queue`, `edits`, `switches` and `sampling` are JSON. What was not sent is in
`draft`, `queue` and `edits`, as `SavedDraft` says.
"""

message: Final = Table(
    "message",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", WORDS, unique=True, nullable=False),
    Column("conversation", WORDS, ForeignKey("conversation.id", ondelete="CASCADE"), nullable=False),
    Column("parent", LINK, ForeignKey("message.id")),
    Column("role", one_of(get_args(Role), "assistant"), nullable=False),
    Column("state", one_of(get_args(MessageState), "done"), nullable=False),
    Column("content", WORDS, nullable=False),
    Column("usage", WORDS, nullable=False),
    Column("error", LABEL, nullable=False),
    Column("model", LABEL, nullable=False),
    Column("created", NUMBER, nullable=False),
    Column("reasoning", WORDS, nullable=False, server_default=""),
    Column("tool_calls", WORDS, nullable=False, server_default=""),
    Column("thought_ms", NUMBER, nullable=False, server_default="0"),
    Column("ledger", WORDS, nullable=False, server_default=""),
    Index("message_tree", "conversation", "parent", "id"),
    Index("message_parent", "parent"),
    Index("message_open", "state", sqlite_where=text("state = 'open'")),
)
"""In this order, `message_tree` serves queries for alternatives as well as for whole branches."""

attachment: Final = Table(
    "attachment",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", WORDS, unique=True, nullable=False),
    Column("conversation", WORDS, ForeignKey("conversation.id", ondelete="CASCADE"), nullable=False),
    Column("message", LINK, ForeignKey("message.id", ondelete="CASCADE")),
    Column("name", LABEL, nullable=False),
    Column("media", WORDS, nullable=False),
    Column("bytes", NUMBER, nullable=False),
    Column("text", SWITCH, nullable=False),
    Column("file", WORDS, nullable=False),
    Index("attachment_owner", "conversation", "message"),
    Index("attachment_message", "message"),
    Index("attachment_file", "file"),
)
"""`message` NULL: it belongs to the draft. Several may share one `file`, which is named after what is in it."""

attachment_words: Final = Table(
    "attachment_words",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("words", WORDS, nullable=False),
)
"""The searchable words of text files, by the number of the attachment."""

prompt: Final = Table(
    "prompt",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", WORDS, unique=True, nullable=False),
    Column("name", LABEL, nullable=False),
    Column("text", FIELD, nullable=False),
    Column("updated", NUMBER, nullable=False),
)
"""The prompts that the user saved."""

litter: Final = Table("litter", metadata, Column("file", WORDS, primary_key=True))
"""Files whose last attachment was erased, and that still have to be removed."""

_SEARCH: Final = (
    # Search runs while the user types, so beginnings of words are indexed too. A beginning that has no index of its own
    # length costs as much as all words that begin so.
    """CREATE VIRTUAL TABLE title_search USING fts5 (title, content = '', prefix = '1 2 3',
        tokenize = "unicode61 remove_diacritics 2")""",
    """CREATE VIRTUAL TABLE message_search USING fts5 (content, content = '', prefix = '1 2 3 4',
        tokenize = "unicode61 remove_diacritics 2")""",
    """CREATE VIRTUAL TABLE attachment_search USING fts5 (words, content = 'attachment_words', content_rowid = 'number',
        prefix = '1 2 3 4', columnsize = 0, tokenize = "unicode61 remove_diacritics 2")""",
    # The signs that message_search drops. Its terms are runs of signs, each stored once for each message.
    """CREATE VIRTUAL TABLE sign_search USING fts5 (content, content = '', detail = none, columnsize = 0,
        tokenize = "unicode61 remove_diacritics 0 categories 'S* P* Mn Me Cf Cn Co Cs'")""",
    # Search inside words. Its terms are runs of three characters, each stored once for each message.
    """CREATE VIRTUAL TABLE part_search USING fts5 (content, content = '', detail = none, columnsize = 0,
        tokenize = "trigram")""",
    "CREATE VIRTUAL TABLE sign_run USING fts5vocab (sign_search, row)",
    # The words of the library, for those that were typed with an error.
    "CREATE VIRTUAL TABLE message_word USING fts5vocab (message_search, row)",
    "CREATE VIRTUAL TABLE title_word USING fts5vocab (title_search, row)",
)

_TRIGGERS: Final = (
    """CREATE TRIGGER title_added AFTER INSERT ON conversation BEGIN
        INSERT INTO title_search (rowid, title) VALUES (new.number, searchable(CAST(new.title AS BLOB))); END""",
    """CREATE TRIGGER title_changed AFTER UPDATE OF title ON conversation BEGIN
        INSERT INTO title_search (title_search, rowid, title)
            VALUES ('delete', old.number, searchable(CAST(old.title AS BLOB)));
        INSERT INTO title_search (rowid, title) VALUES (new.number, searchable(CAST(new.title AS BLOB))); END""",
    """CREATE TRIGGER title_removed AFTER DELETE ON conversation BEGIN
        INSERT INTO title_search (title_search, rowid, title)
            VALUES ('delete', old.number, searchable(CAST(old.title AS BLOB))); END""",
    """CREATE TRIGGER attachment_words_added AFTER INSERT ON attachment_words BEGIN
        INSERT INTO attachment_search (rowid, words) VALUES (new.number, new.words); END""",
    """CREATE TRIGGER attachment_words_removed AFTER DELETE ON attachment_words BEGIN
        INSERT INTO attachment_search (attachment_search, rowid, words)
            VALUES ('delete', old.number, old.words); END""",
    """CREATE TRIGGER attachment_gone AFTER DELETE ON attachment BEGIN
        DELETE FROM attachment_words WHERE number = old.number; END""",
    # In the transaction that removes a file's last attachment, so that no crash leaves the file behind for good.
    """CREATE TRIGGER attachment_removed AFTER DELETE ON attachment
        WHEN NOT EXISTS (SELECT 1 FROM attachment WHERE file = old.file) BEGIN
        INSERT OR IGNORE INTO litter (file) VALUES (old.file); END""",
)

_OF_MESSAGES: Final = ("message", "sign", "part")
_MESSAGE_TRIGGERS: Final = (
    # An open message is not indexed, because its text grows with every save.
    """CREATE TRIGGER {0}_added AFTER INSERT ON message WHEN new.state <> 'open' BEGIN
        INSERT INTO {0}_search (rowid, content) VALUES (new.number, searchable(CAST(new.content AS BLOB))); END""",
    """CREATE TRIGGER {0}_changed AFTER UPDATE OF state, content ON message BEGIN
        INSERT INTO {0}_search ({0}_search, rowid, content)
            SELECT 'delete', old.number, searchable(CAST(old.content AS BLOB)) WHERE old.state <> 'open';
        INSERT INTO {0}_search (rowid, content)
            SELECT new.number, searchable(CAST(new.content AS BLOB)) WHERE new.state <> 'open'; END""",
    """CREATE TRIGGER {0}_removed AFTER DELETE ON message WHEN old.state <> 'open' BEGIN
        INSERT INTO {0}_search ({0}_search, rowid, content)
            VALUES ('delete', old.number, searchable(CAST(old.content AS BLOB))); END""",
)

_REINDEX: Final = (
    "INSERT INTO title_search (title_search) VALUES ('delete-all')",
    "INSERT INTO title_search (rowid, title) SELECT number, searchable(CAST(title AS BLOB)) FROM conversation",
    "INSERT INTO attachment_search (attachment_search) VALUES ('rebuild')",
    *(f"INSERT INTO {index}_search ({index}_search) VALUES ('delete-all')" for index in _OF_MESSAGES),  # noqa: S608 - our names
    *(
        f"""INSERT INTO {index}_search (rowid, content)
        SELECT number, searchable(CAST(content AS BLOB)) FROM message WHERE state <> 'open'"""  # noqa: S608 - our names
        for index in _OF_MESSAGES
    ),
)


def reindex(execute: Callable[[str], object]) -> None:
    """Fill the search indexes from the rows. `execute` runs a statement."""
    for statement in _REINDEX:
        execute(statement)


def _create(connection: Connection) -> None:
    metadata.create_all(connection, checkfirst=False)
    of_messages = (trigger.format(index) for index in _OF_MESSAGES for trigger in _MESSAGE_TRIGGERS)
    for statement in (*_SEARCH, *_TRIGGERS, *of_messages):
        connection.exec_driver_sql(statement)


def _shorten_index(connection: Connection) -> None:
    """The indexes of version 12 hold the whole data of pictures."""
    reindex(connection.exec_driver_sql)


SCHEMA: Final = Schema(12, (_create, _shorten_index))
