"""The text of a Word document (.docx)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.documents.limits import Text

if TYPE_CHECKING:
    from app.documents.office import Office

MAIN: Final = "word/document.xml"
_HEADINGS: Final = {f"Heading{level}": "#" * level + " " for level in range(1, 7)} | {"Title": "# "}
_SIGNS: Final = {"tab": "\t", "noBreakHyphen": "-"}
_COPIES: Final = {"Fallback", "moveFrom"}
"""A text box once more, for an older Word, and a text at the place from which it was moved."""


def read(office: Office) -> str:
    """The paragraphs, with headings as in Markdown. Each row of a table is a line with tabs. Raises DocumentRefused."""
    text, in_text, is_copy, cells = Text(), False, False, 0
    for kind, name, about in office.pieces(MAIN):
        if kind == "text":
            if in_text:
                text.add(name)
        elif name in _COPIES:
            is_copy = kind == "start"
        elif name == "t":
            in_text = kind == "start" and not is_copy
        elif name == "tc":
            cells += 1 if kind == "start" else -1
            text.add("\t" if kind == "end" else "")
        elif (kind, name) in {("end", "tr"), ("start", "br")} or (kind == "end" and name == "p" and not cells):
            text.add("\n")
        elif kind == "end" and name == "p":
            text.add(" ")
        elif kind == "start" and not is_copy:
            text.add(_HEADINGS.get(about.get("val", ""), "") if name == "pStyle" else _SIGNS.get(name, ""))
    return text.whole()
