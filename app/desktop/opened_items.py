"""Handles files and `hearth://` links that are opened with Hearth, from the command line, the Finder or another start
of the app. A link only fills a draft: nothing is ever sent to a model by itself.

Runs on the window's thread.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

from app.base.errors import AppError, BadArguments
from app.base.paths import absolute
from resources.language.text import tr
from ui.theme.long_texts import is_slow_to_break

SCHEME: Final = "hearth"
_JOINERS: Final = "\u200c\u200d"
"""Characters without a shape of their own that words of some languages and emoji consist of."""
_SELECTORS: Final = range(0xE0100, 0xE01F0)
"""Variants of characters. A run of them is seen by nobody, and can say anything to a model."""
_CHAT: Final = re.compile(r"chat/([0-9a-f]{1,64})")
LONGEST_LINK: Final = 100_000
"""Characters. Of a longer text of line breaks, the message box would take seconds to show each chat."""


@dataclass(frozen=True, slots=True)
class OpenHandlers:
    """The actions for opened items. `activate` is called first for each item. `import_file` takes a path, `start_draft`
    the text of a new chat, `open_chat` the id of a chat, and `refuse` the reason why nothing is done.
    """

    activate: Callable[[], object]
    import_file: Callable[[str], object]
    start_draft: Callable[[str], object]
    open_chat: Callable[[str], object]
    refuse: Callable[[AppError], object]


class OpenedItems:
    """Handles opened items at any time. Those that come before the handlers are set wait for them."""

    def __init__(self) -> None:
        self._handlers: OpenHandlers | None = None
        self._waiting: list[str] = []

    def serve(self, handlers: OpenHandlers) -> None:
        """Set the handlers, and pass them the items that have waited."""
        self._handlers = handlers
        waiting, self._waiting = self._waiting, []
        for item in waiting:
            self.take(item)

    def take(self, item: str) -> None:
        """Handle a link, or the path of a file. The import of a file says which of its chats are here already."""
        if self._handlers is None:
            self._waiting.append(item)
            return
        self._handlers.activate()
        try:
            self._dispatch(item, self._handlers)
        except AppError as error:
            self._handlers.refuse(error)

    def _dispatch(self, item: str, handlers: OpenHandlers) -> None:
        if is_link(item):
            match target(item):
                case LinkedDraft(text):
                    handlers.start_draft(text)
                case LinkedChat(conversation):
                    handlers.open_chat(conversation)
            return
        handlers.import_file(item)


def is_link(item: str) -> bool:
    """Return whether this is one of Hearth's links and not the path of a file."""
    return item.lower().startswith(f"{SCHEME}:")


def named(argument: str) -> str:
    """Return an argument of the command line as an item that means the same in any folder. Raises BadArguments."""
    if is_link(argument):
        target(argument)
        return argument
    path = absolute(argument)
    if not path.is_file():
        raise BadArguments(tr("There is no file {path}.", path=path))
    return str(path)


@dataclass(frozen=True, slots=True)
class LinkedDraft:
    """`hearth://new?text=...`: a new chat with this text in its message box, empty without one."""

    text: str


@dataclass(frozen=True, slots=True)
class LinkedChat:
    """`hearth://chat/ID`: a chat of this computer."""

    conversation: str


def target(link: str) -> LinkedDraft | LinkedChat:
    """Return what a link leads to. Raises BadArguments for a link that leads nowhere."""
    if len(link) > LONGEST_LINK:
        raise BadArguments(tr("The link is too long for Hearth."))
    try:
        parts = urlsplit(link)
        fields = parse_qs(parts.query, keep_blank_values=True, errors="strict", max_num_fields=8)
    except ValueError as error:
        raise BadArguments(tr("Hearth cannot read this link.")) from error
    place = (parts.netloc + parts.path).strip("/").lower()
    if chat := _CHAT.fullmatch(place):
        return LinkedChat(chat[1])
    if place != "new":
        raise BadArguments(tr("Hearth does not know this link."))
    text = _plain("\n".join(fields.get("text", ())))
    if is_slow_to_break(text):  # the message box would take seconds for it
        raise BadArguments(tr("The link is too long for Hearth."))
    return LinkedDraft(text)


def _plain(text: str) -> str:
    """Remove the characters that cannot be seen in the message box: a web page may have written the text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(letter for letter in lines if letter in "\n\t" or not _is_hidden(letter))


def _is_hidden(letter: str) -> bool:
    """Controls, direction marks, tags and whatever else has no shape."""
    is_shapeless = unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Cn"} and letter not in _JOINERS
    return is_shapeless or ord(letter) in _SELECTORS
