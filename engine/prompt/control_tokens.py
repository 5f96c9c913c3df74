"""Control tokens in text that the template has not written. A document, a pasted text or an import may spell them. If
the tokenizer took them for its own, the document could end the user's turn and speak as the system.

They are broken: `BREAK` stands after their first sign in the rendered text, and each part is encoded by itself. So the
model still reads every sign, as ordinary text. Pure.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from storage.untrusted import parse_json

BREAK: Final = "\ufdd0"
"""A noncharacter: Unicode keeps it for uses inside a program (The Unicode Standard, 23.7)."""

_LONGEST_NAME: Final = 100
"""Groups of a pattern nest as deep as a name is long. Published tokenizers have names of up to 40 characters."""
_JSON_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)', re.DOTALL)


class ControlTokens:
    """The control tokens of one tokenizer: their ids by name."""

    def __init__(self, ids: Mapping[str, int]) -> None:
        self._names = {i: name for name, i in ids.items()}
        names = sorted(name for name in ids if 1 < len(name) <= _LONGEST_NAME)
        # Some tokenizers have thousands: as flat alternatives they take seconds for a megabyte of HTML.
        starts = (
            f"{re.escape(a)}(?=({_longest([n[1:] for n in group])}))" for a, group in groupby(names, itemgetter(0))
        )
        self._starts = re.compile("|".join(starts) or r"(?!)")

    def broken(self, text: str) -> str:
        """`text` with each control token broken, also one that overlaps another. A `BREAK` of its own is left out."""
        return self._starts.sub(lambda at: at[0] + BREAK, text.replace(BREAK, ""))

    def broken_in_json(self, text: str) -> str:
        """The JSON `text` with each control token broken, also one with escapes, which templates may parse."""
        return _JSON_STRING.sub(self._broken_string, self.broken(text))

    def _broken_string(self, string: re.Match[str]) -> str:
        try:
            plain = parse_json(string[0]) if "\\" in string[0] else ""
        except ValueError:
            return string[0]
        broken = self.broken(plain.encode("utf-8", "replace").decode())  # half characters cannot be encoded
        return string[0] if broken == plain else json.dumps(broken, ensure_ascii=False)

    def last_end(self, text: str, begin: int) -> int:
        """The end of the last control token in `text` that starts at or after `begin` (0: none)."""
        return max((_end(at) for at in self._starts.finditer(text, begin)), default=0)

    def spelled_in(self, text: str) -> Counter[str]:
        """How often `text` spells each control token."""
        return Counter(text[at.start() : _end(at)] for at in self._starts.finditer(text))

    def split(self, ids: Sequence[int]) -> tuple[Counter[str], list[int]]:
        """How often each control token is among `ids`, and the other ids."""
        return Counter(self._names[i] for i in ids if i in self._names), [i for i in ids if i not in self._names]


def _end(at: re.Match[str]) -> int:
    """The end of the token whose first sign was matched. The group of the lookahead has the rest."""
    return at.end(at.lastindex or 0)


def _longest(names: Sequence[str]) -> str:
    """A pattern for the longest of the sorted `names`: their tree, so that a search tries few of them at each place."""
    tree = "|".join(
        re.escape(first) + _longest([name[1:] for name in group])
        for first, group in groupby(filter(None, names), itemgetter(0))
    )
    return f"(?:{tree}){'' if names[0] else '?'}" if tree else ""


def control_tokens_in(tokenizer: Any, written: str) -> ControlTokens:
    """The tokens that `tokenizer` calls special, and those added tokens that the template has `written` or that enclose
    reasoning and calls: some models mark turns with tokens that are not called special.
    """
    marks = {getattr(tokenizer, f"{part}_{end}", None) for part in ("think", "tool_call") for end in ("start", "end")}
    return ControlTokens(
        {
            token.content: i
            for i, token in getattr(tokenizer, "added_tokens_decoder", {}).items()
            if token.content.strip() and (token.special or token.content in written or token.content in marks)
        }
    )
