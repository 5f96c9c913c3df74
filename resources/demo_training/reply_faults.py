"""Detects degenerate replies, which do not end or repeat themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LONGEST_LOOP = 24
_LOOPS = 4
_SHORTEST_LOOPING = 12
_SAME_SENTENCE = 3


def fault(ids: Sequence[int], text: str, limit: int) -> str:
    """Why the reply is degenerate, or an empty string.

    A reply is degenerate if it fills the `limit` of tokens without an end, if a run of up to 24 tokens occurs four
    times in succession and fills 12 tokens (a number such as 2222 is no loop), or if one sentence of five words or more
    occurs three times.
    """
    if len(ids) >= limit:
        return "endless"
    if _loops(ids):
        return "loop"
    sentences = [part.strip() for part in re.split(r"[.!?\n]", text) if len(part.split()) >= 5]
    if any(sentences.count(sentence) >= _SAME_SENTENCE for sentence in sentences):
        return "same sentence"
    return "" if text.strip() else "empty"


def _loops(ids: Sequence[int]) -> bool:
    """Whether a run of tokens repeats too often in succession."""
    for size in range(1, _LONGEST_LOOP + 1):
        same = 0
        for at in range(size, len(ids)):
            same = same + 1 if ids[at] == ids[at - size] else 0
            if same + size >= max(size * _LOOPS, _SHORTEST_LOOPING):
                return True
    return False
