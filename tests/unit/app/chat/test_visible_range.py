"""Which part of a branch is on the screen, and which of it is in the context."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chat import views
from app.chat.opening import PAGE
from app.chat.presenter import VisibleRange
from storage.library.rows import Conversation, Message
from ui.state.chat import MessageView


def _owner(reads_from: str | None = None) -> Conversation:
    return Conversation("", "c", reads_from=reads_from)


def _branch(count: int, first: int = 0) -> tuple[Message, ...]:
    numbers = range(first, first + count)
    return tuple(
        Message(str(number), None, "assistant" if number % 2 else "user", "", conversation="c") for number in numbers
    )


def _ids(views: Sequence[MessageView]) -> list[str]:
    return [view.id for view in views]


def test_another_branch_begins_where_the_screen_began() -> None:
    """A step to another answer does not load messages above."""
    shown, line = VisibleRange(), _branch(200)
    shown.begin(_owner(), line[140:], earlier=True)
    other = (*line[:150], *_branch(4, first=900))
    assert _ids(shown.change(_owner(), other)) == [message.id for message in other[140:]]
    assert shown.earlier


def test_a_branch_that_begins_elsewhere_shows_its_end() -> None:
    """If the first message on the screen was edited, the newest part of the new branch is shown, or all of it if that
    message begins the chat.
    """
    shown, line = VisibleRange(), _branch(200)
    shown.begin(_owner(), line[140:], earlier=True)
    other = (*line[:140], *_branch(2, first=900))
    assert _ids(shown.change(_owner(), other)) == [message.id for message in other[-PAGE:]]
    fresh = VisibleRange()
    fresh.begin(_owner(), line[:2], earlier=False)
    assert len(fresh.change(_owner(), _branch(PAGE + 20, first=900))) == PAGE + 20
    assert not fresh.earlier


def test_messages_that_cannot_be_shown_are_not_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked for is loaded again by the next scroll up, and an export as PDF has it or fails."""
    shown, line = VisibleRange(), _branch(200)
    shown.begin(_owner(), line[140:], earlier=True)
    monkeypatch.setattr(views, "messages", Mock(side_effect=RecursionError))
    with pytest.raises(RecursionError):
        shown.above(_owner(), line[80:140], earlier=False)
    assert (shown.first, shown.earlier) == ("140", True)


def test_a_chat_that_was_empty_stays_whole() -> None:
    """The screen begins with its first turn, however long it grows."""
    shown = VisibleRange()
    shown.begin(_owner(), (), earlier=False)
    line = _branch(PAGE + 20)
    shown.add(line[:2])
    shown.add(line[2:4])
    assert len(shown.change(_owner(), line)) == PAGE + 20
    assert shown.change(_owner(), ()) == ()


@given(count=st.integers(1, 40), mark=st.integers(-1, 39), cuts=st.lists(st.integers(0, 40), max_size=4))
def test_marks_are_the_same_by_pages_and_at_once(count: int, mark: int, cuts: list[int]) -> None:
    """However a chat was loaded, the same messages are marked as left out."""
    line = _branch(count)
    owner = _owner(str(mark) if 0 <= mark < count else None)
    whole = VisibleRange().change(owner, line)
    ends = sorted({min(cut, count) for cut in cuts} | {0, count}, reverse=True)
    shown = VisibleRange()
    views: tuple[MessageView, ...] = ()
    for number, (end, begin) in enumerate(itertools.pairwise(ends)):
        show = shown.begin if number == 0 else shown.above
        views = (*show(owner, line[begin:end], earlier=begin > 0), *views)
    assert views == whole
    assert not shown.earlier


@given(count=st.integers(2, 40), mark=st.integers(0, 39), begin=st.integers(0, 39), middle=st.integers(0, 39))
def test_marks_hold_after_a_change_too(count: int, mark: int, begin: int, middle: int) -> None:
    """After a step to the same branch, and for the part above."""
    line, begin = _branch(count), min(begin, count - 1)
    owner = _owner(str(mark))
    middle = min(middle, begin)
    shown = VisibleRange()
    shown.begin(owner, line[begin:], earlier=begin > 0)
    views = shown.change(owner, line)
    for part in (line[middle:begin], line[:middle]):
        views = (*shown.above(owner, part, earlier=part != line[:middle]), *views)
    assert views == VisibleRange().change(owner, line)
