"""What is written and not sent, whatever is done in front of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.draft import Draft

TEXTS = st.text(alphabet="ab \n", max_size=4)


def test_news_are_told_once() -> None:
    """What the app knows is not said again."""
    draft = Draft()
    assert draft.news("words") == "words"
    assert draft.news("words") is None
    assert draft.news("") == ""


def test_an_edit_adds_to_what_waits_only_where_it_changed_something() -> None:
    """A message that is only looked at is no draft."""
    draft = Draft()
    draft.put_back("half", "")
    draft.begin_edit("half", "Why?")
    assert draft.news("Why?") is None
    assert draft.news("Why not?") == "half\n\nWhy not?"
    assert draft.end_edit() == "half"
    assert draft.news("half") == "half"


def test_a_second_edit_leaves_what_waits() -> None:
    """The draft is not taken for the first edit's words."""
    draft = Draft()
    draft.begin_edit("half", "Why?")
    draft.begin_edit("Why not?", "How?")
    assert draft.end_edit() == "half"


@given(TEXTS, TEXTS, TEXTS)
def test_nothing_is_lost(waiting: str, message: str, edit: str) -> None:
    """Whatever is said as the draft holds all words that were written and not sent."""
    draft = Draft()
    draft.news(waiting)
    draft.begin_edit(waiting, message)
    said = draft.news(edit)
    known = waiting if said is None else said
    assert waiting.strip() in known
    assert edit == message or edit.strip() in known
    assert draft.end_edit() == waiting


@given(TEXTS, TEXTS)
def test_what_the_app_puts_back_is_known(text: str, field: str) -> None:
    """It comes into the field, and is no news."""
    draft = Draft()
    draft.news(field)
    assert draft.put_back(text, field) == text
    assert draft.news(text) is None
