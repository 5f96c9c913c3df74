"""Words that are one typing error away from a word. Pure."""

from __future__ import annotations

import string
from typing import Final

SHORTEST: Final = 5
"""Of shorter words too many others are one error away."""

_LETTERS: Final = string.ascii_lowercase + string.digits


def neighbours(word: str) -> set[str]:
    """All texts that become `word` by one letter more, less or other, or by swapping two. The letters are those of
    English and of the word itself.
    """
    letters = set(_LETTERS) | set(word)
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    lost = {head + tail[1:] for head, tail in cuts if tail}
    swapped = {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    other = {head + letter + tail[1:] for head, tail in cuts if tail for letter in letters}
    more = {head + letter + tail for head, tail in cuts for letter in letters}
    return (lost | swapped | other | more) - {word}
