"""Handles files and `hearth://` links that are opened with Hearth, from the command line, the Finder or another start
of the app. A link only fills a draft: nothing is ever sent to a model by itself.

Runs on the window's thread.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from app.base.errors import AppError, BadArguments, notice
from app.base.paths import absolute
from app.desktop.hearth import Hearth
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


class OpenedItems:
    """Handles opened items at any time. Those that come before there is a window wait for it."""

    def __init__(self) -> None:
        self._hearth: Hearth | None = None
        self._waiting: list[str] = []

    def serve(self, hearth: Hearth) -> None:
        """Open the items that have waited, and all later ones, in this window."""
        self._hearth = hearth
        for item in self._waiting:
            self.take(item)

    def take(self, item: str) -> None:
        """Handle a link, or the path of a file. The window comes to the front. The import of a file says which of its
        chats are here already.
        """
        if (hearth := self._hearth) is None:
            self._waiting.append(item)
            return
        hearth.to_front()
        chats = hearth.conversations
        try:
            if not is_link(item):
                chats.transfer.import_file(item)
            elif (link := target(item)).chat:
                chats.tabs.show(link.chat)
            else:
                chats.creation.new(link.text)
        except AppError as error:
            hearth.window.show_notice(notice(error))


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


class LinkTarget(NamedTuple):
    """What a link leads to: `hearth://chat/ID` to a chat of this computer, and `hearth://new?text=...` to a new chat
    with this text in its message box, empty without one.
    """

    chat: str = ""
    text: str = ""


def target(link: str) -> LinkTarget:
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
        return LinkTarget(chat=chat[1])
    if place != "new":
        raise BadArguments(tr("Hearth does not know this link."))
    text = _plain("\n".join(fields.get("text", ())))
    if is_slow_to_break(text):  # the message box would take seconds for it
        raise BadArguments(tr("The link is too long for Hearth."))
    return LinkTarget(text=text)


def _plain(text: str) -> str:
    """Remove the characters that cannot be seen in the message box: a web page may have written the text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(letter for letter in lines if letter in "\n\t" or not _is_hidden(letter))


def _is_hidden(letter: str) -> bool:
    """Controls, direction marks, tags and whatever else has no shape."""
    is_shapeless = unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Cn"} and letter not in _JOINERS
    return is_shapeless or ord(letter) in _SELECTORS
