"""The library's tables, and the migration steps that create them.

The steps define the file; the tables below only serve queries. A step is never edited after its release.
`message.ledger` is the last column because it is large: SQLite reads a row only up to the last column that a query
names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Integer, MetaData, Table, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from storage.migrations import Step

metadata: Final = MetaData()

conversation: Final = Table(
    "conversation",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", Text, unique=True, nullable=False),
    Column("title", Text, nullable=False),
    Column("titled", Integer, nullable=False),
    Column("system", Text, nullable=False),
    Column("preset", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("created", Integer, nullable=False),
    Column("updated", Integer, nullable=False),
    Column("leaf", Text),
    Column("draft", Text, nullable=False),
    Column("deleted", Integer),
    Column("thinking", Integer, nullable=False),
    Column("reads_from", Text),
    Column("pinned", Integer, nullable=False),
    Column("folder", Text, nullable=False),
    Column("tags", Text, nullable=False),
    Column("cached", Integer, nullable=False),
    Column("sampling", Text, nullable=False),
)
"""The search index refers to `number`. `deleted` is the time of deletion in ms; NULL: listed; negative: the mark of a
running import. `tags` has one tag a line. `sampling` is opaque JSON.
"""

message: Final = Table(
    "message",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", Text, unique=True, nullable=False),
    Column("conversation", Text, nullable=False),
    Column("parent", Text),
    Column("role", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("usage", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("created", Integer, nullable=False),
    Column("reasoning", Text, nullable=False),
    Column("tool_calls", Text, nullable=False),
    Column("thought_ms", Integer, nullable=False),
    Column("ledger", Text, nullable=False),
)

attachment: Final = Table(
    "attachment",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", Text, unique=True, nullable=False),
    Column("conversation", Text, nullable=False),
    Column("message", Text),
    Column("name", Text, nullable=False),
    Column("media", Text, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("text", Integer, nullable=False),
    Column("file", Text, nullable=False),
)
"""`message` NULL: it belongs to the draft. Several may share one `file`, which is named after what is in it."""

attachment_words: Final = Table(
    "attachment_words",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("words", Text, nullable=False),
)
"""The words of text files, by the number of the attachment."""

prompt: Final = Table(
    "prompt",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", Text, unique=True, nullable=False),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("updated", Integer, nullable=False),
)
"""The prompts that the user saved."""

litter: Final = Table("litter", metadata, Column("file", Text, primary_key=True))
"""Files that lost their last attachment and still have to be removed."""

_FIRST: Final = (
    """CREATE TABLE conversation (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, titled INTEGER NOT NULL,
        system TEXT NOT NULL, preset TEXT NOT NULL, model TEXT NOT NULL, created INTEGER NOT NULL,
        updated INTEGER NOT NULL, leaf TEXT, draft TEXT NOT NULL, deleted INTEGER)""",
    """CREATE TABLE message (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
        parent TEXT REFERENCES message (id), role TEXT NOT NULL, state TEXT NOT NULL, content TEXT NOT NULL,
        usage TEXT NOT NULL, error TEXT NOT NULL, model TEXT NOT NULL, created INTEGER NOT NULL,
        ledger TEXT NOT NULL)""",
    "CREATE INDEX conversation_listed ON conversation (deleted, updated)",
    "CREATE INDEX message_tree ON message (conversation, id, parent)",
    "CREATE INDEX message_parent ON message (parent)",
    "CREATE INDEX message_open ON message (state) WHERE state = 'open'",
    """CREATE VIRTUAL TABLE title_search USING fts5 (
        title, content = 'conversation', content_rowid = 'number', tokenize = "unicode61 remove_diacritics 2")""",
    """CREATE VIRTUAL TABLE message_search USING fts5 (
        content, content = 'message', content_rowid = 'number', tokenize = "unicode61 remove_diacritics 2")""",
    """CREATE TRIGGER title_added AFTER INSERT ON conversation BEGIN
        INSERT INTO title_search (rowid, title) VALUES (new.number, new.title); END""",
    """CREATE TRIGGER title_changed AFTER UPDATE OF title ON conversation BEGIN
        INSERT INTO title_search (title_search, rowid, title) VALUES ('delete', old.number, old.title);
        INSERT INTO title_search (rowid, title) VALUES (new.number, new.title); END""",
    """CREATE TRIGGER title_removed AFTER DELETE ON conversation BEGIN
        INSERT INTO title_search (title_search, rowid, title) VALUES ('delete', old.number, old.title); END""",
    # An open message is not indexed, because its text grows with every save. (FTS5's own rebuild would index it too.)
    """CREATE TRIGGER message_added AFTER INSERT ON message WHEN new.state <> 'open' BEGIN
        INSERT INTO message_search (rowid, content) VALUES (new.number, new.content); END""",
    """CREATE TRIGGER message_changed AFTER UPDATE OF state, content ON message BEGIN
        INSERT INTO message_search (message_search, rowid, content)
            SELECT 'delete', old.number, old.content WHERE old.state <> 'open';
        INSERT INTO message_search (rowid, content)
            SELECT new.number, new.content WHERE new.state <> 'open'; END""",
    """CREATE TRIGGER message_removed AFTER DELETE ON message WHEN old.state <> 'open' BEGIN
        INSERT INTO message_search (message_search, rowid, content) VALUES ('delete', old.number, old.content); END""",
)


_ASIDE: Final = (
    "ALTER TABLE conversation ADD COLUMN thinking INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE conversation ADD COLUMN reads_from TEXT",
    "ALTER TABLE message ADD COLUMN reasoning TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE message ADD COLUMN tool_calls TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE message ADD COLUMN thought_ms INTEGER NOT NULL DEFAULT 0",
    # SQLite adds columns only at the end, so the ledger moves into a new column to stay last.
    "ALTER TABLE message ADD COLUMN moved TEXT NOT NULL DEFAULT ''",
    "UPDATE message SET moved = ledger",
    "ALTER TABLE message DROP COLUMN ledger",
    "ALTER TABLE message RENAME COLUMN moved TO ledger",
)


_LABELS: Final = (
    "ALTER TABLE conversation ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE conversation ADD COLUMN folder TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE conversation ADD COLUMN tags TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE conversation ADD COLUMN cached INTEGER NOT NULL DEFAULT 1",
)

_ATTACHMENTS: Final = (
    """CREATE TABLE attachment (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
        message TEXT REFERENCES message (id) ON DELETE CASCADE, name TEXT NOT NULL, media TEXT NOT NULL,
        bytes INTEGER NOT NULL, text INTEGER NOT NULL, file TEXT NOT NULL)""",
    "CREATE INDEX attachment_owner ON attachment (conversation, message)",
    "CREATE INDEX attachment_message ON attachment (message)",
    "CREATE INDEX attachment_file ON attachment (file)",
    "CREATE TABLE litter (file TEXT NOT NULL PRIMARY KEY)",
    # In the transaction that removes a file's last attachment, so that no crash leaves the file behind for good.
    """CREATE TRIGGER attachment_removed AFTER DELETE ON attachment
        WHEN NOT EXISTS (SELECT 1 FROM attachment WHERE file = old.file) BEGIN
        INSERT OR IGNORE INTO litter (file) VALUES (old.file); END""",
)

_INDEXES: Final = (
    # In this order it serves queries for alternatives as well as for whole branches.
    "DROP INDEX message_tree",
    "CREATE INDEX message_tree ON message (conversation, parent, id)",
    # Search runs while the user types, so prefixes of words are indexed too.
    "DROP TABLE title_search",
    "DROP TABLE message_search",
    """CREATE VIRTUAL TABLE title_search USING fts5 (title, content = 'conversation', content_rowid = 'number',
        prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 2")""",
    """CREATE VIRTUAL TABLE message_search USING fts5 (content, content = 'message', content_rowid = 'number',
        prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 2")""",
    "INSERT INTO title_search (rowid, title) SELECT number, title FROM conversation",
    "INSERT INTO message_search (rowid, content) SELECT number, content FROM message WHERE state <> 'open'",
)


_SIGNS: Final = (
    # Indexes the signs that message_search drops. Its terms are runs of signs, each stored once for each message.
    """CREATE VIRTUAL TABLE sign_search USING fts5 (content, content = 'message', content_rowid = 'number',
        detail = none, columnsize = 0,
        tokenize = "unicode61 remove_diacritics 0 categories 'S* P* Mn Me Cf Cn Co Cs'")""",
    "CREATE VIRTUAL TABLE sign_run USING fts5vocab (sign_search, row)",
    """CREATE TRIGGER sign_added AFTER INSERT ON message WHEN new.state <> 'open' BEGIN
        INSERT INTO sign_search (rowid, content) VALUES (new.number, new.content); END""",
    """CREATE TRIGGER sign_changed AFTER UPDATE OF state, content ON message BEGIN
        INSERT INTO sign_search (sign_search, rowid, content)
            SELECT 'delete', old.number, old.content WHERE old.state <> 'open';
        INSERT INTO sign_search (rowid, content)
            SELECT new.number, new.content WHERE new.state <> 'open'; END""",
    """CREATE TRIGGER sign_removed AFTER DELETE ON message WHEN old.state <> 'open' BEGIN
        INSERT INTO sign_search (sign_search, rowid, content) VALUES ('delete', old.number, old.content); END""",
    "INSERT INTO sign_search (rowid, content) SELECT number, content FROM message WHERE state <> 'open'",
)


_PARTS: Final = (
    # Search inside words. Its terms are runs of three characters, each stored once for each message.
    """CREATE VIRTUAL TABLE part_search USING fts5 (content, content = 'message', content_rowid = 'number',
        detail = none, columnsize = 0, tokenize = "trigram")""",
    """CREATE TRIGGER part_added AFTER INSERT ON message WHEN new.state <> 'open' BEGIN
        INSERT INTO part_search (rowid, content) VALUES (new.number, new.content); END""",
    """CREATE TRIGGER part_changed AFTER UPDATE OF state, content ON message BEGIN
        INSERT INTO part_search (part_search, rowid, content)
            SELECT 'delete', old.number, old.content WHERE old.state <> 'open';
        INSERT INTO part_search (rowid, content)
            SELECT new.number, new.content WHERE new.state <> 'open'; END""",
    """CREATE TRIGGER part_removed AFTER DELETE ON message WHEN old.state <> 'open' BEGIN
        INSERT INTO part_search (part_search, rowid, content) VALUES ('delete', old.number, old.content); END""",
    "INSERT INTO part_search (rowid, content) SELECT number, content FROM message WHERE state <> 'open'",
    # The words of the library, for those that were typed with an error.
    "CREATE VIRTUAL TABLE message_word USING fts5vocab (message_search, row)",
    "CREATE VIRTUAL TABLE title_word USING fts5vocab (title_search, row)",
)

_LONGER_PREFIXES: Final = (
    # A beginning of a word that has no index of its own length costs as much as all words that begin so.
    "DROP TABLE message_word",
    "DROP TABLE message_search",
    """CREATE VIRTUAL TABLE message_search USING fts5 (content, content = 'message', content_rowid = 'number',
        prefix = '1 2 3 4', tokenize = "unicode61 remove_diacritics 2")""",
    "INSERT INTO message_search (rowid, content) SELECT number, content FROM message WHERE state <> 'open'",
    "CREATE VIRTUAL TABLE message_word USING fts5vocab (message_search, row)",
)


_ATTACHED_WORDS: Final = (
    "CREATE TABLE attachment_words (number INTEGER PRIMARY KEY, words TEXT NOT NULL)",
    """CREATE VIRTUAL TABLE attachment_search USING fts5 (words, content = 'attachment_words', content_rowid = 'number',
        prefix = '1 2 3 4', columnsize = 0, tokenize = "unicode61 remove_diacritics 2")""",
    """CREATE TRIGGER attachment_words_added AFTER INSERT ON attachment_words BEGIN
        INSERT INTO attachment_search (rowid, words) VALUES (new.number, new.words); END""",
    """CREATE TRIGGER attachment_words_removed AFTER DELETE ON attachment_words BEGIN
        INSERT INTO attachment_search (attachment_search, rowid, words)
            VALUES ('delete', old.number, old.words); END""",
    """CREATE TRIGGER attachment_gone AFTER DELETE ON attachment BEGIN
        DELETE FROM attachment_words WHERE number = old.number; END""",
)


def _first(connection: Connection) -> None:
    for statement in _FIRST:
        connection.exec_driver_sql(statement)


def _aside(connection: Connection) -> None:
    """Columns for reasoning and tool calls, and for the first message of the prompt."""
    for statement in _ASIDE:
        connection.exec_driver_sql(statement)


def _labels(connection: Connection) -> None:
    """Pins, folders, tags, attachments, and search by prefix."""
    for statement in (*_LABELS, *_ATTACHMENTS, *_INDEXES):
        connection.exec_driver_sql(statement)


def _signs(connection: Connection) -> None:
    """Search for emoji and other signs."""
    for statement in _SIGNS:
        connection.exec_driver_sql(statement)


def _sampling(connection: Connection) -> None:
    """The sampling values that a conversation sets itself."""
    connection.exec_driver_sql("ALTER TABLE conversation ADD COLUMN sampling TEXT NOT NULL DEFAULT ''")


def _parts(connection: Connection) -> None:
    """Search inside words, and for words with typing errors."""
    for statement in _PARTS:
        connection.exec_driver_sql(statement)


def _prompts(connection: Connection) -> None:
    """Saved prompts."""
    connection.exec_driver_sql("""CREATE TABLE prompt (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, text TEXT NOT NULL,
        updated INTEGER NOT NULL)""")


def _longer_prefixes(connection: Connection) -> None:
    """Search for beginnings of four letters."""
    for statement in _LONGER_PREFIXES:
        connection.exec_driver_sql(statement)


def _attached_words(connection: Connection) -> None:
    """Search in attached files. The app indexes those that are there already."""
    for statement in _ATTACHED_WORDS:
        connection.exec_driver_sql(statement)


STEPS: Final[Sequence[Step]] = (
    _first,
    _aside,
    _labels,
    _signs,
    _sampling,
    _parts,
    _prompts,
    _longer_prefixes,
    _attached_words,
)
"""The upgrades of the library's file. Its version is the number of those that it has."""
