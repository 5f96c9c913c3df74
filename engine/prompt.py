"""The prompt: rendered text to token ids and bounds. Owns the ledger that keeps replies from being encoded twice.

Text is the truth. A reply that the model sampled is kept as the exact tokens it consists of; where the newly rendered
text still contains that reply at its place, those tokens are used again and only the rest is encoded. Pure: the
tokenizer comes in as a function.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

import msgspec

from engine.cache.keys import text_digest, text_digests

Encode = Callable[[str], list[int]]
"""Text to ids, without special tokens added around it."""

MIN_SHARED_TOKENS = 16
"""A system prefix shorter than this is not worth a segment of its own."""


class Reply(msgspec.Struct, frozen=True, array_like=True):
    """The ledger's entry of one reply: where it stands in the rendered text, and its tokens.

    `vocabulary` is the fingerprint of the tokenizer whose ids these are: to any other they mean nothing.
    `turn_chars`, `start_chars` and `end_chars` are lengths of the rendered text up to the end of the user's turn, to
    the start of the reply and to its end; the digests are of the text up to the first and the last of them.
    """

    vocabulary: str
    turn_chars: int
    turn_digest: str
    start_chars: int
    end_chars: int
    end_digest: str
    ids: list[int]


_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Reply] = msgspec.msgpack.Decoder(Reply)


def pack(reply: Reply) -> str:
    """The entry as the opaque string that the app keeps with the message."""
    return base64.b64encode(_encoder.encode(reply)).decode()


def unpack(ledger: str) -> Reply | None:
    """The entry in `ledger`; None where it is empty or not ours, which only costs an encoding."""
    try:
        return _decoder.decode(base64.b64decode(ledger, validate=True)) if ledger else None
    except (ValueError, msgspec.DecodeError):
        return None


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt as text. Positions are lengths of its prefixes in characters.

    `system_chars`: what every conversation with this system prompt has in common (0: nothing). `turn_chars`: the end
    of the last user turn, before the assistant's header. `start_chars`: where the reply starts; past it stands what is
    already there of a reply that is being continued.
    """

    text: str
    system_chars: int
    turn_chars: int
    start_chars: int


@dataclass(frozen=True, slots=True)
class Prompt:
    """Token ids with the positions worth returning to.

    `bounds` are in tokens, ascending; `system_tokens` is the one that ends what all conversations with this system
    prompt share (0: none); `replies` are those that end what the model wrote itself. `reusable`: the tokens that
    earlier turns have computed, if their replies stand. `reply_start`: the token index at which the reply begins.
    `diverged`: an earlier reply no longer stands.
    """

    rendered: Rendered
    ids: tuple[int, ...]
    bounds: tuple[int, ...]
    system_tokens: int
    reusable: int
    reply_start: int
    diverged: bool
    replies: frozenset[int] = frozenset()


def lay_out(rendered: Rendered, replies: Sequence[Reply], encode: Encode) -> Prompt:
    """Tokens for `rendered`, taking the tokens of each of `replies` that still stands in it."""
    text = rendered.text
    digests = text_digests(text, [p for r in replies for p in (r.turn_chars, r.end_chars)])
    standing = [r for r in replies if digests.get(r.end_chars) == r.end_digest]
    turns = {r.turn_chars for r in replies if digests.get(r.turn_chars) == r.turn_digest}
    layout = _Layout(text, {rendered.system_chars, rendered.turn_chars, *turns} - {0}, encode)
    for reply in standing:
        layout.text_up_to(reply.start_chars)
        layout.reply(reply)
    reusable = len(layout.ids) if standing else 0
    layout.text_up_to(rendered.start_chars)
    reply_start = layout.starts.get(rendered.start_chars, len(layout.ids))
    layout.text_up_to(len(text))
    shared = layout.tokens_at(rendered.system_chars)
    if shared < MIN_SHARED_TOKENS:
        layout.bounds.discard(shared)
        shared = 0
    return Prompt(
        rendered=rendered,
        ids=tuple(layout.ids),
        bounds=tuple(sorted(layout.bounds)),
        system_tokens=shared,
        reusable=reusable,
        reply_start=reply_start,
        diverged=len(standing) < len(replies),
        replies=frozenset(layout.replies),
    )


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
        self._at = 0
        self._tokens: dict[int, int] = {}

    def tokens_at(self, chars: int) -> int:
        return self._tokens.get(chars, 0)

    def text_up_to(self, end: int) -> None:
        if end <= self._at:
            return
        base, chunk = len(self.ids), self._text[self._at : end]
        encoded = self._encode(chunk)
        for position in sorted(p for p in self._wanted if self._at < p <= end):
            self._mark(position, base + _common(encoded, self._encode(chunk[: position - self._at])))
        self.ids += encoded
        self._at = end

    def reply(self, reply: Reply) -> None:
        self.starts[reply.start_chars] = len(self.ids)
        self.ids += reply.ids
        self.bounds.add(len(self.ids))
        self.replies.add(len(self.ids))
        self._at = reply.end_chars

    def _mark(self, chars: int, tokens: int) -> None:
        self._tokens[chars] = tokens
        self.bounds.add(tokens)


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    """The length of the common prefix: only that far does a cut leave the tokens as they are."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def entry(prompt: Prompt, reply_ids: Sequence[int], text: str, vocabulary: str) -> Reply:
    """The ledger's entry for a reply to `prompt`.

    `reply_ids` are all tokens from `prompt.reply_start` on; `text` is what they read as beyond the prompt's own text,
    the text of the end token included if it is among them.
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
    )
