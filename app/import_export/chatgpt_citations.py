"""Turns the citation marks in ChatGPT's answers into links.

The export marks a citation by characters for private use, which no font has: `<cite|turn0search1>`, with U+E200 and
U+E201 as brackets and U+E202 between. What it cites is in the metadata of the message. A mark without an address there
is left out. Older exports have 【6†source】 instead.
"""

from __future__ import annotations

import re
from typing import Any, Final

_MARKS: Final = re.compile(
    "[ \t]{0,2}(?:\ue200([^\ue200\ue201]*)\ue201|\ue200\\w+\ue202[^\ue200\ue201\\s]*|【\\d+(?::\\d+)?†[^【】]*】)"
)
"""The second form is a mark at the end of an answer that was cut off."""
_SINGLE: Final = re.compile("[\ue200-\ue206]")
"""Also the brackets around words that a citation is about."""
_SEPARATOR: Final = "\ue202"
_QUOTED: Final = re.compile(r'"([^"\\]+)"')
_ADDRESS: Final = re.compile(r"https?://[^\s()<>\[\]]+")
_NOT_IN_A_TITLE: Final = re.compile(r"[\[\]\\\s]+")
_MOST: Final = 8
"""Sources of one citation that are named."""


def with_links(words: str, metadata: dict[str, Any]) -> str:
    """An answer with a link in place of each citation mark whose address is known, and without the others.

    ChatGPT repeats a reference for each of its marks. If many marks share a long one, only the first of them become
    links, so that the answer grows by no more than its own length and that of all references.
    """
    if not (_SINGLE.search(words) or "†" in words):
        return words
    references = [(matched, _links(one)) for one in _references(metadata) if (matched := _matched(one))]
    sources = dict(references)
    room = len(words) + sum(len(links) for _, links in references)

    def plain(mark: re.Match[str]) -> str:
        nonlocal room
        cited = sources.get(mark.group().strip(), "")
        room -= len(cited)
        return f" {cited}" if cited and room >= 0 else _entity(mark.group(1) or "")

    return _SINGLE.sub("", _MARKS.sub(plain, words))


def _references(metadata: dict[str, Any]) -> list[dict[str, Any]]:
    found = metadata.get("content_references")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _matched(reference: dict[str, Any]) -> str:
    matched = reference.get("matched_text")
    return matched.strip() if isinstance(matched, str) else ""


def _links(reference: dict[str, Any]) -> str:
    """The sources of a reference as Markdown, each address once: ([title](address), [title](address))."""
    items = reference.get("items")
    sources = [reference, *(items if isinstance(items, list) else [])]
    links = dict(link for one in sources if isinstance(one, dict) and (link := _link(one)))
    named = [f"[{title}]({address})" for address, title in list(links.items())[:_MOST]]
    return f"({', '.join(named)})" if named else ""


def _link(source: dict[str, Any]) -> tuple[str, str] | None:
    address = source.get("url")
    if not isinstance(address, str) or not _ADDRESS.fullmatch(address):
        return None
    names = (source.get("attribution"), source.get("title"))
    titles = (_NOT_IN_A_TITLE.sub(" ", name).strip() for name in names if isinstance(name, str))
    return address, next(filter(None, titles), address.split("/")[2])


def _entity(mark: str) -> str:
    """The name in a mark such as `entity|["city","Lisbon"]`, "" for any other mark."""
    kind, _, about = mark.partition(_SEPARATOR)
    quoted = _QUOTED.findall(about) if kind == "entity" else []
    return f" {quoted[1]}" if len(quoted) > 1 else ""
