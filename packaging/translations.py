"""Finds the texts for people in the code, and keeps the translations (resources/language/*.ts) in step with it.

`make translations` adds new texts as unfinished, for Qt Linguist or an editor, and removes texts that the code no
longer has. A text is the literal first argument of `tr`, `mark`, `sentence` or `plural`, see resources/language.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDERS: Final = ("app", "engine", "storage", "ui")
_FORMS: Final = 2
"""German has two forms, as English has: for one, and for other numbers."""


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text for people. `one` is the English form for one of something; `comment` tells two meanings apart."""

    source: str
    comment: str = ""
    one: str = ""


def found_texts() -> dict[Text, set[str]]:
    """Every text in the code, with the files that have it."""
    found: dict[Text, set[str]] = defaultdict(set)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for text in texts_of(ast.parse(path.read_text("utf-8"))):
                found[text].add(path.relative_to(ROOT).as_posix())
    return found


def texts_of(tree: ast.AST) -> Iterator[Text]:
    """The texts of a module."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id="plural" | "mark_plural"), args=[ast.Constant(str(one)), ast.Constant(str(many)), *_]
            ):
                yield Text(many, one=one)
            case ast.Call(func=ast.Name(id="tr" | "mark" | "sentence"), args=[source, *rest]):
                comment = next((a.value for a in rest if isinstance(a, ast.Constant)), "")
                for literal in _literals(source):
                    yield Text(literal, str(comment))


def _literals(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from _literals(body)
            yield from _literals(orelse)


def update(path: Path) -> int:
    """Bring a file of translations in step with the code. Returns how many texts have no translation yet."""
    root = ET.parse(path).getroot()  # noqa: S314 - a file of our own
    known = {_key(message): message for message in root.iter("message")}
    context = ET.Element("context")
    ET.SubElement(context, "name").text = "Hearth"
    for text, places in sorted(found_texts().items()):
        context.append(_message(text, places, known.get((text.source, text.comment))))
    for old in root.findall("context"):
        root.remove(old)
    root.append(context)
    ET.indent(root, "    ")
    body = ET.tostring(root, "unicode")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', "utf-8")
    return sum(1 for translation in root.iter("translation") if translation.get("type"))


def _key(message: ET.Element) -> tuple[str, str]:
    return message.findtext("source", ""), message.findtext("comment", "")


def _message(text: Text, places: set[str], known: ET.Element | None) -> ET.Element:
    message = ET.Element("message", {"numerus": "yes"} if text.one else {})
    for place in sorted(places):
        ET.SubElement(message, "location", filename=f"../../{place}")
    ET.SubElement(message, "source").text = text.source
    if text.comment:
        ET.SubElement(message, "comment").text = text.comment
    if text.one:
        ET.SubElement(message, "extracomment").text = f"For one: {text.one}"
    translation = known.find("translation") if known is not None else None
    if translation is None or bool(len(translation)) is not bool(text.one):
        translation = _untranslated(text)
    message.append(translation)
    return message


def _untranslated(text: Text) -> ET.Element:
    translation = ET.Element("translation", type="unfinished")
    for _ in range(_FORMS if text.one else 0):
        ET.SubElement(translation, "numerusform")
    return translation


def main() -> int:
    """Update every file of translations."""
    for path in sorted((ROOT / "resources" / "language").glob("*.ts")):
        print(f"{path.relative_to(ROOT)}: {update(path)} texts to translate")
    return 0


if __name__ == "__main__":
    sys.exit(main())
