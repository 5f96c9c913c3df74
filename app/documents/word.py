"""The text of a Word document (.docx)."""

from __future__ import annotations

from typing import Final

from app.documents.limits import Text
from app.documents.office import Office

_MAIN: Final = "word/document.xml"
_LINKS: Final = "_rels/.rels"
_HEADINGS: Final = {f"Heading{level}": "#" * level + " " for level in range(1, 7)} | {"Title": "# "}
_SIGNS: Final = {"tab": "\t", "noBreakHyphen": "-"}
_COPIES: Final = {"Fallback", "moveFrom"}
"""A text box once more, for an older Word, and a text at the place from which it was moved."""


def main(office: Office) -> str:
    """The name of the part with the text, if this is a Word document. Word on the web takes other names, such as
    `word/document2.xml`.
    """
    if _MAIN in office or _LINKS not in office:
        return _MAIN
    links = (about for _, name, about in office.pieces(_LINKS) if name == "Relationship")
    parts = (link.get("Target", "").lstrip("/") for link in links if link.get("Type", "").endswith("/officeDocument"))
    return next((part for part in parts if part.startswith("word/")), _MAIN)


def read(office: Office, part: str) -> str:
    """The paragraphs, with headings as in Markdown. Each row of a table is a line with tabs. Raises DocumentRefused."""
    text, in_text, is_copy, cells = Text(), False, False, 0
    for kind, name, about in office.pieces(part):
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
            is_sign = not about  # a tab with attributes is a stop of the ruler
            text.add(_HEADINGS.get(about.get("val", ""), "") if name == "pStyle" else _SIGNS.get(name, "") * is_sign)
    return text.whole()
