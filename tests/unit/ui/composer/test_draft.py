"""The unsent text, with and without an edit in front of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.composer.draft import ComposerDraft
from ui.intents.chat import SaveDraft

TEXTS = st.text(alphabet="ab \n", max_size=4)


def test_a_draft_is_saved_once() -> None:
    """A text that the app knows is not saved again."""
    draft = ComposerDraft()
    assert draft.news("words") == SaveDraft("words")
    assert draft.news("words") is None
    assert draft.news("") == SaveDraft("")


def test_an_edit_adds_to_what_waits_only_where_it_changed_something() -> None:
    """An edit without changes is not part of the draft."""
    draft = ComposerDraft()
    draft.begin("half", ())
    assert draft.begin_edit("half", "m", "Why?") == "Why?"
    assert draft.news("Why?") is None
    assert draft.news("Why not?") == SaveDraft("half", (("m", "Why not?"),))
    assert draft.end_edit() == "half"
    assert draft.news("half") == SaveDraft("half")


def test_a_second_edit_leaves_what_waits() -> None:
    """The text of the first edit does not become the draft. It is saved with it, and waits until the user returns."""
    draft = ComposerDraft()
    draft.begin_edit("half", "m", "Why?")
    assert draft.begin_edit("Why not?", "n", "How?") == "How?"
    assert draft.news("How?") == SaveDraft("half", (("m", "Why not?"),))
    assert draft.news("How so?") == SaveDraft("half", (("m", "Why not?"), ("n", "How so?")))
    assert draft.begin_edit("How so?", "m", "Why?") == "Why not?"
    assert draft.news("Why not?") == SaveDraft("half", (("n", "How so?"), ("m", "Why not?")))
    assert draft.end_edit() == "half"
    assert draft.news("half") == SaveDraft("half", (("n", "How so?"),))


def test_edits_are_handed_over() -> None:
    """To the message box that follows this one."""
    draft, next_one = ComposerDraft(), ComposerDraft()
    draft.begin_edit("half", "m", "Why?")
    draft.begin_edit("Why not?", "n", "How?")
    assert draft.edits("How?") == {"m": "Why not?"}
    assert draft.edits("How so?") == {"m": "Why not?", "n": "How so?"}
    next_one.begin("", (("m", "Why not?"),))
    assert next_one.begin_edit("half", "m", "Why?") == "Why not?"


@given(TEXTS, TEXTS, TEXTS)
def test_nothing_is_lost(waiting: str, message: str, edit: str) -> None:
    """The saved draft always has all text that was written and not sent."""
    draft = ComposerDraft()
    draft.news(waiting)
    draft.begin_edit(waiting, "m", message)
    said = draft.news(edit)
    known = SaveDraft(waiting) if said is None else said
    assert known.text == waiting
    assert edit == message or dict(known.edits)["m"] == edit
    assert draft.end_edit() == waiting


@given(TEXTS, TEXTS)
def test_what_comes_back_stands_before_what_was_typed_since(words: str, field: str) -> None:
    """Both are saved together, also behind an edit."""
    draft = ComposerDraft()
    draft.news(field)
    both = draft.give_back(words, field)
    assert both.startswith(words)
    assert both.endswith(field) or not field.strip()
    assert draft.news(both) == (None if both == field else SaveDraft(both))
    draft.begin_edit(both, "m", "Why?")
    assert draft.give_back("again", "Why not?") == "Why not?"
    assert draft.end_edit() == (f"again\n\n{both}" if both.strip() else "again")


def test_a_draft_to_begin_with_is_known() -> None:
    """It is shown with its edits, and not saved again."""
    draft = ComposerDraft()
    assert draft.begin("half", (("m", "Why not?"),)) == "half"
    assert draft.news("half") is None
    assert draft.begin_edit("half", "m", "Why?") == "Why not?"
    assert draft.news("Why not?") is None
