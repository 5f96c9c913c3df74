"""Prompt ends: what the newest prompt of a conversation leaves in memory so that the same prompt needs no forward pass.

On the MLX thread. Nothing of it goes to disk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.cache.codec.codec import size_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import mlx.core as mx

    from engine.cache.codec.codec import Arrays
    from engine.cache.segment import Segment

_LOGITS = "logits"


@dataclass(frozen=True, slots=True)
class PromptEnd:
    """The end of a prompt, and the logits that its first token was drawn from, (1, vocabulary).

    - `segment` is the tokens from the last bound to the end of the prompt: the header of the reply.
    - `records` are its window and its state, by kind; evaluated.
    - `holder` is the key of the segment that begins with these tokens, and so holds their keys and values: the reply's,
      or the segment's own if no reply was kept.
    """

    segment: Segment
    records: Mapping[str, Arrays]
    logits: mx.array
    holder: str = ""

    @property
    def everything(self) -> dict[str, Arrays]:
        """The records, and the logits as one more."""
        return {**self.records, _LOGITS: {_LOGITS: self.logits}}

    @property
    def bytes(self) -> int:
        """The size of everything."""
        return sum(size_of(arrays) for arrays in self.everything.values())

    @property
    def arrays(self) -> int:
        """The number of arrays in everything."""
        return sum(len(arrays) for arrays in self.everything.values())

    def held_by(self, holder: str) -> PromptEnd:
        """The same end, with its keys and values in the segment `holder`."""
        return replace(self, holder=holder)
