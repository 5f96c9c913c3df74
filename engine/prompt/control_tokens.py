"""Control tokens in text that the template has not written. A document, a pasted text or an import may spell them. If
the tokenizer took them for its own, the document could end the user's turn and speak as the system.

They are broken: `BREAK` stands after their first sign in the rendered text, and each part is encoded by itself. So the
model still reads every sign, as ordinary text.

Templates change texts. If one deletes `/think`, `<|im_/thinkend|>` becomes a control token. So the template is given a
`BREAK` after each sign that could begin one. Those that break no control token are taken out of what it writes. Pure.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from engine.prompt.message_format import common
from storage.untrusted import parse_json

BREAK: Final = "\ufdd0"
"""A noncharacter: Unicode keeps it for uses inside a program (The Unicode Standard, 23.7)."""

LONGEST_NAME: Final = 100
"""Groups of a pattern may nest as deep as a name is long. Published tokenizers have names of up to 40 characters."""
_JSON_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class ControlTokens:
    """The control tokens of one tokenizer: their ids by name."""

    def __init__(self, ids: Mapping[str, int]) -> None:
        self._names = {i: name for name, i in ids.items()}
        names = sorted(name for name in ids if 1 < len(name) <= LONGEST_NAME)
        rests = {sign: [name[1:] for name in group] for sign, group in groupby(names, itemgetter(0))}
        self._signs = list(rests)
        starts = (f"{re.escape(sign)}(?=({_longest(rest)}))" for sign, rest in rests.items())
        self._starts = re.compile("|".join(starts) or r"(?!)")
        used = (f"(?<={re.escape(sign)}{BREAK}){_longest(rest, f'{BREAK}?')}" for sign, rest in rests.items())
        self._unused = re.compile(f"{BREAK}(?!{'|'.join(used) or r'(?!)'})")

    def broken(self, text: str) -> str:
        """`text` with a `BREAK` after each sign that could begin a control token, and no other."""
        text = text.replace(BREAK, "")
        for sign in self._signs:
            text = text.replace(sign, sign + BREAK)
        return text

    def broken_in_json(self, text: str) -> str:
        """The same in the strings of the JSON `text`, also after signs that are written as escapes: templates may parse
        it. A text that is no JSON is broken as a whole.
        """
        try:
            parse_json(text)
        except ValueError:
            return self.broken(text)
        return _JSON_STRING.sub(self._broken_string, text)

    def mended(self, text: str) -> str:
        """What a template has written, without each `BREAK` that breaks no control token."""
        while BREAK * 2 in text:
            text = text.replace(BREAK * 2, BREAK)
        return self._unused.sub("", text)

    def _broken_string(self, string: re.Match[str]) -> str:
        if "\\" not in string[0]:
            return self.broken(string[0])
        plain = parse_json(string[0])
        broken = self.broken(plain)
        return string[0] if broken == plain else json.dumps(broken, ensure_ascii=False)

    def last_end(self, text: str, begin: int) -> int:
        """The end of the last control token in `text` that starts at or after `begin` (0: none)."""
        return max((_end(at) for at in self._starts.finditer(text, begin)), default=0)

    def ending(self, text: str) -> str:
        """The control token that ends `text`; empty if none does."""
        return next((text[at.start() :] for at in self._starts.finditer(text) if _end(at) == len(text)), "")

    def spelled_in(self, text: str) -> Counter[str]:
        """How often `text` spells each control token."""
        return Counter(text[at.start() : _end(at)] for at in self._starts.finditer(text))

    def split(self, ids: Sequence[int]) -> tuple[Counter[str], list[int]]:
        """How often each control token is among `ids`, and the other ids."""
        return Counter(self._names[i] for i in ids if i in self._names), [i for i in ids if i not in self._names]


def _end(at: re.Match[str]) -> int:
    """The end of the token whose first sign was matched. The group of the lookahead has the rest."""
    return at.end(at.lastindex or 0)


def _longest(names: Sequence[str], after_sign: str = "") -> str:
    """A pattern for the longest of the sorted `names`, with `after_sign` after each sign. It is a tree: some tokenizers
    have thousands of names, of which a search tries few at each place.
    """
    groups = [list(group) for _, group in groupby(filter(None, names), itemgetter(0))]
    begins = [(group[0][: common(group[0], group[-1])], group) for group in groups]
    tree = "|".join(
        "".join(re.escape(sign) + after_sign for sign in begin)
        + _longest([name[len(begin) :] for name in group], after_sign)
        for begin, group in begins
    )
    return f"(?:{tree}){'' if names[0] else '?'}" if tree else ""


def control_tokens_in(tokenizer: Any, written: str) -> ControlTokens:
    """The tokens that `tokenizer` calls special, and those added tokens that the template has `written` or that enclose
    reasoning and calls: some models mark turns with tokens that are not called special. Words are no marks.
    """
    marks = {getattr(tokenizer, f"{part}_{end}", None) for part in ("think", "tool_call") for end in ("start", "end")}
    return ControlTokens(
        {
            token.content: i
            for i, token in getattr(tokenizer, "added_tokens_decoder", {}).items()
            if token.content.strip()
            and (token.special or token.content in marks or (token.content in written and not token.content.isalpha()))
        }
    )
