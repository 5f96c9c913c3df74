"""Draft: the unsent text, also while an earlier message is edited, and how much of it the app knows. No Qt."""

from __future__ import annotations


class Draft:
    """While a message is edited, the draft waits behind the edit. The edit's text belongs to the draft until the edit
    ends.
    """

    def __init__(self) -> None:
        self._known = ""
        self._behind: str | None = None
        self._edited_from = ""

    @property
    def is_behind(self) -> bool:
        """Whether the draft waits behind an edit."""
        return self._behind is not None

    def begin_edit(self, field: str, edited: str) -> None:
        """Start an edit of the text `edited`. The text in `field` waits as the draft, unless it is another edit."""
        if self._behind is None:
            self._behind = field
        self._edited_from = edited

    def end_edit(self) -> str:
        """End the edit. Returns the waiting draft, for the field."""
        behind, self._behind = self._behind or "", None
        return behind

    def begin(self, text: str) -> str:
        """The app has `text` as the saved draft. Returns the text for the empty field."""
        self._known = text
        return text

    def give_back(self, words: str, field: str) -> str:
        """Insert `words`, which could not be sent, before what was typed since. Returns the new text of the field."""
        if self._behind is not None:
            self._behind = _before(words, self._behind)
            return field
        return _before(words, field)

    def news(self, field: str) -> str | None:
        """The text to save, None if the app knows it already."""
        draft = field if self._behind is None else self._whole(self._behind, field)
        if draft == self._known:
            return None
        self._known = draft
        return draft

    def _whole(self, behind: str, field: str) -> str:
        edited = "" if field == self._edited_from else field
        return "\n\n".join(text for text in (behind, edited) if text.strip())


def _before(words: str, typed: str) -> str:
    return f"{words}\n\n{typed}" if typed.strip() else words
