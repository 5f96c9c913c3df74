"""The order in which the messages of a long history are loaded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.transcript.pending_messages import (
    CHUNK_CHARACTERS,
    CHUNK_MESSAGES,
    FIRST_MESSAGES,
    HISTORY_CHARACTERS,
    PendingMessages,
)


@given(st.lists(st.integers(0, 2 * CHUNK_CHARACTERS), min_size=1, max_size=200))
def test_each_message_comes_once_the_newest_first(lengths: list[int]) -> None:
    """No chunk exceeds its limits. The first one may hold more messages, to fill the view."""
    backlog, came = PendingMessages(len(lengths)), []
    while backlog.first:
        most = CHUNK_MESSAGES if backlog.characters else FIRST_MESSAGES
        chunk = backlog.next_chunk(lengths.__getitem__)
        assert len(chunk) <= most
        assert sum(lengths[index] for index in chunk[:-1]) <= CHUNK_CHARACTERS
        came += chunk
    assert came == list(reversed(range(len(lengths))))
    assert backlog.characters == sum(lengths)


def test_a_very_long_history_stops_loading() -> None:
    """Loading stops at the limit of characters."""
    backlog = PendingMessages(1000)
    while backlog.loads_more:
        backlog.next_chunk(lambda _: 1000)
    assert HISTORY_CHARACTERS <= backlog.characters < HISTORY_CHARACTERS + 2 * CHUNK_CHARACTERS
    assert backlog.first > 0


def test_the_first_loaded_index_follows_changes_above() -> None:
    """Messages inserted or removed above it shift the index. Messages below it do not."""
    backlog = PendingMessages(10)
    backlog.prepend(5)
    backlog.remove(3)
    backlog.remove(14)
    assert backlog.first == 14


def test_a_restart_loads_no_more_than_before() -> None:
    """Messages that were not loaded before the restart are not loaded by it."""
    backlog = PendingMessages(100)
    backlog.next_chunk(lambda _: 10_000)
    assert backlog.first == 99
    backlog.restart(100, lambda _: 1)
    assert backlog.first == 99
