"""Writes chats as Markdown, and reads them again.

Only the active branch is written, with its words unchanged; `hearth_json` keeps branches, reasoning and figures. The
headings are in the user's language. An invisible comment before every turn identifies Hearth's own files, whatever
their language. Other files are read by their headings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Final

from app.documents.plain_text import escaped
from app.import_export import headings
from app.import_export.headings import in_a_row, left_open
from app.import_export.import_summary import Remark, Remarks, counts
from resources.language import catalogue
from resources.language.text import mark, present, tr
from storage.library.archive import LATEST, Archive, ArchivedConversation, ArchivedMessage
from storage.library.rows import Role

_UNTITLED: Final = mark("New chat")
_HEADINGS: Final = {
    "system": mark("System", "speaker"),
    "user": mark("User", "speaker"),
    "assistant": mark("Assistant", "speaker"),
    "tool": mark("Tool", "speaker"),
}
_ROLES: Final[dict[str, Role]] = {"user": "user", "assistant": "assistant", "tool": "tool"}
_MARK: Final = re.compile(r"<!-- hearth:(chat|system|user|assistant|tool)(?: ([0-9]{1,15}))? -->")
_DATE: Final = re.compile(r"\*[^*]+\*")
_LIKE_A_MARK: Final = re.compile(r"^(\\*<!-- hearth:)", re.MULTILINE)
_ESCAPED: Final = re.compile(r"^\\(\\*<!-- hearth:)", re.MULTILINE)


def encode(archive: Archive) -> str:
    """Return one document, with a heading of the first level for each conversation."""
    return "\n".join(_chat(one) for one in archive.conversations)


def _chat(one: ArchivedConversation) -> str:
    title = " ".join(one.title.split()) or tr(_UNTITLED)
    parts = [f"<!-- hearth:chat {one.updated} -->\n# {title}", f"*{_date(one.updated)}*"]
    if one.system:
        parts.append(f"<!-- hearth:system -->\n## {tr(_HEADINGS['system'], 'speaker')}\n\n{_words(one.system)}")
    parts += [_turn(said) for said in branch(one)]
    return "\n\n".join(parts) + "\n"


def _turn(said: ArchivedMessage) -> str:
    files = "".join("\n\n" + tr("[File: {name}]", name=escaped(attached.name)) for attached in said.attachments)
    heading = tr(_HEADINGS[said.role], "speaker")
    return f"<!-- hearth:{said.role} {said.created} -->\n## {heading}\n\n{_words(said.content)}{files}"


def _words(content: str) -> str:
    """Close a code block that is left open, because it would swallow the following turns."""
    fence = left_open(content)
    return _LIKE_A_MARK.sub(r"\\\1", content.strip("\n")) + (f"\n{fence}" if fence else "")


def branch(one: ArchivedConversation) -> list[ArchivedMessage]:
    """Return the messages from the root to the leaf; to the last message if the leaf is unknown."""
    known = {said.id: said for said in one.messages}
    at = one.leaf if one.leaf in known else next(reversed(known), None)
    line: dict[str, ArchivedMessage] = {}
    while at is not None and at in known and at not in line:
        line[at] = known[at]
        at = known[at].parent
    return list(line.values())[::-1]


def _date(moment: int) -> str:
    day = datetime.fromtimestamp(moment / 1000, UTC).astimezone()
    return present().formats.date(day, has_year=True)


@cache
def _in_every_language(*texts: tuple[str, str]) -> frozenset[str]:
    """These texts, each with its comment, as any window writes them: a file may come from one in another language."""
    catalogues = [catalogue.read(code) for code in catalogue.NAMES]
    return frozenset(one.get((text, comment), (text,))[0] for one in catalogues for text, comment in texts)


def decode(document: str, name: str) -> Archive:
    """Return the conversations in `document`: Hearth's by their marks, or the one that other headings make, called
    `name` if it has no title. The archive is empty if there is neither.
    """
    before, *parts = _parts(document)
    if not parts:
        return headings.decode(document, name)
    if parts[0].kind != "chat":  # its mark was lost; others are still there
        parts.insert(0, _Part("chat", 0, [f"# {name}"]))
    starts = [place for place, part in enumerate(parts) if part.kind == "chat"]
    ends = [*starts[1:], len(parts)]
    chats = [parts[start:end] for start, end in zip(starts, ends, strict=True)]
    remarks: Remarks = Counter()
    remarks[Remark.PREFACE] += _has_words(before.lines) + sum(_has_words(chat[0].preface) for chat in chats)
    return Archive(tuple(_read(chat, remarks) for chat in chats), counts(remarks))


def _has_words(lines: list[str]) -> bool:
    return any(map(str.strip, lines))


@dataclass(frozen=True, slots=True)
class _Part:
    """The lines between two marks; the first line with words is their heading. `moment` is in ms, UTC."""

    kind: str
    moment: int
    lines: list[str]

    @property
    def heading(self) -> str:
        return next((line.lstrip("# ") for line in self.lines if line.strip()), "").rstrip()

    @property
    def preface(self) -> list[str]:
        """The lines below the title of a chat, without its date, in a file that others changed."""
        return [line for line in self.lines if line.strip()][1:][bool(_DATE.fullmatch(self._second)) :]

    @property
    def _second(self) -> str:
        return next(iter([line.strip() for line in self.lines if line.strip()][1:2]), "")

    @property
    def words(self) -> str:
        """All lines except the heading; all of them if others removed the heading."""
        first, line_break, below = "\n".join(self.lines).lstrip("\n").partition("\n")
        known = _in_every_language(*((heading, "speaker") for heading in _HEADINGS.values()))
        has_heading = first.startswith("## ") and first[3:].rstrip() in known
        words = below if has_heading else first + line_break + below
        return _ESCAPED.sub(r"\1", words.strip("\n"))


def _parts(document: str) -> Iterator[_Part]:
    """Yield the lines before the first mark, then each part with its mark."""
    part = _Part("", 0, [])
    for line in document.split("\n"):
        if found := _MARK.fullmatch(line.rstrip("\r")):
            yield part
            part = _Part(found[1], int(found[2] or 0), [])
        else:
            part.lines.append(line.rstrip("\r"))
    yield part


def _read(parts: list[_Part], remarks: Remarks) -> ArchivedConversation:
    chat, *rest = (_dated(part, remarks) for part in parts)
    messages = in_a_row((_ROLES[part.kind], part.words, part.moment) for part in rest if part.kind in _ROLES)
    return ArchivedConversation(
        title="" if chat.heading in _in_every_language((_UNTITLED, "")) else chat.heading,
        messages=messages,
        leaf=messages[-1].id if messages else None,
        system="\n\n".join(part.words for part in rest if part.kind == "system"),
        created=next((said.created for said in messages), chat.moment),
        updated=chat.moment,
    )


def _dated(part: _Part, remarks: Remarks) -> _Part:
    if part.moment <= LATEST:
        return part
    remarks[Remark.DATE] += 1
    return replace(part, moment=0)
