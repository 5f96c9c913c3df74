"""Search: owns how what a user types becomes a condition on conversations; listing them is left to `conversations`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Integer, func, literal_column, or_, select, text

from storage.library.schema import conversation, message

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement


def matches(words: str) -> ColumnElement[bool]:
    """Conversations whose title, or one of whose messages on any branch, holds all of `words`, the last one begun.

    What has no letter or digit (emoji, signs) is not in the index and is looked for as it stands.
    """
    terms = [term for term in words.split() if any(map(str.isalnum, term))]
    return _indexed(_expression(terms)) if terms else _verbatim(words.strip())


def _expression(terms: list[str]) -> str:
    """Every term as a quoted string, so that no sign in it is taken for an operator."""
    return " ".join('"' + term.replace('"', '""').replace("\0", "") + '"' for term in terms) + "*"


def _indexed(expression: str) -> ColumnElement[bool]:
    titles = select(literal_column("rowid", Integer)).select_from(text("title_search"))
    hits = select(literal_column("rowid", Integer)).select_from(text("message_search"))
    spoken = select(message.c.conversation).where(
        message.c.number.in_(hits.where(text("message_search MATCH :expression").bindparams(expression=expression)))
    )
    return or_(
        conversation.c.number.in_(titles.where(text("title_search MATCH :title").bindparams(title=expression))),
        conversation.c.id.in_(spoken),
    )


def _verbatim(sign: str) -> ColumnElement[bool]:
    spoken = select(message.c.conversation).where(func.instr(message.c.content, sign) > 0)
    return or_(func.instr(conversation.c.title, sign) > 0, conversation.c.id.in_(spoken))
