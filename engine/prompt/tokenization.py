"""The second and third step of preparing a prompt: from its text to the positions in it that are worth caching, and to
token ids.

Text is the truth. The replies that still stand in the text keep the exact tokens that were sampled; only the rest is
encoded. A segment's key covers all boundaries before it. So each boundary must be found again, at the same character,
in every later prompt: it depends on the text before it alone, and the next ledger entry notes it.

Pure: the tokenizer comes in as a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from engine.cache.segment import text_digest, text_digests
from engine.prompt.chat_template import Rendered
from engine.prompt.control_tokens import LONGEST_NAME
from engine.prompt.ledger import Ledger, LedgerEntry, conversation_digests, dialogue_digests
from engine.prompt.message_format import common
from engine.protocol.messages import ChatMessage

# --- boundaries

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


# --- tokens

Encode = Callable[[str], list[int]]
"""Text to ids, without special tokens added around it."""

MIN_SHARED_TOKENS = 16
"""A system prefix shorter than this is not worth a segment of its own."""

_WINDOW_CHARS = 400
"""Before a cut, so much text is encoded again to see which tokens the cut leaves as they are."""


@dataclass(frozen=True, slots=True)
class PromptTokens:
    """Token ids with the positions at which segments end.

    - `bounds` are those positions, in tokens, ascending.
    - `system_tokens` is the bound that ends what all conversations with this system prompt share (0: none).
    - `reply_start` is the index of the token at which the reply begins.
    - `replies` are the bounds that end a segment which was one from the first: a reply, the part of one up to a stop,
      or an imported beginning.
    - `reusable` counts the tokens that earlier turns have computed, if their replies stand or the history form of the
      last one was prefilled ahead; `computed` leaves out what may have been prefilled ahead.
    - `diverged` and `breakpoints` are those of the Boundaries.
    - `stops` are the bounds inside replies, at which they were stopped and went on.
    - `drawn` is the first token of the answer, if the prompt ends with a stopped reply after which one was drawn.
    """

    rendered: Rendered
    ids: tuple[int, ...]
    bounds: tuple[int, ...]
    system_tokens: int
    reusable: int
    reply_start: int
    diverged: Diverged
    replies: frozenset[int] = frozenset()
    computed: int = 0
    breakpoints: tuple[int, ...] = ()
    stops: frozenset[int] = frozenset()
    drawn: int | None = None

    def entry_for(
        self,
        reply_ids: Sequence[int],
        text: str,
        vocabulary: str,
        conversation: Sequence[ChatMessage] = (),
        tools: str = "",
        drawn: int | None = None,
    ) -> LedgerEntry:
        """The ledger entry for a reply to this prompt.

        `reply_ids` are all tokens from `reply_start` on. `text` is what they read as beyond the prompt's own text, the
        text of the end token included if it is among them. `conversation` ends with the whole reply, as the message
        that the app will send back. Without it, a template's changes count as edits. `drawn` is the token that was
        drawn next.
        """
        rendered = self.rendered
        whole = rendered.text + text
        return LedgerEntry(
            vocabulary,
            rendered.turn_chars,
            text_digest(whole[: rendered.turn_chars]),
            rendered.start_chars,
            len(whole),
            text_digest(whole),
            list(reply_ids),
            breakpoints=list(self.breakpoints),
            conversation=conversation_digests(conversation, tools)[-1] if conversation else "",
            raw=_raw(whole[rendered.start_chars :], conversation[-1].content, drawn) if conversation else "",
            day=rendered.day,
            dialogue=dialogue_digests(conversation, tools)[-1] if conversation else "",
            stops=[stop - self.reply_start for stop in sorted(self.stops) if stop > self.reply_start],
            drawn=drawn,
        )


def _raw(spoken: str, content: str, drawn: int | None) -> str:
    """`spoken`; empty if it is nothing but the content. If no token was drawn after it, it is complete: what closes it
    is left out.
    """
    closes = drawn is None and content and content in spoken
    begun = spoken[: spoken.rfind(content) + len(content)] if closes else spoken
    return "" if begun == content else begun


def tokenize_prompt(
    rendered: Rendered, boundaries: Boundaries, encode: Encode, ending: Callable[[str], str] = lambda _text: ""
) -> PromptTokens:
    """The tokens of `rendered`. An imported beginning is encoded by itself, and is one segment. `ending` returns the
    control token that ends a text.
    """
    walk = _Walk(rendered.text, boundaries.cuts, encode, ending)
    walk.imported(boundaries.imported_chars)
    kept = _place_replies(walk, rendered, boundaries.standing)
    reply_start = walk.starts.get(rendered.start_chars, len(walk.ids))
    walk.text_up_to(len(rendered.text))
    shared = walk.tokens_at(rendered.system_chars)
    if shared < MIN_SHARED_TOKENS or boundaries.imported_chars:
        walk.bounds.discard(shared)
        shared = 0
    stripped = boundaries.diverged == "stripped"
    computed = max(kept, walk.tokens_at(boundaries.reached_chars)) if stripped else kept
    return PromptTokens(
        rendered=rendered,
        ids=tuple(walk.ids),
        bounds=tuple(sorted(walk.bounds)),
        system_tokens=shared,
        reusable=max(computed, walk.tokens_at(rendered.history_form_chars)) if stripped else computed,
        reply_start=reply_start,
        diverged=boundaries.diverged,
        replies=frozenset(walk.replies),
        computed=computed,
        breakpoints=boundaries.breakpoints,
        stops=frozenset(walk.stops),
        drawn=_drawn_after(rendered, boundaries.standing),
    )


def _drawn_after(rendered: Rendered, standing: Sequence[LedgerEntry]) -> int | None:
    """The token that was drawn after the reply that is continued, if nothing else follows it in the text."""
    begun = [entry for entry in standing if entry.start_chars >= rendered.start_chars]
    return begun[-1].drawn if begun and begun[-1].end_chars == len(rendered.text) else None


def _place_replies(walk: _Walk, rendered: Rendered, standing: Sequence[LedgerEntry]) -> int:
    """Walk to the start of the new reply, past the replies that stand. Returns the tokens that they had computed."""
    whole = [entry for entry in standing if entry.start_chars < rendered.start_chars]
    for entry in whole:
        walk.text_up_to(entry.start_chars)
        walk.reply(entry)
    kept = len(walk.ids) if whole else 0
    walk.text_up_to(rendered.start_chars)
    for begun in standing[len(whole) :]:
        walk.reply(begun)
        walk.stops.add(len(walk.ids))
        # The state at its end is of use only if the token after it is known.
        goes_on = begun.drawn is not None or begun.end_chars < len(rendered.text)
        kept = len(walk.ids) if goes_on else max(kept, walk.tokens_at(rendered.turn_chars))
    return kept


class _Walk:
    """Walks the text once, collecting ids and translating positions in characters to positions in tokens."""

    def __init__(self, text: str, cuts: frozenset[int], encode: Encode, ending: Callable[[str], str]) -> None:
        self.ids: list[int] = []
        self.bounds: set[int] = set()
        self.replies: set[int] = set()
        self.stops: set[int] = set()
        self.starts: dict[int, int] = {}
        self._text = text
        self._cuts = cuts
        self._encode = encode
        self._ending = ending
        self._end_token = ""
        self._at = self._last = 0
        self._tokens: dict[int, int] = {}

    def tokens_at(self, chars: int) -> int:
        """The tokens up to a cut (0: not passed)."""
        return self._tokens.get(chars, 0)

    def text_up_to(self, end: int) -> None:
        """Encode the text up to `end`, and note the cuts in it."""
        if end <= self._at:
            return
        base, chunk = len(self.ids), self._text[self._at : end]
        encoded = self._encode_beginning(chunk)
        clean = 0, 0
        for position in sorted(p for p in self._cuts if self._at < p <= end):
            clean = self._cut(chunk, encoded, position - self._at, clean)
            self._tokens[position] = base + self._last
            self.bounds.add(base + self._last)
        self.ids += encoded
        self._at, self._end_token = end, ""

    def _encode_beginning(self, part: str) -> list[int]:
        """Encode the beginning of a chunk as it is read behind the end token of a reply: some of these take the spaces
        behind them, and some tokenizers read a space before a text that follows nothing.
        """
        if self._end_token and (led := self._encode(self._end_token + part))[:1] == self.ids[-1:]:
            return led[1:]
        return self._encode(part)

    def imported(self, chars: int) -> None:
        """Encode an imported beginning of so many characters (0: none), inside which no segment ends."""
        if chars:
            self.text_up_to(chars)
            self.bounds, self.replies = {len(self.ids)}, {len(self.ids)}

    def reply(self, entry: LedgerEntry) -> None:
        """Take the tokens of a reply. Its end is a bound, and so is each place at which it was stopped."""
        start = self.starts[entry.start_chars] = len(self.ids)
        stops = {start + place for place in entry.stops}
        self.ids += entry.ids
        self.stops |= stops
        self.bounds |= {*stops, len(self.ids)}
        self.replies |= {*stops, len(self.ids)}
        self._at = entry.end_chars
        self._end_token = self._ending(self._text[max(0, self._at - LONGEST_NAME) : self._at])

    def _cut(self, chunk: str, encoded: list[int], to: int, clean: tuple[int, int]) -> tuple[int, int]:
        """Find in `encoded` the tokens that a cut of `chunk` at `to` leaves as they are.

        `clean` is a cut before it that falls between two tokens, in characters and tokens. The part is encoded from
        there on, or else from the start; if the rest of the chunk is shorter, the tokens are counted from its end.
        """
        rest = max(0, to - _WINDOW_CHARS)
        if len(chunk) - rest < to - clean[0] and (first := self._token_at(chunk, encoded, rest)):
            clean = first
        for chars, tokens in (clean, (0, 0)):
            part = self._encode(chunk[chars:to]) if chars else self._encode_beginning(chunk[:to])
            same = common(encoded[tokens : tokens + len(part)], part)
            self._last = tokens + same
            if same == len(part):
                return to, self._last
        return clean

    def _token_at(self, chunk: str, encoded: list[int], chars: int) -> tuple[int, int] | None:
        """The start of the first token of a word after `chars`, in characters and tokens.

        None if the chunk's encoding does not end with the encoding of its text from there on.
        """
        start = chunk.find(" ", chars)
        rest = self._encode(chunk[start:]) if start >= 0 else []
        ends_so = len(rest) < len(encoded) and encoded[len(encoded) - len(rest) :] == rest
        return (start, len(encoded) - len(rest)) if rest and ends_so else None


PIECE_CHARS: Final = 16_384
"""Tokenizers take some milliseconds for so many."""
_LOOK_BACK: Final = 256


def pieces(text: str, size: int = PIECE_CHARS) -> Iterator[str]:
    """The pieces of `text`, in order. A piece ends before white space if there is some near its end, so that a cut
    seldom splits a token.
    """
    begin = 0
    while begin < len(text):
        end = _end(text, begin, size)
        yield text[begin:end]
        begin = end


def _end(text: str, begin: int, size: int) -> int:
    end = begin + size
    if end >= len(text):
        return len(text)
    spaces = (place for place in range(end, max(begin, end - _LOOK_BACK), -1) if text[place].isspace())
    return next(spaces, end)
