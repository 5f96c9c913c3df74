"""Plain words of a Markdown text, for previews of a line. Owns a quick reading that drops the marks; how the text looks
in full is left to `lines`.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"^\s*(```|~~~).*$|^[\s|:-]*-{3,}[\s|:-]*$", re.MULTILINE)
_PREFIX = re.compile(r"^\s*(?:(?:#{1,6}|>|[-*+]|\d+[.)])\s+)+", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_DOUBLE = re.compile(r"\*\*|__|~~|`")
_SINGLE = re.compile(r"(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_BAR = re.compile(r"(?<!\S)\|(?!\S)|^\||\|$", re.MULTILINE)


def plain(text: str) -> str:
    """`text` without Markdown's marks, its white space as single blanks."""
    text = _PREFIX.sub("", _FENCE.sub("", text))
    text = _SINGLE.sub("", _DOUBLE.sub("", _LINK.sub(r"\1", text)))
    return " ".join(_BAR.sub(" ", text).split())
