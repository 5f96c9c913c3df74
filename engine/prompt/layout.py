"""The prompt: rendered text to token ids and bounds. Owns the ledger that keeps replies from being encoded twice.

Text is the truth. A reply that the model sampled is kept as the exact tokens it consists of; where the newly rendered
text still contains that reply at its place, those tokens are used again and only the rest is encoded. Pure: the
tokenizer comes in as a function.
"""

from __future__ import annotations

import base64
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import compress
from typing import TYPE_CHECKING, Literal

import msgspec

from engine.cache.keys import text_digest, text_digests
from storage.foreign import MsgpackDecoder

if TYPE_CHECKING:
    from engine.protocol.messages import ChatMessage

Encode = Callable[[str], list[int]]
"""Text to ids, without special tokens added around it."""

Diverged = Literal["", "edited", "stripped"]

MIN_SHARED_TOKENS = 16
"""A system prefix shorter than this is not worth a segment of its own."""


class Reply(msgspec.Struct, frozen=True, array_like=True):
    """The ledger's entry of one reply: where it stands in the rendered text, and its tokens.

    `vocabulary` is the fingerprint of the tokenizer whose ids these are: to any other they mean nothing.
    `turn_chars`, `start_chars` and `end_chars` are lengths of the rendered text up to the end of the user's turn, to
    the start of the reply and to its end; the digests are of the text up to the first and the last of them.

    `places` are the bounds of its prompt that no earlier entry knows, as lengths of the text. `said` is the digest of
    the conversation up to and with this reply, as messages; `raw` what the model wrote of it, where that is more than
    the message's content. `day` is the date that the template was told.
    """

    vocabulary: str
    turn_chars: int
    turn_digest: str
    start_chars: int
    end_chars: int
    end_digest: str
    ids: list[int]
    places: list[int] = []
    said: str = ""
    raw: str = ""
    day: str = ""


_encoder = msgspec.msgpack.Encoder()
_decoder = MsgpackDecoder[Reply](Reply)


def pack(reply: Reply) -> str:
    """The entry as the opaque string that the app keeps with the message."""
    return base64.b64encode(_encoder.encode(reply)).decode()


def unpack(ledger: str) -> Reply | None:
    """The entry in `ledger`; None if it is empty, damaged or not ours, which only costs an encoding."""
    try:
        reply = _decoder.decode(base64.b64decode(ledger, validate=True)) if ledger else None
        return reply if reply and _possible(reply) else None
    except ValueError:
        return None


def _possible(reply: Reply) -> bool:
    """Raises ValueError if the day is not a date."""
    if reply.day:
        date.fromisoformat(reply.day)
    return 0 <= reply.turn_chars <= reply.start_chars <= reply.end_chars and min(reply.ids, default=0) >= 0


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt as text. Positions are lengths of its prefixes in characters.

    `system_chars`: what every conversation with this system prompt has in common (0: nothing). `turn_chars`: the end
    of the last user turn, before the assistant's header. `start_chars`: where the reply starts; past it stands what is
    already there of a reply that is being continued.

    `settled_chars`: the end of what every prompt that follows the last finished reply has in common (0: not needed, as
    the reply stands, or not known); `turns`: the ends of user turns that no ledger tells. `said`: the digests of the
    conversation up to each message; `asked` the one of what is answered. `day`: the date that the template was told.
    """

    text: str
    system_chars: int
    turn_chars: int
    start_chars: int
    settled_chars: int = 0
    turns: tuple[int, ...] = ()
    said: tuple[str, ...] = ()
    asked: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Token ids with the positions worth returning to.

    `bounds` are in tokens, ascending; `system_tokens` is the one that ends what all conversations with this system
    prompt share (0: none); `replies` are those that end what was one from the first: what the model wrote itself, and
    what was imported. `reply_start`: the token index at which the reply begins.

    `diverged`: whether replies that stood until the last turn do not any more, as a message was edited, or as the
    template strips what is over. `reusable`: the tokens that earlier turns have computed, if their replies stand, or
    if the history form of the last one was read ahead; `computed` those without what may have been read ahead.
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


def lay_out(rendered: Rendered, replies: Sequence[Reply], encode: Encode, root_chars: int = 0) -> Prompt:
    """Tokens for `rendered`, taking the tokens of each of `replies` that still stands in it.

    Its first `root_chars` characters were read before what follows: they are encoded by themselves, and one segment.
    """
    text = rendered.text
    standing, reached, lost = _compared(text, replies)
    known = {p for r in reached for p in (r.turn_chars, *r.places)}
    wanted = {rendered.system_chars, rendered.turn_chars, rendered.settled_chars, *rendered.turns, *known} - {0}
    layout = _Layout(text, wanted, encode)
    layout.root(root_chars)
    whole = [reply for reply in standing if reply.start_chars < rendered.start_chars]
    for reply in whole:
        layout.text_up_to(reply.start_chars)
        layout.reply(reply)
    kept = len(layout.ids) if whole else 0
    layout.text_up_to(rendered.start_chars)
    for begun in standing[len(whole) :]:
        layout.begun(begun)
        kept = max(kept, layout.tokens_at(rendered.turn_chars))
    reply_start = layout.starts.get(rendered.start_chars, len(layout.ids))
    layout.text_up_to(len(text))
    shared = layout.tokens_at(rendered.system_chars)
    if shared < MIN_SHARED_TOKENS or root_chars:
        layout.bounds.discard(shared)
        shared = 0
    diverged = _diverged(lost, rendered.said)
    turn = layout.tokens_at(reached[-1].turn_chars) if diverged == "stripped" and reached else 0
    settled = layout.tokens_at(rendered.settled_chars) if diverged == "stripped" else 0
    return Prompt(
        rendered=rendered,
        ids=tuple(layout.ids),
        bounds=tuple(sorted(layout.bounds)),
        system_tokens=shared,
        reusable=max(kept, turn, settled),
        reply_start=reply_start,
        diverged=diverged,
        replies=frozenset(layout.replies),
        computed=max(kept, turn),
    )


def _compared(text: str, replies: Sequence[Reply]) -> tuple[list[Reply], list[Reply], list[Reply]]:
    """The replies that stand in `text`; those whose turn does; and those that do not stand from the last of these on:
    what was before it was so already in the last prompt.
    """
    digests = text_digests(text, [p for r in replies for p in (r.turn_chars, r.end_chars)])
    stand = [digests.get(r.end_chars) == r.end_digest for r in replies]
    reach = [digests.get(r.turn_chars) == r.turn_digest for r in replies]
    last = max((i for i, yes in enumerate(reach) if yes), default=0)
    return (
        list(compress(replies, stand)),
        list(compress(replies, reach)),
        [reply for i, reply in enumerate(replies) if i >= last and not stand[i]],
    )


def stands(text: str, reply: Reply) -> bool:
    """Whether `reply` is in `text` as it was said."""
    return text_digests(text, [reply.end_chars]).get(reply.end_chars) == reply.end_digest


def _diverged(lost: Sequence[Reply], said: Sequence[str]) -> Diverged:
    if not lost:
        return ""
    return "stripped" if all(reply.said in said for reply in lost) else "edited"


def conversation_digests(messages: Sequence[ChatMessage], tools: str) -> tuple[str, ...]:
    """The digests of the conversation up to each message, ledgers left out."""
    digests: list[str] = []
    for message in messages:
        digests.append(_extended(digests[-1] if digests else tools, message))
    return tuple(digests)


def _extended(before: str, message: ChatMessage) -> str:
    calls = [part for call in message.tool_calls for part in (call.name, call.arguments)]
    return text_digest("\0".join([before, message.role, message.content, message.reasoning, *calls]))


class _Layout:
    """Walks the text once, collecting ids and translating the wanted character positions to token positions."""

    def __init__(self, text: str, wanted: set[int], encode: Encode) -> None:
        self.ids: list[int] = []
        self.bounds: set[int] = set()
        self.replies: set[int] = set()
        self.starts: dict[int, int] = {}
        self._text = text
        self._wanted = wanted
        self._encode = encode
        self._at = self._last = 0
        self._tokens: dict[int, int] = {}

    def tokens_at(self, chars: int) -> int:
        return self._tokens.get(chars, 0)

    def text_up_to(self, end: int) -> None:
        if end <= self._at:
            return
        base, chunk = len(self.ids), self._text[self._at : end]
        encoded = self._encode(chunk)
        clean = 0, 0
        for position in sorted(p for p in self._wanted if self._at < p <= end):
            clean = self._cut(chunk, encoded, position - self._at, clean)
            self._tokens[position] = base + self._last
            self.bounds.add(base + self._last)
        self.ids += encoded
        self._at = end

    def _cut(self, chunk: str, encoded: list[int], to: int, clean: tuple[int, int]) -> tuple[int, int]:
        """Find in `encoded` the tokens that a cut of `chunk` at `to` leaves as they are.

        `clean` is a cut before it that falls between two tokens, in characters and tokens: from there on, or else from
        the start, the part is encoded.
        """
        for chars, tokens in (clean, (0, 0)):
            part = self._encode(chunk[chars:to])
            same = _common(encoded[tokens : tokens + len(part)], part)
            self._last = tokens + same
            if same == len(part):
                return to, self._last
        return clean

    def root(self, chars: int) -> None:
        """The beginning up to `chars` (0: none) was read as one: inside it there is no place to return to."""
        if chars:
            self.text_up_to(chars)
            self.bounds, self.replies = {len(self.ids)}, {len(self.ids)}

    def reply(self, reply: Reply) -> None:
        self.begun(reply)
        self.bounds.add(len(self.ids))
        self.replies.add(len(self.ids))

    def begun(self, reply: Reply) -> None:
        """A reply that is being continued: where it stopped is no place to return to, it will be one with the rest."""
        self.starts[reply.start_chars] = len(self.ids)
        self.ids += reply.ids
        self._at = reply.end_chars


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    """The length of the common prefix: only that far does a cut leave the tokens as they are."""
    return bisect_left(range(1, min(len(a), len(b)) + 1), x=True, key=lambda n: a[:n] != b[:n])


def entry(
    prompt: Prompt, reply_ids: Sequence[int], text: str, vocabulary: str, heard: ChatMessage | None = None
) -> Reply:
    """The ledger's entry for a reply to `prompt`.

    `reply_ids` are all tokens from `prompt.reply_start` on; `text` is what they read as beyond the prompt's own text,
    the text of the end token included if it is among them. `heard` is the whole reply as the message that the app will
    give back (what was there of a continued one included); without it, a template's changes count as edits.
    """
    rendered = prompt.rendered
    whole = rendered.text + text
    return Reply(
        vocabulary,
        rendered.turn_chars,
        text_digest(whole[: rendered.turn_chars]),
        rendered.start_chars,
        len(whole),
        text_digest(whole),
        list(reply_ids),
        places=sorted({*rendered.turns, rendered.settled_chars} - {0}),
        said=_extended(rendered.asked, heard) if heard else "",
        raw=_raw(whole[rendered.start_chars :], heard.content) if heard else "",
        day=rendered.day,
    )


def _raw(spoken: str, content: str) -> str:
    """`spoken` without what closes it; empty where it is nothing but the content."""
    end = spoken.rfind(content) + len(content) if content and content in spoken else len(spoken)
    return "" if spoken[:end] == content else spoken[:end]
