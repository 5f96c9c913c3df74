"""The request to check the caches on disk, and its answer.

The app asks for one part after another, so it can stop at any time. It imports both from `engine.protocol.messages`.
"""

from __future__ import annotations

import msgspec


class CheckCache(msgspec.Struct, frozen=True, tag="check_cache"):
    """Read records again and compare them with their checksums: those of a conversation, or all (""), that follow the
    record `after`. Answered by CacheChecked.
    """

    conversation: str = ""
    after: str = ""


class CacheChecked(msgspec.Struct, frozen=True, tag="cache_checked"):
    """A part was checked. `after` is the last record of it, "" if no more records follow.

    `checked` are the bytes of this part, `total` those of all parts. `damaged` has the number of damaged records by
    conversation; they were removed. `strays` files or rows had no counterpart and were removed. `trouble` says why the
    check ended early.
    """

    conversation: str
    after: str = ""
    checked: int = 0
    total: int = 0
    damaged: dict[str, int] = {}
    strays: int = 0
    trouble: str = ""
