"""Repairs orphans among rescued rows: messages without a parent, a role or a conversation.

If an index still knows a lost message, a placeholder takes its place, so that the messages below it stay in their
conversation. SQLite's own recovery restores rows, but does not know these relations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from resources.language.text import mark, tr
from storage.library.rows import title_from

if TYPE_CHECKING:
    import sqlite3

ENTRY: Final = ("owner", "one", "other", "number")
"""An entry of the index of messages: the conversation, the message and its parent in either order, the row number."""
ENTRIES: Final = f"CREATE TEMP TABLE entry ({', '.join(ENTRY)})"
LOST: Final = "[This message could not be read.]"

_UNKNOWN: Final = mark("Rescued chat")
_KNOWN_CONVERSATIONS: Final = "SELECT id FROM conversation UNION SELECT conversation FROM message"
_OTHER_ROLE: Final = "CASE role WHEN 'user' THEN 'assistant' ELSE 'user' END"


def repair_orphans(raw: sqlite3.Connection) -> int:
    """Give every message a parent, a role and a conversation that exist. Returns how many messages are known but lost.

    Call it inside a transaction.
    """
    known = _insert_placeholders(raw)
    unknown = _relink(raw)
    _set_roles(raw)
    _add_conversations(raw)
    for statement in _LOOSE_ENDS:
        raw.execute(statement)
    return known + unknown


def _insert_placeholders(raw: sqlite3.Connection) -> int:
    """Insert a placeholder for each message that only the index still knows. Returns their number."""
    pairs = "FROM temp.entry JOIN message USING (number)"
    counts = raw.execute(f"SELECT total(message.id = one), total(message.id = other) {pairs}").fetchone()
    identifier, parent = ("one", "other") if counts[0] >= counts[1] else ("other", "one")
    return raw.execute(
        f"""INSERT OR IGNORE INTO message
            (number, id, conversation, parent, role, state, content, usage, error, model, created, ledger)
            SELECT number, {identifier}, owner, {parent}, '', 'done', ?, '', '', '', 0, '' FROM temp.entry
            WHERE {identifier} NOT IN (SELECT id FROM message) AND owner IN ({_KNOWN_CONVERSATIONS})""",  # noqa: S608 - our own SQL
        (LOST,),
    ).rowcount


def _relink(raw: sqlite3.Connection) -> int:
    """Attach a message with an unknown parent to the message before it. Returns the number of unknown parents."""
    dangling = "parent NOT IN (SELECT id FROM message)"
    lost = int(raw.execute(f"SELECT count(DISTINCT parent) FROM message WHERE {dangling}").fetchone()[0])  # noqa: S608 - our own SQL
    raw.execute(
        f"""UPDATE message SET parent = (
                SELECT before.id FROM message AS before
                WHERE before.conversation = message.conversation AND before.number < message.number
                ORDER BY before.number DESC LIMIT 1)
            WHERE {dangling}"""  # noqa: S608 - our own SQL
    )
    return lost


def _set_roles(raw: sqlite3.Connection) -> None:
    """Set lost roles: user and assistant alternate."""
    below = f"SELECT {_OTHER_ROLE} FROM message AS near WHERE near.parent = message.id AND near.role <> '' LIMIT 1"  # noqa: S608 - our own SQL
    above = f"SELECT {_OTHER_ROLE} FROM message AS near WHERE near.id = message.parent AND near.role <> ''"  # noqa: S608 - our own SQL
    changed = 1
    while changed:
        changed = raw.execute(
            f"""UPDATE message SET role = coalesce(({below}), ({above}))
                WHERE role = '' AND coalesce(({below}), ({above})) IS NOT NULL"""  # noqa: S608 - our own SQL
        ).rowcount
    raw.execute("UPDATE message SET role = 'assistant' WHERE role = ''")


def _add_conversations(raw: sqlite3.Connection) -> None:
    """Add the lost conversations of messages and files."""
    raw.execute(_FOLLOW_PARENT)
    query = """SELECT conversation FROM message UNION SELECT conversation FROM attachment
        EXCEPT SELECT id FROM conversation"""
    for (owner,) in raw.execute(query).fetchall():
        first = raw.execute(_FIRST_WORDS, (owner, LOST)).fetchone()
        begun, ended = raw.execute(_TIMES, (owner,)).fetchone()
        title = title_from(first[0]) if first else ""
        raw.execute(_ADD_OWNER, (owner, title or tr(_UNKNOWN), begun or 0, ended or 0))


_FOLLOW_PARENT: Final = """UPDATE message SET conversation = (
        SELECT above.conversation FROM message AS above WHERE above.id = message.parent)
    WHERE conversation NOT IN (SELECT id FROM conversation) AND parent IN (
        SELECT above.id FROM message AS above JOIN conversation ON conversation.id = above.conversation)"""

_FIRST_WORDS: Final = """SELECT content FROM message
    WHERE conversation = ? AND role = 'user' AND content <> ? ORDER BY number LIMIT 1"""

_TIMES: Final = "SELECT min(nullif(created, 0)), max(created) FROM message WHERE conversation = ?"

_ADD_OWNER: Final = """INSERT INTO conversation (id, title, titled, system, preset, model, created, updated, draft)
    VALUES (?, ?, 0, '', 'balanced', '', ?, ?, '')"""

_LOOSE_ENDS: Final = (
    """UPDATE message SET created = (SELECT created FROM conversation WHERE id = message.conversation)
        WHERE created = 0""",
    "UPDATE conversation SET leaf = NULL WHERE leaf NOT IN (SELECT id FROM message)",
    "UPDATE conversation SET reads_from = NULL WHERE reads_from NOT IN (SELECT id FROM message)",
    "UPDATE attachment SET message = NULL WHERE message NOT IN (SELECT id FROM message)",
)
