"""The text of a Word document (.docx)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.documents.limits import Text

if TYPE_CHECKING:
    from app.documents.office import Office

MAIN: Final = "word/document.xml"
_HEADINGS: Final = {f"Heading{level}": "#" * level + " " for level in range(1, 7)} | {"Title": "# "}


def read(office: Office) -> str:
    """The paragraphs, with headings as in Markdown. Each row of a table is a line with tabs. Raises DocumentRefused."""
    text, in_text, cells = Text(), False, 0
    for kind, name, about in office.pieces(MAIN):
        if kind == "text":
            if in_text:
                text.add(name)
        elif name == "t":
            in_text = kind == "start"
        elif name == "tc":
            cells += 1 if kind == "start" else -1
            text.add("\t" if kind == "end" else "")
        elif (kind, name) == ("start", "noBreakHyphen"):
            text.add("-")
        elif (kind, name) in {("end", "tr"), ("start", "br")} or (kind == "end" and name == "p" and not cells):
            text.add("\n")
        elif kind == "end" and name == "p":
            text.add(" ")
        elif kind == "start":
            text.add(_HEADINGS.get(about.get("val", ""), "") if name == "pStyle" else "\t" * (name == "tab"))
    return text.whole()
