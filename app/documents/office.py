"""The parts of an Office file: XML in a zip archive. Called only in the process of `app.documents.process`.

Invariants:
- A tag or a comment of more than MOST_TOKEN_BYTES is refused.
- No more is unpacked than MOST_UNPACKED_BYTES, whatever the archive says about its sizes.
- Entities are never expanded: no Office file has a document type, so one with it is refused.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from posixpath import join, normpath, split
from typing import Final
from xml.parsers import expat

from app.documents.limits import MOST_UNPACKED_BYTES, DocumentRefused, refuse_long
from resources.language.text import mark

_PORTION: Final = 1 << 16


Piece = tuple[str, str, dict[str, str]]
"""One event of an XML part: the start of an element with its attributes, its end, or text. Names have no namespace."""


class Office:
    """An archive whose parts are read one after another. Raises DocumentRefused."""

    def __init__(self, path: Path) -> None:
        self._archive = zipfile.ZipFile(path)
        self._names = {name.lower(): name for name in self._archive.namelist()}  # names have no case (ECMA-376 part 2)
        self._left = MOST_UNPACKED_BYTES

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._names

    def pieces(self, name: str) -> Iterator[Piece]:
        """The events of a part, in order."""
        found: list[Piece] = []
        unfinished = 0
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True

        def refuse(*_: object) -> None:
            raise DocumentRefused(mark("“{name}” is not a document that Word, Excel or PowerPoint has written."))

        def start(tag: str, about: dict[str, str]) -> None:
            plain_first = sorted(about.items(), key=lambda one: "}" in one[0])  # `r:id` wins
            found.append(("start", _local(tag), {_local(name): value for name, value in plain_first}))

        parser.StartDoctypeDeclHandler = refuse
        parser.StartElementHandler = start
        parser.EndElementHandler = lambda tag: found.append(("end", _local(tag), {}))
        parser.CharacterDataHandler = lambda words: found.append(("text", words, {}))
        with self._archive.open(self._names[name.lower()]) as part:
            while portion := part.read(_PORTION):
                self._left -= len(portion)
                if self._left < 0:
                    raise DocumentRefused(mark("“{name}” is too large once it is unpacked."))
                parser.Parse(portion, False)  # noqa: FBT003 - expat's own flag: more follows
                unfinished = 0 if found else unfinished + len(portion)
                refuse_long(unfinished)
                yield from found
                found.clear()
        parser.Parse(b"", True)  # noqa: FBT003 - expat's own flag: that was all
        yield from found

    def links(self, part: str) -> Iterator[tuple[str, str, str]]:
        """What a part links to, each with the name of the link, its kind, and the part; those of the archive for ""."""
        folder, name = split(part)
        about_part = join(folder, "_rels", f"{name}.rels")
        for kind, element, about in self.pieces(about_part) if about_part in self else ():
            if (kind, element) == ("start", "Relationship"):
                target = normpath(join("/", folder, about.get("Target", ""))).lstrip("/")
                yield about.get("Id", ""), about.get("Type", "").rpartition("/")[2], target


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def number_of(value: str, most: int) -> int:
    """The number that an attribute says, `most` at most, and 0 if it says none."""
    return min(int(value[:9]), most) if value.isdecimal() else 0
