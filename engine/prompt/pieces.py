"""Cuts a long text into pieces whose tokens can be counted one after another. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE_CHARS: Final = 16_384
"""Tokenizers take some milliseconds for so many."""
_LOOK_BACK: Final = 256


def pieces(text: str, size: int = PIECE_CHARS) -> Iterator[str]:
    """The pieces of `text`, in order. A piece ends before white space if there is some near its end, so that a cut
    seldom splits a token.
    """
    begin = 0
    while begin < len(text):
        end = _end(text, begin, size)
        yield text[begin:end]
        begin = end


def _end(text: str, begin: int, size: int) -> int:
    end = begin + size
    if end >= len(text):
        return len(text)
    spaces = (place for place in range(end, max(begin, end - _LOOK_BACK), -1) if text[place].isspace())
    return next(spaces, end)
