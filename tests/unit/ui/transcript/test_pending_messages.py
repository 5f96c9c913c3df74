"""The order in which the messages of a long history are loaded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.transcript.pending_messages import CHUNK, HISTORY_CHARACTERS, VIEW, PendingMessages, Portion


@given(st.lists(st.integers(0, 2 * CHUNK.characters), min_size=1, max_size=200), st.sampled_from([VIEW, CHUNK]))
def test_each_message_comes_once_the_newest_first(lengths: list[int], portion: Portion) -> None:
    """No chunk exceeds its limits, but for its last message: none is divided."""
    backlog, came = PendingMessages(len(lengths)), []
    while backlog.first:
        chunk = backlog.next_chunk(lengths.__getitem__, portion)
        assert len(chunk) <= portion.messages
        assert sum(lengths[index] for index in chunk[:-1]) <= portion.characters
        came += chunk
    assert came == list(reversed(range(len(lengths))))
    assert backlog.characters == sum(lengths)


def test_a_very_long_history_stops_loading() -> None:
    """Loading stops at the limit of characters."""
    backlog = PendingMessages(1000)
    while backlog.loads_more:
        backlog.next_chunk(lambda _: 1000)
    assert HISTORY_CHARACTERS <= backlog.characters < HISTORY_CHARACTERS + 2 * CHUNK.characters
    assert backlog.first > 0


def test_the_first_loaded_index_follows_changes_above() -> None:
    """Messages inserted above it shift the index."""
    backlog = PendingMessages(10)
    backlog.prepend(5)
    assert backlog.first == 15


def test_a_restart_loads_no_more_than_before() -> None:
    """Messages that were not loaded before the restart are not loaded by it."""
    backlog = PendingMessages(100)
    backlog.next_chunk(lambda _: 10_000)
    assert backlog.first == 99
    backlog.restart(100, lambda _: 1)
    assert backlog.first == 99
