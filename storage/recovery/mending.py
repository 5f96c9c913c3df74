"""Rows that were saved from a damaged library: owns that they hang together again. Which rows there are is not its own.

Of messages that are lost, an index may still know the place. They are put there as ones that could not be read, so that
what follows them stays in its chat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage.library.rows import title_from

if TYPE_CHECKING:
    import sqlite3

ENTRY: Final = ("owner", "one", "other", "number")
"""An entry of the index of messages: a conversation, then a message and its parent in either order, and its row."""
ENTRIES: Final = f"CREATE TEMP TABLE entry ({', '.join(ENTRY)})"
LOST: Final = "[This message could not be read.]"

_UNKNOWN: Final = "Rescued chat"
_OWNERS: Final = "SELECT id FROM conversation UNION SELECT conversation FROM message"
_SPOUSE: Final = "CASE role WHEN 'user' THEN 'assistant' ELSE 'user' END"


def mend(raw: sqlite3.Connection) -> int:
    """Give every message a place. How many are known of, but lost. To be called in a transaction."""
    known = _put_back(raw)
    unknown = _relink(raw)
    _give_speakers(raw)
    _give_owners(raw)
    for statement in _LOOSE_ENDS:
        raw.execute(statement)
    return known + unknown


def _put_back(raw: sqlite3.Connection) -> int:
    """Insert those that are lost where the index has them."""
    pairs = "FROM temp.entry JOIN message USING (number)"
    counts = raw.execute(f"SELECT total(message.id = one), total(message.id = other) {pairs}").fetchone()
    identifier, parent = ("one", "other") if counts[0] >= counts[1] else ("other", "one")
    return raw.execute(
        f"""INSERT OR IGNORE INTO message
            (number, id, conversation, parent, role, state, content, usage, error, model, created, ledger)
            SELECT number, {identifier}, owner, {parent}, '', 'done', ?, '', '', '', 0, '' FROM temp.entry
            WHERE {identifier} NOT IN (SELECT id FROM message) AND owner IN ({_OWNERS})""",  # noqa: S608 - our words
        (LOST,),
    ).rowcount


def _relink(raw: sqlite3.Connection) -> int:
    """Hang a message whose parent nobody knows under the one that was said before it. How many parents are unknown."""
    dangling = "parent NOT IN (SELECT id FROM message)"
    lost = int(raw.execute(f"SELECT count(DISTINCT parent) FROM message WHERE {dangling}").fetchone()[0])  # noqa: S608 - our words
    raw.execute(
        f"""UPDATE message SET parent = (
                SELECT before.id FROM message AS before
                WHERE before.conversation = message.conversation AND before.number < message.number
                ORDER BY before.number DESC LIMIT 1)
            WHERE {dangling}"""  # noqa: S608 - our words
    )
    return lost


def _give_speakers(raw: sqlite3.Connection) -> None:
    """Who said what is lost: speakers alternate."""
    below = f"SELECT {_SPOUSE} FROM message AS near WHERE near.parent = message.id AND near.role <> '' LIMIT 1"  # noqa: S608 - our words
    above = f"SELECT {_SPOUSE} FROM message AS near WHERE near.id = message.parent AND near.role <> ''"  # noqa: S608 - our words
    changed = 1
    while changed:
        changed = raw.execute(
            f"""UPDATE message SET role = coalesce(({below}), ({above}))
                WHERE role = '' AND coalesce(({below}), ({above})) IS NOT NULL"""  # noqa: S608 - our words
        ).rowcount
    raw.execute("UPDATE message SET role = 'assistant' WHERE role = ''")


def _give_owners(raw: sqlite3.Connection) -> None:
    """Make the conversations that messages or files belong to and that are lost themselves."""
    raw.execute(_FOLLOW_PARENT)
    query = """SELECT conversation FROM message UNION SELECT conversation FROM attachment
        EXCEPT SELECT id FROM conversation"""
    for (owner,) in raw.execute(query).fetchall():
        first = raw.execute(_FIRST_WORDS, (owner, LOST)).fetchone()
        begun, ended = raw.execute(_TIMES, (owner,)).fetchone()
        title = title_from(first[0]) if first else ""
        raw.execute(_ADD_OWNER, (owner, title or _UNKNOWN, begun or 0, ended or 0))


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
