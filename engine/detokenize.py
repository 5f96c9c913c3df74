"""Detokenising: a row's tokens to text, as they come. Owns the end token's absence; mlx-lm owns the decoding itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


class RowText:
    """The text of one reply. An incomplete character is held back until its last byte is there."""

    def __init__(self, tokenizer: Any, shown: Iterable[int] = ()) -> None:
        """`tokenizer` is mlx-lm's wrapper. `shown` are tokens that the user has read already (a continued reply): they
        shape what follows them (spaces, split characters) and are not told again.
        """
        self._decoder = tokenizer.detokenizer
        self.text = ""
        for token in shown:
            self._decoder.add_token(token)
        _ = self._decoder.last_segment

    def add(self, token: int) -> str:
        """The text that became readable with `token`."""
        self._decoder.add_token(token)
        return self._take()

    def finish(self) -> str:
        """What was held back, now that nothing follows."""
        self._decoder.finalize()
        return self._take()

    def _take(self) -> str:
        new: str = self._decoder.last_segment
        self.text += new
        return new
