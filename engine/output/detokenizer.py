"""Decodes a row's tokens to text as they come. mlx-lm does the decoding; end tokens never reach this module."""

from __future__ import annotations

import copy
from typing import Any


class RowDetokenizer:
    """The text of one reply. Holds an incomplete character back until its last byte arrives."""

    def __init__(self, tokenizer: Any) -> None:
        """`tokenizer` is mlx-lm's wrapper."""
        self._decoder = tokenizer.detokenizer
        self._already_shown = ""
        self.text = ""

    def add(self, token: int) -> str:
        """The text that `token` completes."""
        self._decoder.add_token(token)
        return self._take()

    def finish(self) -> str:
        """The text held back, now that no token follows."""
        self._decoder.finalize()
        return self._take()

    def skip_shown(self) -> str:
        """Treat all tokens so far as shown: they only affect what follows them (spaces, split characters).

        Returns the text that the decoder still holds back of them. It was shown at the end of the reply so far and is
        not returned again.
        """
        self.text = ""
        ended = copy.copy(self._decoder)
        ended.finalize()
        held: str = ended.last_segment
        self._already_shown = held.rstrip("\ufffd")
        return self._already_shown

    def _take(self) -> str:
        new: str = self._decoder.last_segment
        if new:
            new, self._already_shown = new.removeprefix(self._already_shown), ""
        self.text += new
        return new
