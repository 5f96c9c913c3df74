"""Turns one node of ChatGPT's export into Markdown.

Nothing here raises because of a node's content: an unknown kind is shown by any text that it has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from app.documents.plain_text import escaped
from app.import_export.chatgpt_citations import with_links
from app.import_export.import_summary import Remark, Remarks
from storage.library.archive import LATEST

Speaker = Literal["user", "assistant", ""]

_HIDDEN: Final = frozenset({"user_editable_context", "model_editable_context", "tether_browsing_display"})
_THOUGHTS: Final = frozenset({"thoughts", "reasoning_recap"})
_KNOWN: Final = _THOUGHTS | {
    "",
    "text",
    "multimodal_text",
    "code",
    "execution_output",
    "tether_quote",
    "system_error",
}
"""Kinds that may hold no words. A node of another kind that shows nothing may have held words, so it is counted."""
_VERBATIM: Final = frozenset({"code", "execution_output"})
_SAYING: Final = frozenset({"parts", "text", "result", "thoughts", "content"})
"""The fields that hold the words of these kinds."""
_SPEAKERS: Final[dict[str, Speaker]] = {"user": "user", "assistant": "assistant", "tool": "assistant"}
_PICTURES: Final = {
    "image_asset_pointer": "[Image]",
    "audio_asset_pointer": "[Audio]",
    "video_asset_pointer": "[Video]",
}


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
    message = _fields(_fields(entry).get("message"))
    if not message:  # the most frequent kind of those that are hidden
        remarks[Remark.MESSAGE] += _is_unreadable(entry, message, "")
        return Node(identifier)
    author, content, about = (_fields(message.get(name)) for name in ("author", "content", "metadata"))
    kind, role = text(content.get("content_type")), text(author.get("role"))
    if role == "system" or kind in _HIDDEN or about.get("is_visually_hidden_from_conversation"):
        return Node(identifier)
    thoughts = _thoughts(content) if kind in _THOUGHTS else ""
    words = "" if kind in _THOUGHTS else _words(kind, content, about)
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


def _fields(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _words(kind: str, content: dict[str, Any], about: dict[str, Any]) -> str:
    said = _said(kind, content) if kind in _VERBATIM else with_links(_said(kind, content), about)
    files = [
        f"[File: {escaped(name)}]"
        for one in _items(about.get("attachments"))
        if (name := text(_fields(one).get("name")))
    ]
    return "\n\n".join(part for part in (said, "\n".join(files)) if part)


def _said(kind: str, content: dict[str, Any]) -> str:
    plain = text(content.get("text")) or text(content.get("result"))
    if kind == "code":
        language = text(content.get("language"))
        return _fenced(plain, "" if language == "unknown" else language)
    if kind == "execution_output":
        return _fenced(plain, "")
    if kind == "tether_quote":
        title = text(content.get("title")) or text(content.get("url"))
        return _quoted("\n".join(part for part in (title, plain) if part))
    parts = [shown for part in _items(content.get("parts")) if (shown := _part(part))]
    return "\n\n".join(parts) or plain.strip()


def _part(part: object) -> str:
    if isinstance(part, str):
        return part.strip()
    fields = _fields(part)
    kind = text(fields.get("content_type"))
    return text(fields.get("text")).strip() or _PICTURES.get(kind, f"[{kind}]" if kind else "")


def _thoughts(content: dict[str, Any]) -> str:
    found = [_fields(one) for one in _items(content.get("thoughts"))]
    lines = (text(one.get(name)).strip() for one in found for name in ("summary", "content"))
    return "\n\n".join(filter(None, lines))


def _fenced(code: str, language: str) -> str:
    if not code.strip():
        return ""
    longest = max((len(ticks) for ticks in re.findall("`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"


def _quoted(lines: str) -> str:
    return "\n".join(f"> {line}" for line in lines.splitlines())
