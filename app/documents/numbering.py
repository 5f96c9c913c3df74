"""The numbers and bullets that Word shows before paragraphs (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from app.documents.office import Piece, number_of

_LEVELS: Final = "012345678"
_PROPERTIES: Final = {"start", "startOverride", "numFmt", "lvlText", "lvlRestart", "isLgl", "pStyle"}
_ONES: Final = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_TENS: Final = [str.maketrans("ivx", letters) for letters in ("cdm", "xlc", "ivx")]
_MOST_NUMBER: Final = 32_767
_MOST_LABEL: Final = 255

Counts = dict[tuple[str, str, int], int]
"""The last number of each level of a list, and which levels of a list have begun, in one story: the text, or a box."""


class Numbering:
    """The lists of a document."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._levels: dict[tuple[str, str, str], dict[str, str]] = {}
        self._lists: dict[str, str] = {}
        self._linked: dict[str, tuple[str, str]] = {}
        owner, level = ("", ""), dict[str, str]()
        for kind, name, about in pieces:
            value = about.get("val", "")
            if kind == "start" and name in {"abstractNum", "num"}:
                owner = (name, about.get(f"{name}Id", ""))
            elif kind == "start" and name in {"lvl", "lvlOverride"}:
                level = self._levels.setdefault((*owner, about.get("ilvl", "")), {})
            elif kind == "start" and name == "abstractNumId":
                self._lists[owner[1]] = value
            elif kind == "start" and name in {"styleLink", "numStyleLink"}:
                self._linked[owner[1]] = owner = ("style", value)
            elif kind == "start" and name in _PROPERTIES:
                level[name] = value

    def label(self, about: Mapping[str, str], counts: Counts) -> str:
        """What stands before the next paragraph, by its properties."""
        num = about.get("numId", "")
        if (name := self._lists.get(num)) is None:
            return ""
        owner = self._linked.get(name, ("abstractNum", name))
        levels = [self._levels.get((*owner, n), {}) | self._levels.get(("num", num, n), {}) for n in _LEVELS]
        named = (n for n, level in enumerate(levels) if level.get("pStyle", "") == about.get("pStyle"))
        place = int(about["ilvl"]) if about.get("ilvl") in {*_LEVELS} else next(named, 0)
        level = levels[place]
        if not level.get("lvlText"):
            return ""
        starts = [number_of(one.get("startOverride", one.get("start", "")), _MOST_NUMBER) for one in levels]
        begins = "startOverride" in level and ("num", num, place) not in counts
        last = counts.get(("", name, place))
        counts["num", num, place] = 1
        counts["", name, place] = starts[place] if last is None or begins else last + 1
        for lower in range(place + 1, len(_LEVELS)):
            if place < number_of(levels[lower].get("lvlRestart", str(lower)), lower):
                counts.pop(("", name, lower), None)

        def number(found: re.Match[str]) -> str:
            higher = int(found[1]) - 1
            shape = "" if higher < place and "isLgl" in level else levels[higher].get("numFmt", "")
            return _shown(counts.get(("", name, higher), starts[higher]), shape)

        if level.get("numFmt") == "bullet":
            return "  " * place + "- "
        return re.sub("%([1-9])", number, level["lvlText"][:_MOST_LABEL]) + " "


def _shown(number: int, shape: str) -> str:
    if shape.startswith("upper"):
        return _shown(number, shape.replace("upper", "lower")).upper()
    if shape == "lowerLetter" and number:
        return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    if shape == "lowerRoman":
        tens = (
            _ONES[int(digit)].translate(letters) for digit, letters in zip(f"{number % 1000:03}", _TENS, strict=True)
        )
        return "m" * (number // 1000) + "".join(tens)
    return "" if shape == "none" else f"{number:0{2 if shape == 'decimalZero' else 1}}"
