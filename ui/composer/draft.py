"""Draft: owns what is written and not sent, while an earlier message is edited too, and what of it is known already.

When it is said is left to the composer. No Qt.
"""

from __future__ import annotations


class Draft:
    """While a message is edited the draft waits behind it. The edit's words are a part of it until that is over."""

    def __init__(self) -> None:
        self._known = ""
        self._behind: str | None = None
        self._edited_from = ""

    @property
    def is_behind(self) -> bool:
        """Whether an earlier message is edited in front of it."""
        return self._behind is not None

    def begin_edit(self, field: str, edited: str) -> None:
        """`edited` is written anew; what is in the `field` waits, unless that is another edit."""
        if self._behind is None:
            self._behind = field
        self._edited_from = edited

    def end_edit(self) -> str:
        """What waited, for the field."""
        behind, self._behind = self._behind or "", None
        return behind

    def begin(self, text: str) -> str:
        """The app has this as the draft of a field that nothing was typed into yet. What belongs there."""
        self._known = text
        return text

    def give_back(self, words: str, field: str) -> str:
        """These words were not sent after all; they come before what was typed since. What belongs in the field now."""
        if self._behind is not None:
            self._behind = _before(words, self._behind)
            return field
        return _before(words, field)

    def news(self, field: str) -> str | None:
        """All that would be lost if the field went away now; None if it is known."""
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
