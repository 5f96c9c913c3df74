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
    draft.begin_edit("half", "Why?")
    assert draft.news("Why?") is None
    assert draft.news("Why not?") == "half\n\nWhy not?"
    assert draft.end_edit() == "half"
    assert draft.news("half") == "half"


def test_a_second_edit_leaves_what_waits() -> None:
    """The text of the first edit does not become the draft."""
    draft = Draft()
    draft.begin_edit("half", "Why?")
    draft.begin_edit("Why not?", "How?")
    assert draft.end_edit() == "half"


@given(TEXTS, TEXTS, TEXTS)
def test_nothing_is_lost(waiting: str, message: str, edit: str) -> None:
    """The saved draft always has all text that was written and not sent."""
    draft = Draft()
    draft.news(waiting)
    draft.begin_edit(waiting, message)
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
    draft.begin_edit(both, "Why?")
    assert draft.give_back("again", "Why not?") == "Why not?"
    assert draft.end_edit() == (f"again\n\n{both}" if both.strip() else "again")


def test_a_draft_to_begin_with_is_known() -> None:
    """It is shown, and not saved again."""
    draft = Draft()
    assert draft.begin("half") == "half"
    assert draft.news("half") is None
