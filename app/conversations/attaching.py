"""Files for the next message of a conversation. Owns their way into the library and onto the screen.

Which files are taken is left to `app.chat.attachments`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.chat import attachments

if TYPE_CHECKING:
    from app.base.ports import ChatsSink
    from app.conversations.stores import Stores
    from storage.library.rows import Attachment


class Attaching:
    """Every call names the conversation first."""

    def __init__(self, stores: Stores, window: ChatsSink) -> None:
        self._stores = stores
        self._window = window

    def attach(self, conversation: str, path: str) -> None:
        """Let a file go with the next message; one that cannot is told, and changes nothing."""
        job = partial(attachments.attach, conversation=conversation, path=Path(path))
        self._stores.run(conversation, job, partial(self._show, conversation))

    def detach(self, conversation: str, attachment: str) -> None:
        """Let a file not go with the next message."""
        job = partial(attachments.detach, conversation=conversation, attachment=attachment)
        self._stores.run(conversation, job, partial(self._show, conversation))

    def _show(self, conversation: str, files: tuple[Attachment, ...]) -> None:
        if (tab := self._window.chats.tab(conversation)) is not None:
            tab.show_attachments(attachments.views(files))
