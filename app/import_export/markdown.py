"""Writes chats as Markdown, and reads them again.

Only the active branch is written, with its words unchanged; `hearth_json` keeps branches, reasoning and figures. The
headings are in the user's language. An invisible comment before every turn identifies Hearth's own files, whatever
their language.

Other files are read by the headings or names that begin each turn: "## User", "**User:** words" or "User: words",
whichever the file uses, outside of code blocks. The names are English, or those that Hearth writes in another language.
The first mark of the user and the first of the assistant set the name and the level of heading of each in this file, so
that an answer may have a heading like "### Model". A system prompt comes before all turns. Another name of that level
begins a turn if it answers a question that has no other answer: a second model may have written it. Any other line that
names a speaker stays in its message, and is counted unless it names the speaker of that message.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from itertools import groupby, pairwise, product
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from app.base.errors import ImportRefused
from app.documents.plain_text import escaped
from app.import_export.import_summary import Remark, Remarks, counts
from resources.language import catalogue
from resources.language.text import mark, present, tr
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.rows import LATEST, Role

_LONGEST_CHAT: Final = 1 << 22
"""Characters of a chat of another program: a million tokens. They are read in seconds, and Cancel waits for that."""
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
    day = datetime.fromtimestamp(one.updated / 1000, UTC).astimezone()
    date = present().formats.date(day, has_year=True)
    parts = [f"<!-- hearth:chat {one.updated} -->\n# {title}", f"*{date}*"]
    if one.system:
        parts.append(f"<!-- hearth:system -->\n## {tr(_HEADINGS['system'], 'speaker')}\n\n{_words(one.system)}")
    for said in branch(one):
        files = "".join("\n\n" + tr("[File: {name}]", name=escaped(attached.name)) for attached in said.attachments)
        heading = tr(_HEADINGS[said.role], "speaker")
        parts.append(f"<!-- hearth:{said.role} {said.created} -->\n## {heading}\n\n{_words(said.content)}{files}")
    return "\n\n".join(parts) + "\n"


def _words(content: str) -> str:
    """Close a code block that is left open, because it would swallow the following turns. One in a list item or a quote
    ends with that.
    """
    _, fence, is_inner = next(reversed([*_fences(content.splitlines())]), ("", "", False))
    return _LIKE_A_MARK.sub(r"\\\1", content.strip("\n")) + (f"\n{fence}" if fence and not is_inner else "")


def branch(one: ArchivedConversation) -> list[ArchivedMessage]:
    """Return the messages from the root to the leaf; to the last message if the leaf is unknown."""
    known = {said.id: said for said in one.messages}
    at = one.leaf if one.leaf in known else next(reversed(known), None)
    line: dict[str, ArchivedMessage] = {}
    while at is not None and at in known and at not in line:
        line[at] = known[at]
        at = known[at].parent
    return list(line.values())[::-1]


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
        return _decoded_by_names(document, name)
    if parts[0].kind != "chat":  # its mark was lost; others are still there
        parts.insert(0, _Part("chat", 0, [f"# {name}"]))
    starts = [place for place, part in enumerate(parts) if part.kind == "chat"]
    chats = [parts[start:end] for start, end in zip(starts, [*starts[1:], len(parts)], strict=True)]
    remarks: Remarks = Counter()
    prefaces = (before.lines, *(chat[0].preface for chat in chats))
    remarks[Remark.PREFACE] += sum(any(map(str.strip, lines)) for lines in prefaces)
    return Archive(tuple(_read(chat, remarks) for chat in chats), counts(remarks))


@dataclass(frozen=True, slots=True)
class _Part:
    """The lines between two marks; the first line with words is their heading. `moment` is in ms, UTC."""

    kind: str
    moment: int
    lines: list[str]

    @property
    def heading(self) -> str:
        return next((line.lstrip("#").strip() for line in self.lines if line.strip()), "")

    @property
    def preface(self) -> list[str]:
        """The lines below the title of a chat, without its date, in a file that others changed."""
        below = [line for line in self.lines if line.strip()][1:]
        return below[bool(below and _DATE.fullmatch(below[0].strip())) :]

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
    remarks[Remark.DATE] += sum(part.moment > LATEST for part in parts)
    chat, *rest = (replace(part, moment=0) if part.moment > LATEST else part for part in parts)
    messages = _in_a_row((_ROLES[part.kind], part.words, part.moment) for part in rest if part.kind in _ROLES)
    return ArchivedConversation(
        title="" if chat.heading in _in_every_language((_UNTITLED, "")) else chat.heading,
        messages=messages,
        leaf=messages[-1].id if messages else None,
        system="\n\n".join(part.words for part in rest if part.kind == "system"),
        created=next((said.created for said in messages), chat.moment),
        updated=chat.moment,
    )


Speaker = Literal["user", "assistant", "system", "tool"]

_ASSISTANT: Final = (
    "assistant",
    "chatgpt",
    "claude",
    "gemini",
    "ai",
    "model",
    "bot",
    "response",
    "answer",
    "assistent",
)
_SPEAKERS: Final[dict[str, Speaker]] = {
    **dict.fromkeys(("user", "you", "human", "me", "prompt", "question", "nutzer"), "user"),
    **dict.fromkeys(_ASSISTANT, "assistant"),
    **dict.fromkeys(("system", "system prompt"), "system"),
    **dict.fromkeys(("tool", "werkzeug"), "tool"),
}
_NAME: Final = rf"(?ai:(?P<name>{'|'.join(sorted(_SPEAKERS, key=len, reverse=True))})(?: said)?)"
_STYLES: Final = (
    re.compile(rf" {{0,3}}#{{1,6}} ++(?:\*\*)?+{_NAME}[ :*]*+(?P<rest>(?:\([^()]*+\))?+)[ :*]*+#*+"),
    re.compile(rf" {{0,3}}\*\*{_NAME} *:?\*\* *:? *(?P<rest>.*)"),
    re.compile(rf" {{0,3}}{_NAME} *: *(?P<rest>.*)"),
)
_MARKS: Final = r" *(?:(?:>|(?:[-*+]|[0-9]{1,9}[.)])(?= )) *)+"
"""What stands before a fence on the line of a list item, or in a quote."""
_FENCE: Final = re.compile(rf"(?: {{0,3}}|({_MARKS}))(`{{3,}}(?=[^`]*$)|~{{3,}})(.*)")


class _Mark(NamedTuple):
    """What begins a turn. `level` counts the "#"."""

    speaker: Speaker
    name: str
    level: int

    @classmethod
    def of(cls, found: re.Match[str]) -> _Mark:
        name = found["name"].lower()
        return cls(_SPEAKERS[name], name, found[0].count("#", 0, found.start("name")))


def _decoded_by_names(document: str, name: str) -> Archive:
    """Return the one conversation in `document`, called `name` if it has no title. The archive is empty if the document
    names no speakers. Raises ImportRefused if it is longer than any chat.
    """
    if len(document) > _LONGEST_CHAT:
        raise ImportRefused(tr("This file is too large."))
    before, said, named = list[str](), list[tuple[Speaker, str]](), 0
    for style in _STYLES:
        above, turns, others = _split(document, style)
        # An answer may have a quiz with headings, and a file may name the user and the model above the chat.
        if not said or (len(turns) > len(said) and len(above) < len(before)):
            before, said, named = above, turns, others
    if not said:
        return Archive()
    titles = [re.sub("(?<= )#+$", "", line[2:].rstrip()).strip() for line in before if line.startswith("# ")]
    has_preface = sum(1 for line in before if line.strip()) > bool(titles)
    remarks: Remarks = Counter({Remark.PREFACE: int(has_preface), Remark.TURN: named})
    messages = _in_a_row((role, words, 0) for role, words in said if role != "system")
    system = next((words for role, words in said if role == "system"), "")
    one = ArchivedConversation(next(iter(titles), "") or name, messages, leaf=messages[-1].id, system=system)
    return Archive((one,), counts(remarks))


def _split(document: str, style: re.Pattern[str]) -> tuple[list[str], list[tuple[Speaker, str]], int]:
    """Return the lines before the turns, the turns, and how many lines in them name another speaker. There are no turns
    if only one of the two speaks. Consecutive turns of one speaker are joined: a model expects that speakers alternate.
    """
    lines = document.splitlines()
    found = {place: match for place, line in enumerate(lines) if (match := style.fullmatch(line.rstrip()))}
    marks = {place: _Mark.of(match) for place, match in found.items()}
    code = _in_code(lines)
    known = dict.fromkeys(mark for place, mark in marks.items() if place not in code)
    pairs = product(*([mark for mark in known if mark.speaker == role] for role in ("user", "assistant")))
    # The title, too, may be a name: "# ChatGPT". The two speakers nearly always have the same level.
    if not (pair := min(pairs, key=lambda two: two[0].level != two[1].level, default=())):
        return lines, [], 0
    if len(lines) - 1 in code:  # a block has no end, maybe because its answer was stopped
        code = _in_code(lines, {place for place, mark in marks.items() if mark in pair})
    alike = {place: mark for place, mark in marks.items() if mark.level == pair[mark.speaker == "assistant"].level}
    starts = _starts({place: mark for place, mark in alike.items() if place not in code}, pair)
    named = (place for place, mark in alike.items() if place > starts[0] and (place not in code or mark in pair))
    unclear = sum(marks[place].speaker != marks[starts[bisect(starts, place) - 1]].speaker for place in named)
    texts = ("\n".join((found[at]["rest"], *lines[at + 1 : end])) for at, end in pairwise([*starts, len(lines)]))
    turns = ((marks[at].speaker, text.lstrip("\n").rstrip()) for at, text in zip(starts, texts, strict=True))
    spoken = groupby(turns, key=itemgetter(0))
    said = [(speaker, "\n\n".join(words for _, words in same if words)) for speaker, same in spoken]
    return lines[: starts[0]], said, unclear


def _starts(marks: dict[int, _Mark], pair: tuple[_Mark, ...]) -> list[int]:
    """Return the lines that begin turns. Another name of the assistant begins one only if the user would speak twice
    without it.
    """
    starts, others = list[int](), list[int]()
    for place, one in marks.items():
        if one in pair or (one.speaker == "system" and not starts):
            starts += [*others[:1], place] if one.speaker == "user" else [place]
            others = []
        elif one.speaker == "assistant" and starts and marks[starts[-1]].speaker == "user":
            others.append(place)
    return starts + others[:1]


def _in_a_row(turns: Iterable[tuple[Role, str, int]]) -> tuple[ArchivedMessage, ...]:
    """Return the speaker, the words and the moment (ms, UTC; 0 if unknown) of each turn as a message that follows the
    one before.
    """
    return tuple(
        ArchivedMessage(str(place), str(place - 1) if place else None, role, words, created=created)
        for place, (role, words, created) in enumerate(turns)
    )


def _in_code(lines: list[str], ends: Collection[int] = ()) -> set[int]:
    """Return the lines in code blocks with a fence, of which each ends at the latest with a line of `ends`."""
    return {place for place, (_, fence, _) in enumerate(_fences(lines, ends)) if fence}


def _fences(lines: Iterable[str], ends: Collection[int] = ()) -> Iterator[tuple[str, str, bool]]:
    """Yield each line with the fence of the block that is open after it, empty outside of a block, and whether that
    block began in a list item or a quote: then it ends with the first line that begins at the margin.
    """
    fence, is_inner = "", False
    for place, line in enumerate(lines):
        fence = "" if place in ends else fence
        plain = line.expandtabs(4)
        found, bare = _FENCE.fullmatch(plain), plain.strip(" >" if is_inner else " ")
        is_near = is_inner or bool(found and not found[1])
        if fence and is_near and bare.startswith(fence) and not bare.strip(fence[0]):
            fence = ""
        else:
            fence = "" if is_inner and plain[:1].strip(" >") else fence
            if found and not fence:
                fence, is_inner = found[2], bool(found[1])
        yield line, fence, is_inner
