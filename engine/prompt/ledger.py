"""The ledger: what each reply of a conversation notes, so that later prompts do not encode it again.

A reply that the model sampled is noted as the exact tokens it consists of. If a newly rendered prompt still contains
that reply at the same place, those tokens are used again. Pure.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import msgspec

from engine.cache.segment import text_digest, text_digests
from engine.protocol.messages import ChatMessage
from storage.untrusted import MsgpackDecoder


class LedgerEntry(msgspec.Struct, frozen=True, array_like=True):
    """The note about one reply: its position in the rendered text, and its tokens.

    - `vocabulary` is the fingerprint of the tokenizer whose ids these are: to any other tokenizer they mean nothing.
    - `turn_chars`, `start_chars` and `end_chars` are the lengths of the rendered text up to the end of the user's turn,
      the start of the reply and its end. The digests are those of the text up to the first and the last of them.
    - `breakpoints` are the cache breakpoints of its prompt that no earlier entry notes, as lengths of the text.
    - `conversation` is the digest of the conversation up to and with this reply, as messages.
    - `raw` is what the model wrote, if that is more than the message's content.
    - `day` is the date that the template was given.
    - `dialogue` is the digest like `conversation`, with system messages left out.
    - `stops` are the places in `ids` at which the reply was stopped and later continued: segments end there.
    - `drawn` is the token that the model drew next, which is not part of the reply. A continuation begins with it.
    - `model` is the identity of the model that computed it, or of the leader's share.
    """

    vocabulary: str
    turn_chars: int
    turn_digest: str
    start_chars: int
    end_chars: int
    end_digest: str
    ids: list[int]
    breakpoints: list[int] = []
    conversation: str = ""
    raw: str = ""
    day: str = ""
    dialogue: str = ""
    stops: list[int] = []
    drawn: int | None = None
    model: str = ""

    @property
    def largest_id(self) -> int:
        """The largest of its token ids."""
        return max((*self.ids, self.drawn or 0))

    def stands_in(self, text: str) -> bool:
        """Whether `text` contains the reply as it was written."""
        return text_digests(text, [self.end_chars]).get(self.end_chars) == self.end_digest


_encoder = msgspec.msgpack.Encoder()
_decoder = MsgpackDecoder[LedgerEntry](LedgerEntry)


def pack(entry: LedgerEntry) -> str:
    """The entry as the opaque string that the app keeps with the message."""
    return base64.b64encode(_encoder.encode(entry)).decode()


def unpack(ledger: str) -> LedgerEntry | None:
    """The entry in `ledger`; None if it is empty, damaged or not ours, which only costs an encoding."""
    try:
        entry = _decoder.decode(base64.b64decode(ledger, validate=True)) if ledger else None
        return entry if entry and _possible(entry) else None
    except ValueError:
        return None


def _possible(entry: LedgerEntry) -> bool:
    """Raises ValueError if the day is not a date."""
    if entry.day:
        date.fromisoformat(entry.day)
    ids = [*entry.ids, *entry.stops, entry.drawn or 0]
    return 0 <= entry.turn_chars <= entry.start_chars <= entry.end_chars and min(ids) >= 0


@dataclass(frozen=True, slots=True)
class Ledger:
    """The entries of a conversation that are in this model's tokens, by the index of their message.

    `digests` are those of the conversation up to each message, `dialogue` those without the system messages. `day` is
    the one on which the conversation began, if an entry notes it, else that of the command, else today.
    """

    entries: Mapping[int, LedgerEntry] = field(default_factory=dict)
    digests: tuple[str, ...] = ()
    dialogue: tuple[str, ...] = ()
    day: str = ""

    @classmethod
    def of(
        cls, messages: Sequence[ChatMessage], tools: str, vocabulary: str, vocabulary_size: int, day: str = ""
    ) -> Ledger:
        """The ledger of `messages`. Entries with tokens that the model does not have are left out: MLX would read
        beyond the embeddings.
        """
        every = {i: entry for i, message in enumerate(messages) if (entry := unpack(message.ledger))}
        own = {
            i: entry
            for i, entry in every.items()
            if entry.vocabulary == vocabulary and entry.largest_id < vocabulary_size
        }
        day = next((entry.day for entry in every.values() if entry.day), "") or day or today()
        return cls(own, conversation_digests(messages, tools), dialogue_digests(messages, tools), day)

    def begun(self, reply: ChatMessage) -> str | None:
        """The raw text of `reply`, which ends the conversation. None if no entry notes it."""
        last = self.digests[-1] if self.digests else ""
        texts = (entry.raw or reply.content for entry in self.entries.values() if entry.conversation == last)
        return next(texts, None)


def conversation_digests(messages: Sequence[ChatMessage], tools: str) -> tuple[str, ...]:
    """The digests of the conversation up to each message, ledgers left out."""
    digests: list[str] = []
    for message in messages:
        calls = [part for call in message.tool_calls for part in (call.name, call.arguments)]
        before = digests[-1] if digests else tools
        digests.append(text_digest("\0".join([before, message.role, message.content, message.reasoning, *calls])))
    return tuple(digests)


def dialogue_digests(messages: Sequence[ChatMessage], tools: str) -> tuple[str, ...]:
    """The digests of the conversation up to each message, ledgers and system messages left out."""
    return conversation_digests([message for message in messages if message.role != "system"], tools)


def today() -> str:
    """The user's day, in ISO form."""
    return date.today().isoformat()  # noqa: DTZ011 # the user's own day
