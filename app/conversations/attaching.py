"""Attaching: files for the next message, on their way into the library and onto the screen. No Qt."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.chat import attachments

if TYPE_CHECKING:
    from app.chat.sessions import Sessions
    from app.conversations.stores import Stores


class Attaching:
    """Adds files to drafts and removes them."""

    def __init__(self, stores: Stores, sessions: Sessions) -> None:
        self._stores = stores
        self._sessions = sessions

    def attach(self, conversation: str, path: str) -> None:
        """Attach a file to the draft. If the file is refused, the reason is shown and nothing changes."""
        job = partial(attachments.attach, conversation=conversation, path=Path(path))
        self._stores.run(conversation, job, self._sessions.of(conversation).show_files)

    def detach(self, conversation: str, attachment: str) -> None:
        """Remove a file from the draft."""
        job = partial(attachments.detach, conversation=conversation, attachment=attachment)
        self._stores.run(conversation, job, self._sessions.of(conversation).show_files)
