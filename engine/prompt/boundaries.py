"""Places to return to that no ledger tells: the history form of the last reply, and the ends of earlier user turns.

Owns where they are in a text. Pure but for the template's renderings; tokens are the prompt's, and when a history form
is read ahead is left to `engine.turn.read_ahead`.

A key covers the bounds before it, so a place must be found again, at the same characters, by every later prompt: it is
a function of the text before it alone, and the next ledger entry remembers it.
"""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.cache.keys import text_digests
from engine.prompt.layout import stands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.prompt.chat_template import Asked, ChatTemplate
    from engine.prompt.layout import Reply
    from engine.protocol.messages import ChatMessage

_DENSE_TURNS = 4
_SPARSE_CHARS = 8_000
"""Of a stretch without ledgers, every turn at first, then one in so many characters: each may cost a whole state."""


def today() -> str:
    """The user's day, in ISO form."""
    return date.today().isoformat()  # noqa: DTZ011 # the user's own day


def finished(messages: Sequence[ChatMessage]) -> int:
    """How many messages there are up to the last reply that a user has followed; 0: none."""
    return max(
        (i for i, (a, b) in enumerate(pairwise(messages), 1) if (a.role, b.role) == ("assistant", "user")), default=0
    )


def settled_chars(template: ChatTemplate, asked: Asked, text: str, own: Mapping[int, Reply], day: str) -> int:
    """The end in `text`, a prompt, of the history form of the last finished reply; 0 where it stands as it was said,
    and where `text` does not begin as expected. `own` are the ledger's entries by the index of their message.
    """
    count = finished(asked.messages)
    reply = own.get(count - 1)
    if not count or (reply and stands(text, reply)):
        return 0
    common, end = template.settled(asked, asked.messages[:count], day)
    return end if text.startswith(common[:end]) else 0


def turn_ends(
    template: ChatTemplate, text: str, messages: Sequence[ChatMessage], own: Mapping[int, Reply]
) -> tuple[int, ...]:
    """The ends of user turns in `text` after the last one that a ledger tells, found by what the template writes after
    a user's text.
    """
    digests = text_digests(text, [reply.turn_chars for reply in own.values()])
    told = [i for i, reply in own.items() if digests.get(reply.turn_chars) == reply.turn_digest]
    first, at = (told[-1] + 1, own[told[-1]].turn_chars) if told else (0, 0)
    closing = template.closing
    ends: list[int] = []
    for message, following in pairwise(messages[first:]) if closing else ():
        if message.role != "user" or following.role != "assistant":
            continue
        end = _end_of(text, message.content, closing, at)
        if end and (len(ends) < _DENSE_TURNS or end - ends[-1] >= _SPARSE_CHARS):
            ends.append(end)
        at = max(at, end)
    return tuple(ends)


def _end_of(text: str, content: str, closing: str, at: int) -> int:
    """Where a turn with `content` ends at or after `at`, 0: nowhere; templates may trim it."""
    for form in (content, content.strip()):
        found = text.find(form + closing, at)
        if found >= 0:
            return found + len(form) + len(closing)
    return 0
