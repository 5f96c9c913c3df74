"""The signs of equations in Office documents, which are no text there: those of fractions, roots, powers, matrices and
brackets (ECMA-376 part 1, 22.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from app.documents.office import Piece

_PARTS: Final = dict.fromkeys(("num", "den", "rad", "acc", "bar"), ("(", ")")) | {
    "sup": ("^(", ")"),
    "sub": ("_(", ")"),
    "lim": ("_(", ")"),
    "deg": ("root ", " of "),
    "mr": ("", "; "),
}
"""What stands around a part of an equation, so that a half is not 12."""


@dataclass(slots=True)
class _Object:
    """What stands before, between and after the parts of an object of an equation. `named` are its properties that say
    else (22.1.2).
    """

    before: str = ""
    between: str = ""
    after: str = ""
    named: Mapping[str, str] = field(default_factory=dict)


_OBJECTS: Final = {
    "d": _Object("(", "|", ")", {"begChr": "before", "sepChr": "between", "endChr": "after"}),
    "nary": _Object(before="∫", named={"chr": "before"}),
    "f": _Object(between="/", named={"type": "between"}),
    "acc": _Object(after="\u0302", named={"chr": "after"}),
    "bar": _Object(after="\u0332", named={"pos": "after"}),
    **dict.fromkeys(("m", "eqArr", "groupChr"), _Object(between=", ")),
}
_VALUES: Final = {"top": "\u0305", "bot": "\u0332", "bar": "/", "skw": "/", "lin": "/", "noBar": " atop "}


def signed(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The events of a part, and the signs of its equations."""
    objects, ended = [_Object(between=", ")], ""
    for piece in pieces:
        kind, name, about = piece
        inner, sign = objects[-1], ""
        if kind == "start":
            if name in inner.named:
                setattr(inner, inner.named[name], _VALUES.get(about.get("val", ""), about.get("val", "")))
            if name == "den" or name == ended == "e":
                sign = inner.between
            elif name in {"e", "sub", "sup"}:
                sign, inner.before = inner.before, ""
            if name in _OBJECTS:
                objects.append(replace(_OBJECTS[name]))
        if kind != "text":
            sign += _PARTS[name][kind == "end"] if name in _PARTS else ""
            ended = name if kind == "end" else ""
        if kind == "end" and name in _OBJECTS:
            sign += objects.pop().after
        if sign:
            yield "sign", sign, {}
        yield piece
