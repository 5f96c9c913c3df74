"""Boundaries: the second step of preparing a prompt, from its text to the positions in it that are worth caching.

Pure. A segment's key covers all boundaries before it. So each boundary must be found again, at the same character, in
every later prompt: it depends on the text before it alone, and the next ledger entry notes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from engine.cache.segment import text_digests

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.prompt.chat_template import Rendered
    from engine.prompt.ledger import Ledger, LedgerEntry
    from engine.protocol.messages import ChatMessage

Diverged = Literal["", "edited", "stripped", "system"]

_DENSE_TURNS = 4
_SPARSE_CHARS = 8_000
"""In a stretch without ledger entries the first turns get a breakpoint each, then one in so many characters: each may
cost a whole recurrent state.
"""


@dataclass(frozen=True, slots=True)
class Boundaries:
    """Positions in a rendered text, as lengths of its prefixes in characters.

    - `cuts` are all positions at which a segment may end, apart from the ends of replies.
    - `breakpoints` are those of them that no ledger entry before that of this answer notes.
    - `standing` are the entries of the replies that are still in the text as they were written, in order.
    - `reached_chars` ends the last user turn that was in an earlier prompt (0: none).
    - `diverged` tells whether a reply that stood until the last turn no longer does: "edited" if a message was edited,
      "stripped" if the template changed it, "system" if only the system prompt was changed.
    - `imported_chars` ends an imported beginning, whose tokens end there (0: none).
    """

    cuts: frozenset[int]
    breakpoints: tuple[int, ...] = ()
    standing: tuple[LedgerEntry, ...] = ()
    reached_chars: int = 0
    diverged: Diverged = ""
    imported_chars: int = 0


def find_boundaries(
    rendered: Rendered,
    ledger: Ledger,
    messages: Sequence[ChatMessage] = (),
    closing: str = "",
    imported_chars: int = 0,
) -> Boundaries:
    """The boundaries of `rendered`, which shows `messages`. The template writes `closing` after each user's text."""
    entries, text = ledger.entries, rendered.text
    digests = text_digests(text, [p for e in entries.values() for p in (e.turn_chars, e.end_chars)])
    standing = {i: e for i, e in entries.items() if digests.get(e.end_chars) == e.end_digest}
    reached = {i: e for i, e in entries.items() if digests.get(e.turn_chars) == e.turn_digest}
    last = max(reached, default=0)
    turns = [end for end in _turn_ends(text, messages, reached, closing) if end < rendered.turn_chars]
    new = {*turns, rendered.history_form_chars} - {0}
    noted = {p for entry in reached.values() for p in (entry.turn_chars, *entry.breakpoints)}
    # The entry of a continued reply is replaced by that of the whole reply.
    replaced = {p for e in reached.values() if e.turn_chars == rendered.turn_chars for p in e.breakpoints}
    return Boundaries(
        cuts=frozenset({rendered.system_chars, rendered.turn_chars, *new, *noted} - {0}),
        breakpoints=tuple(sorted(new | replaced)),
        standing=tuple(standing.values()),
        reached_chars=reached[last].turn_chars if reached else 0,
        diverged=_diverged([e for i, e in entries.items() if i >= last and i not in standing], ledger),
        imported_chars=imported_chars,
    )


def _diverged(lost: Sequence[LedgerEntry], ledger: Ledger) -> Diverged:
    """`lost` are the replies that were in the last prompt as they were written, and are not any more."""
    if not lost:
        return ""
    if all(entry.conversation in ledger.digests for entry in lost):
        return "stripped"
    return "system" if all(entry.dialogue in ledger.dialogue for entry in lost) else "edited"


def _turn_ends(
    text: str, messages: Sequence[ChatMessage], reached: Mapping[int, LedgerEntry], closing: str
) -> list[int]:
    """Cache breakpoints for messages without a ledger entry: the ends of user turns after the last entry of `reached`,
    found by what the template writes after a user's text.
    """
    first, at = (max(reached) + 1, reached[max(reached)].turn_chars) if reached else (0, 0)
    ends: list[int] = []
    for message, following in pairwise(messages[first:]) if closing else ():
        if message.role != "user" or following.role != "assistant":
            continue
        end = _end_of(text, message.content, closing, at)
        if end and (len(ends) < _DENSE_TURNS or end - ends[-1] >= _SPARSE_CHARS):
            ends.append(end)
        at = max(at, end)
    return ends


def _end_of(text: str, content: str, closing: str, at: int) -> int:
    """The end of a turn with `content` that starts at or after `at` (0: not found). Templates may trim the content."""
    for form in (content, content.strip()):
        found = text.find(form + closing, at)
        if found >= 0:
            return found + len(form) + len(closing)
    return 0
