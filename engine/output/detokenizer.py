"""Detokenising: a row's tokens to text, as they come. Owns the end token's absence; mlx-lm owns the decoding itself."""

from __future__ import annotations

import copy
from typing import Any


class RowDetokenizer:
    """The text of one reply. An incomplete character is held back until its last byte is there."""

    def __init__(self, tokenizer: Any) -> None:
        """`tokenizer` is mlx-lm's wrapper."""
        self._decoder = tokenizer.detokenizer
        self._read = ""
        self.text = ""

    def add(self, token: int) -> str:
        """The text that became readable with `token`."""
        self._decoder.add_token(token)
        return self._take()

    def finish(self) -> str:
        """What was held back, now that nothing follows."""
        self._decoder.finalize()
        return self._take()

    def settle(self) -> str:
        """From here on all is new: the tokens so far only shape what follows them (spaces, split characters). Returns
        what the decoder still holds back of them: it was read at the end of the reply so far, and is not told again.
        """
        self.text = ""
        ended = copy.copy(self._decoder)
        ended.finalize()
        held: str = ended.last_segment
        self._read = held.rstrip("\ufffd")
        return self._read

    def _take(self) -> str:
        new: str = self._decoder.last_segment
        if new:
            new, self._read = new.removeprefix(self._read), ""
        self.text += new
        return new
