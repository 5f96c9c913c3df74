"""The plain words of a Markdown text, for one-line previews. It uses patterns, not the parser. No Qt."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^[^\S\n]*(```|~~~).*$|^[ \t\r|:]*(?:--?[ \t\r|:]+)*---[ \t\r|:-]*$", re.MULTILINE)
_PREFIX = re.compile(r"^[^\S\n]*(?:(?:#{1,6}|>|[-*+]|\d+[.)])\s+)+", re.MULTILINE)
_LINK = re.compile(r"!?\[([^][\n]*)\]\([^()\n]*\)")  # what is not in it ends each try at once
_NOTE = re.compile(r"(?<!`)\[\^(?:\d{1,4}|[A-Za-z]\w[\w-]{1,29})\](?!\():?")
_DOUBLE = re.compile(r"\*\*|__|~~|`")
_SINGLE = re.compile(r"(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_BAR = re.compile(r"(?<!\S)\|(?!\S)|^\||\|$", re.MULTILINE)


def plain(text: str) -> str:
    """`text` without Markdown syntax. Each run of white space becomes one blank."""
    text = _PREFIX.sub("", _FENCE.sub("", text))
    text = _SINGLE.sub("", _DOUBLE.sub("", _LINK.sub(r"\1", _NOTE.sub("", text))))
    return " ".join(_BAR.sub(" ", text).split())
