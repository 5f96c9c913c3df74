"""Draft: the unsent text, also while earlier messages are edited, and how much of it the app knows. No Qt."""

from __future__ import annotations

from ui.intents.chat import SaveDraft
from ui.state.chat import Edits


class ComposerDraft:
    """While a message is edited, the draft waits behind the edit. The text of an edit is saved with the draft until
    that edit is sent or cancelled, also while the user edits another message.

    `edited` is the id of the message that is being edited, "" for none.
    """

    def __init__(self) -> None:
        self.edited = ""
        self._known = SaveDraft("")
        self._behind = ""
        self._edited_from = ""
        self._put_by: dict[str, str] = {}

    def begin_edit(self, field: str, message: str, original: str) -> str:
        """Start an edit of a message whose text is `original`. The text in `field` waits as the draft or, if it is an
        edit of another message, until the user returns to that one. Returns the text for the field.
        """
        if not self.edited:
            self._behind = field
        else:
            self.put_by(field)
        self.edited, self._edited_from = message, original
        return self._put_by.pop(message, original)

    def end_edit(self) -> str:
        """End the edit. Returns the waiting draft, for the field."""
        behind, self._behind, self.edited = self._behind, "", ""
        return behind

    def edits(self, field: str) -> dict[str, str]:
        """The words of all edits that were not sent, by their messages."""
        return self._put_by | self._edit(field)

    def put_by(self, field: str) -> None:
        """The edit in `field` waits until the user returns to its message."""
        self._put_by |= self._edit(field)

    def begin(self, text: str, edits: Edits) -> str:
        """The app has saved `text` and these edits. Returns the text for the empty field. The edits wait until the user
        returns to their messages.
        """
        self._known, self._put_by = SaveDraft(text, edits), dict(edits)
        return text

    def give_back(self, words: str, field: str) -> str:
        """Insert `words`, which could not be sent, before what was typed since. Returns the new text of the field."""
        if self.edited:
            self._behind = _before(words, self._behind)
            return field
        return _before(words, field)

    def news(self, field: str) -> SaveDraft | None:
        """What to save, None if the app knows it already."""
        draft = SaveDraft(self._behind if self.edited else field, tuple(self.edits(field).items()))
        if draft == self._known:
            return None
        self._known = draft
        return draft

    def _edit(self, field: str) -> dict[str, str]:
        return {self.edited: field} if self.edited and field != self._edited_from else {}


def _before(words: str, typed: str) -> str:
    return f"{words}\n\n{typed}" if typed.strip() else words
