"""The unsent text, with and without an edit in front of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.composer.draft import Draft

TEXTS = st.text(alphabet="ab \n", max_size=4)


def test_a_draft_is_saved_once() -> None:
    """A text that the app knows is not saved again."""
    draft = Draft()
    assert draft.news("words") == "words"
    assert draft.news("words") is None
    assert draft.news("") == ""


def test_an_edit_adds_to_what_waits_only_where_it_changed_something() -> None:
    """An edit without changes is not part of the draft."""
    draft = Draft()
    draft.begin("half")
    assert draft.begin_edit("half", "m", "Why?") == "Why?"
    assert draft.news("Why?") is None
    assert draft.news("Why not?") == "half\n\nWhy not?"
    assert draft.end_edit() == "half"
    assert draft.news("half") == "half"


def test_a_second_edit_leaves_what_waits() -> None:
    """The text of the first edit does not become the draft. It is saved with it, and waits until the user returns."""
    draft = Draft()
    draft.begin_edit("half", "m", "Why?")
    assert draft.begin_edit("Why not?", "n", "How?") == "How?"
    assert draft.news("How?") == "half\n\nWhy not?"
    assert draft.news("How so?") == "half\n\nWhy not?\n\nHow so?"
    assert draft.begin_edit("How so?", "m", "Why?") == "Why not?"
    assert draft.news("Why not?") == "half\n\nHow so?\n\nWhy not?"
    assert draft.end_edit() == "half"
    assert draft.news("half") == "half\n\nHow so?"


def test_a_message_that_is_sent_takes_no_edit_along() -> None:
    """The app saves an empty draft with the message, so the edits that wait are saved once more."""
    draft = Draft()
    draft.begin_edit("", "m", "Why?")
    draft.begin_edit("Why not?", "n", "How?")
    assert draft.news("How?") == "Why not?"
    assert draft.end_edit() == ""
    draft.sent()
    assert draft.news("") == "Why not?"


def test_edits_are_handed_over() -> None:
    """To the message box that follows this one."""
    draft, next_one = Draft(), Draft()
    draft.begin_edit("half", "m", "Why?")
    draft.begin_edit("Why not?", "n", "How?")
    assert draft.edits("How?") == {"m": "Why not?"}
    assert draft.edits("How so?") == {"m": "Why not?", "n": "How so?"}
    next_one.put_by({"m": "Why not?"})
    assert next_one.begin_edit("half", "m", "Why?") == "Why not?"


@given(TEXTS, TEXTS, TEXTS)
def test_nothing_is_lost(waiting: str, message: str, edit: str) -> None:
    """The saved draft always has all text that was written and not sent."""
    draft = Draft()
    draft.news(waiting)
    draft.begin_edit(waiting, "m", message)
    said = draft.news(edit)
    known = waiting if said is None else said
    assert waiting.strip() in known
    assert edit == message or edit.strip() in known
    assert draft.end_edit() == waiting


@given(TEXTS, TEXTS)
def test_what_comes_back_stands_before_what_was_typed_since(words: str, field: str) -> None:
    """Both are saved together, also behind an edit."""
    draft = Draft()
    draft.news(field)
    both = draft.give_back(words, field)
    assert both.startswith(words)
    assert both.endswith(field) or not field.strip()
    assert draft.news(both) == (None if both == field else both)
    draft.begin_edit(both, "m", "Why?")
    assert draft.give_back("again", "Why not?") == "Why not?"
    assert draft.end_edit() == (f"again\n\n{both}" if both.strip() else "again")


def test_a_draft_to_begin_with_is_known() -> None:
    """It is shown, and not saved again."""
    draft = Draft()
    assert draft.begin("half") == "half"
    assert draft.news("half") is None
