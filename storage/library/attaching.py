"""Attaching files: owns how one comes to a draft and off it again, and how what is in it is read.

Which message it goes with is settled when that is said, by the store. All methods raise EnvironmentProblem and
DamagedDatabase besides what they name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage.library import attachments, conversations
from storage.library.files import contents
from storage.library.opened import Opened

if TYPE_CHECKING:
    from pathlib import Path

    from storage.library.rows import Attachment

LIMIT: Final = 32 * 2**20
"""Bytes that an attached file may have, unless the caller says otherwise."""


class Attaching(Opened):
    """The part of the library that keeps files beside the words."""

    def attach(self, conversation: str, path: Path, limit: int = LIMIT) -> Attachment:
        """Copy a file of the user's, of at most `limit` bytes, and let it go with the draft.

        Raises NoSuchConversation, FileTooLarge; FileRefused if there is no file that can be read.
        """
        content = contents(path, limit)
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation).id
            self._files.keep(attachments.add(connection, owner, None, path.name, content), content)
            return attachments.of_draft(connection, owner, self._files)[-1]

    def attachments(self, conversation: str) -> tuple[Attachment, ...]:
        """What goes with the draft. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            return attachments.of_draft(connection, conversations.get(connection, conversation).id, self._files)

    def detach(self, conversation: str, attachment: str) -> None:
        """Take a file off the draft. Raises NoSuchConversation, NoSuchAttachment."""
        with self._database.transaction() as connection:
            attachments.remove(connection, conversations.get(connection, conversation).id, attachment)
        self._litter.clear()

    def text_of(self, attachment: str) -> str:
        """What is in an attached file, as text; what is no UTF-8 is replaced. Raises NoSuchAttachment."""
        with self._database.transaction() as connection:
            content = attachments.content(connection, attachment, self._files)
        return content.decode("utf-8-sig", "replace")
