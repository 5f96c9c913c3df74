"""Which messages of a long history come next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.transcript.backlog import CHUNK_CHARACTERS, CHUNK_MESSAGES, FIRST_MESSAGES, HISTORY_CHARACTERS, Backlog


@given(st.lists(st.integers(0, 2 * CHUNK_CHARACTERS), min_size=1, max_size=200))
def test_each_message_comes_once_the_newest_first(lengths: list[int]) -> None:
    """And no more at once than a few frames' work, after as much as fills the screen."""
    backlog, came = Backlog(len(lengths)), []
    while backlog.first:
        most = CHUNK_MESSAGES if backlog.characters else FIRST_MESSAGES
        chunk = backlog.next_chunk(lengths.__getitem__)
        assert len(chunk) <= most
        assert sum(lengths[index] for index in chunk[:-1]) <= CHUNK_CHARACTERS
        came += chunk
    assert came == list(reversed(range(len(lengths))))
    assert backlog.characters == sum(lengths)


def test_a_very_long_history_waits_to_be_asked_for() -> None:
    """Once there is more of it than anyone reads back at a glance."""
    backlog = Backlog(1000)
    while backlog.loads_more:
        backlog.next_chunk(lambda _: 1000)
    assert HISTORY_CHARACTERS <= backlog.characters < HISTORY_CHARACTERS + 2 * CHUNK_CHARACTERS
    assert backlog.first > 0


def test_its_place_follows_the_messages() -> None:
    """Those above it that come or go move it, those below do not."""
    backlog = Backlog(10)
    backlog.prepend(5)
    backlog.remove(3)
    backlog.remove(14)
    assert backlog.first == 14


def test_beginning_again_goes_no_further_up_than_before() -> None:
    """What waited before waits still, however short the rest is."""
    backlog = Backlog(100)
    backlog.next_chunk(lambda _: 10_000)
    assert backlog.first == 99
    backlog.restart(100, lambda _: 1)
    assert backlog.first == 99
