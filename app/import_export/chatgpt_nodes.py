"""Turns one node of ChatGPT's export into Markdown.

Nothing here raises because of a node's content: an unknown kind is shown by any text that it has.

The export marks a citation by characters for private use, which no font has: `<cite|turn0search1>`, with U+E200 and
U+E201 as brackets and U+E202 between. What it cites is in the metadata of the message, and the mark becomes a link. A
mark with neither an address nor words is left out. Older exports have 【6†source】 instead.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

from app.documents.plain_text import escaped
from app.import_export.import_summary import Remark, Remarks
from storage.library.rows import LATEST
from storage.untrusted import UntrustedDataError, decode_json

Speaker = Literal["user", "assistant", ""]

_HIDDEN: Final = frozenset({"user_editable_context", "model_editable_context", "tether_browsing_display"})
_THOUGHTS: Final = frozenset({"thoughts", "reasoning_recap"})
_VERBATIM: Final = frozenset({"code", "execution_output"})
_KNOWN: Final = _THOUGHTS | _VERBATIM | {"", "text", "multimodal_text", "tether_quote", "system_error"}
"""Kinds that may hold no words. A node of another kind that shows nothing may have held words, so it is counted."""
_SAYING: Final = frozenset({"parts", "text", "result", "thoughts", "content"})
"""The fields that hold the words of these kinds."""
_SPEAKERS: Final[dict[str, Speaker]] = {"user": "user", "assistant": "assistant", "tool": "assistant"}
_PICTURES: Final = {f"{kind}_asset_pointer": f"[{kind.title()}]" for kind in ("image", "audio", "video")}


@dataclass(frozen=True, slots=True)
class Node:
    """`role` empty: the node is hidden. `created` is in ms, UTC; 0 if unknown."""

    id: str
    role: Speaker = ""
    words: str = ""
    thoughts: str = ""
    model: str = ""
    created: int = 0


def node_from(identifier: str, entry: object, remarks: Remarks) -> Node:
    """Return the node of an entry of the mapping."""
    message = fields_of(fields_of(entry).get("message"))
    if not message:  # the most frequent kind of those that are hidden
        remarks[Remark.MESSAGE] += _is_unreadable(entry, message, "")
        return Node(identifier)
    author, content, about = (fields_of(message.get(name)) for name in ("author", "content", "metadata"))
    kind, role = text(content.get("content_type")), text(author.get("role"))
    if role == "system" or kind in _HIDDEN or about.get("is_visually_hidden_from_conversation"):
        return Node(identifier)
    thoughts = words = ""
    if kind in _THOUGHTS:
        found = [fields_of(one) for one in items_of(content.get("thoughts"))]
        lines = (text(one.get(name)).strip() for one in found for name in ("summary", "content"))
        thoughts = "\n\n".join(filter(None, lines))
    else:
        words = _words(kind, role, content, about)
    if not words and not thoughts:
        remarks[Remark.MESSAGE] += _is_unreadable(entry, message, kind)
        return Node(identifier)
    remarks[Remark.SPEAKER] += role not in _SPEAKERS
    created = date(message.get("create_time"), remarks)
    return Node(identifier, _SPEAKERS.get(role, "assistant"), words, thoughts, text(about.get("model_slug")), created)


def _is_unreadable(entry: object, message: dict[str, Any], kind: str) -> bool:
    """Return whether the node may hold words that Hearth cannot read. A node whose message is null is only a link."""
    if not message:
        return not (isinstance(entry, dict) and entry.get("message", "") is None)
    content = message.get("content")
    return not isinstance(content, dict) or kind not in _KNOWN or not content.keys() & _SAYING


def text(value: object) -> str:
    """Return `value` if it is text, else an empty string."""
    return value if isinstance(value, str) else ""


def date(seconds: object, remarks: Remarks) -> int:
    """Return a moment in ms; 0 if it is missing or impossible."""
    if seconds is None:
        return 0
    if isinstance(seconds, int | float) and 0 <= seconds <= LATEST // 1000:
        return int(seconds * 1000)
    remarks[Remark.DATE] += 1
    return 0


def fields_of(value: object) -> dict[str, Any]:
    """Return `value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items_of(value: object) -> list[Any]:
    """Return `value` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def _words(kind: str, role: str, content: dict[str, Any], about: dict[str, Any]) -> str:
    said = _said(kind, content)
    said = said if kind in _VERBATIM or role == "user" else with_links(said, about)
    names = (text(fields_of(one).get("name")) for one in items_of(about.get("attachments")))
    files = "\n".join(f"[File: {escaped(name)}]" for name in names if name)
    return "\n\n".join(filter(None, (said, files)))


def _said(kind: str, content: dict[str, Any]) -> str:
    plain = text(content.get("text")) or text(content.get("result"))
    if kind == "code":
        language = text(content.get("language"))
        return _fenced(plain, "" if language == "unknown" else language)
    if kind == "execution_output":
        return _fenced(plain, "")
    if kind == "tether_quote":
        title = text(content.get("title")) or text(content.get("url"))
        return "\n".join(f"> {line}" for line in "\n".join(filter(None, (title, plain))).splitlines())
    return "\n\n".join(filter(None, map(_part, items_of(content.get("parts"))))) or _part(plain)


def _part(part: object) -> str:
    if isinstance(part, str):
        return part.strip("\r\n") if part.strip() else ""
    fields = fields_of(part)
    kind = text(fields.get("content_type"))
    return _part(text(fields.get("text"))) or _PICTURES.get(kind, f"[{kind}]" if kind else "")


def _fenced(code: str, language: str) -> str:
    if not code.strip():
        return ""
    fence = "`" * (1 + max((len(ticks) for ticks in re.findall("`{3,}", code)), default=2))
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"


_MARKS: Final = re.compile(
    "[ \t]{0,2}(?:\ue200([^\ue200\ue201]*)\ue201|\ue200\\w+\ue202[^\ue200\ue201\\s]*|【\\d+(?::\\d+)?†[^【】]*】)"
)
"""The second form is a mark at the end of an answer that was cut off."""
_SINGLE: Final = re.compile("[\ue200-\ue206]")
"""Also the brackets around words that a citation is about."""
_SEPARATOR: Final = "\ue202"
_ADDRESS: Final = re.compile(r"https?://[^\s()<>\[\]]+")
_NOT_IN_A_TITLE: Final = re.compile(r"[\[\]\\\s]+")
_MOST: Final = 8
"""Sources of one citation that are named."""


def with_links(words: str, metadata: dict[str, Any]) -> str:
    """An answer with a link in place of each citation mark whose address is known, and the words of the others.

    ChatGPT repeats a reference for each of its marks. If many marks share a long one, only the first of them become
    links, so that the answer grows by no more than its own length and that of all references.
    """
    if not (_SINGLE.search(words) or "†" in words):
        return words
    known = map(fields_of, items_of(metadata.get("content_references")))
    references = [(given, _shown(given, one)) for one in known if (given := text(one.get("matched_text")).strip())]
    sources = dict(references)
    room = len(words) + sum(len(shown) for _, shown in references)

    def plain(mark: re.Match[str]) -> str:
        nonlocal room
        cited = sources.get(found := mark.group().strip(), "")
        room -= len(cited)
        shown = (cited if room >= 0 else "") or _shown(found, {})
        return shown and f" {shown}"

    return _SINGLE.sub("", _MARKS.sub(plain, words))


def _shown(mark: str, reference: dict[str, Any]) -> str:
    """The words of a mark such as `url|guide|https://example.org` or `entity|["city","Lisbon"]`, and the sources of its
    reference as links. If there is neither, the text that the reference has in its place.
    """
    kind, about, *rest = (*mark.strip("\ue200\ue201").split(_SEPARATOR), "")
    label = about if kind in {"url", "link_title", "navlist"} else _name(about)
    if label and (link := _link({"title": label, "url": next(filter(_ADDRESS.fullmatch, rest), reference.get("url"))})):
        return "[{1}]({0})".format(*link)
    return " ".join(filter(None, (label, _links(reference)))) or text(reference.get("alt")).strip()


def _links(reference: dict[str, Any]) -> str:
    """The sources of a reference as Markdown, each address once: ([title](address), [title](address))."""
    sources = map(fields_of, (reference, *items_of(reference.get("items"))))
    links = dict(link for one in sources if (link := _link(one)))
    named = [f"[{title}]({address})" for address, title in list(links.items())[:_MOST]]
    return f"({', '.join(named)})" if named else ""


def _link(source: dict[str, Any]) -> tuple[str, str] | None:
    if not _ADDRESS.fullmatch(address := text(source.get("url"))):
        return None
    titles = (_NOT_IN_A_TITLE.sub(" ", text(source.get(name))).strip() for name in ("attribution", "title"))
    return address, next(filter(None, titles), address.split("/")[2])


def _name(about: str) -> str:
    """The name in `["city","Lisbon"]`; "" in other text."""
    with suppress(UntrustedDataError):
        return text(next(iter(decode_json(about, list[Any])[1:]), ""))
    return ""
