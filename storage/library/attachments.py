"""Files that the user attaches to a draft: copying them into the library, taking them off, and reading them.

A file goes with the draft's message when that message is sent; `storage.library.messages` does that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage.library import attached_words, attachment_rows, conversation_rows
from storage.library.files import contents

if TYPE_CHECKING:
    from pathlib import Path

    from storage.database import Database
    from storage.library.files import Files
    from storage.library.rows import Attachment
    from storage.library.unreferenced_files import UnreferencedFiles

LIMIT: Final = 32 * 2**20
"""The default for the largest file that may be attached, in bytes."""


class Attachments:
    """Files beside the text. All methods raise EnvironmentProblem and DamagedDatabase besides what they name."""

    def __init__(self, database: Database, files: Files, litter: UnreferencedFiles) -> None:
        self._database = database
        self._files = files
        self._litter = litter

    def attach(self, conversation: str, path: Path, limit: int = LIMIT) -> Attachment:
        """Copy a file of at most `limit` bytes into the library and attach it to the draft.

        Raises NoSuchConversation, FileTooLarge, and FileRefused if the file cannot be read.
        """
        return self.add(conversation, path.name, contents(path, limit))

    def add(self, conversation: str, name: str, content: bytes, media: str = "") -> Attachment:
        """Attach a file with this name and content to the draft. Without `media`, its type follows from these. Raises
        NoSuchConversation.
        """
        with self._database.transaction() as connection:
            owner = conversation_rows.get(connection, conversation).id
            self._files.keep(attachment_rows.add(connection, owner, None, name, content, media), content)
            return attachment_rows.of_draft(connection, owner, self._files)[-1]

    def of_draft(self, conversation: str) -> tuple[Attachment, ...]:
        """The draft's attachments, in the order in which they were attached. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            return attachment_rows.of_draft(connection, conversation_rows.get(connection, conversation).id, self._files)

    def get(self, attachment: str) -> Attachment:
        """One file of a message or a draft. Raises NoSuchAttachment."""
        with self._database.transaction() as connection:
            return attachment_rows.get(connection, attachment, self._files)

    def detach(self, conversation: str, attachment: str) -> None:
        """Remove an attachment from the draft. Raises NoSuchConversation, NoSuchAttachment."""
        with self._database.transaction() as connection:
            attachment_rows.remove(connection, conversation_rows.get(connection, conversation).id, attachment)
        self._litter.clear()

    def text_of(self, attachment: str) -> str:
        """The file's content as text; bytes that are not UTF-8 are replaced. Raises NoSuchAttachment."""
        with self._database.transaction() as connection:
            content = attachment_rows.content(connection, attachment, self._files)
        return content.decode("utf-8-sig", "replace")

    def index_next(self, after: int = 0) -> int:
        """Let the search find the words of one text file that is not indexed, such as one of a rescued library.
        Returns its number, to be given as `after` for the next file; 0 if there is none.
        """
        with self._database.transaction() as connection:
            return attached_words.add_next(connection, self._files, after)
