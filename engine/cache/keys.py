"""Names segments by their content. Pure.

A key is chained: it covers the model's identity and every token from the start of the prompt to the segment's end.
Equal keys therefore mean equal state, whichever conversation computed it.

State that stays in memory has keys of its own. No chat that is kept on disk finds it, so the figures of that chat,
which are saved, do not show that a private chat had the same words. The segment store refuses such keys.
"""

from __future__ import annotations

import hashlib
from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_DIGEST_BYTES = 20
_IN_MEMORY = "memory:"
"""Keys and identities of state that stays in memory begin so. No key that the segment store takes has a colon."""


def chain(parent: str | None, identity: str, ids: Sequence[int]) -> str:
    """The key of the segment `ids` that follows `parent` (None at the start) under the model `identity`. Hex."""
    before = parent or identity
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    digest.update(before.encode())
    digest.update(b"\0")
    digest.update(array("I", ids).tobytes())
    return (_IN_MEMORY if is_in_memory(before) else "") + digest.hexdigest()


def in_memory(identity: str) -> str:
    """The identity for keys of state that stays in memory."""
    return _IN_MEMORY + identity


def is_in_memory(key: str) -> bool:
    """Whether the state with this key, or with keys of this identity, stays in memory."""
    return key.startswith(_IN_MEMORY)


def text_digest(text: str) -> str:
    """The digest of a rendered text, for the ledger. Hex."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()


def text_digests(text: str, positions: Sequence[int]) -> dict[int, str]:
    """The digests of `text[:p]` for every `p` of `positions`, in one pass; positions past the end are left out."""
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    digests: dict[int, str] = {}
    at = 0
    for position in sorted(set(positions)):
        if position > len(text):
            break
        digest.update(text[at:position].encode("utf-8", "surrogatepass"))
        digests[position] = digest.hexdigest()
        at = position
    return digests
