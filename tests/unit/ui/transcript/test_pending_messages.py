"""The order in which the messages of a long history are loaded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import Span
from ui.transcript.pending_messages import CHUNK, HISTORY_CHARACTERS, VIEW, ChunkSize, PendingMessages, Side, part_size


@given(st.lists(st.integers(0, 2 * CHUNK.characters), min_size=1, max_size=200), st.sampled_from([VIEW, CHUNK]))
def test_each_message_comes_once_the_newest_first(lengths: list[int], portion: ChunkSize) -> None:
    """No chunk exceeds its limits, but for its last message: none is divided."""
    backlog, came = PendingMessages(len(lengths), lengths.__getitem__), []
    while backlog.first:
        chunk = backlog.take(Side.ABOVE, portion)
        assert len(chunk) <= portion.messages
        assert sum(lengths[index] for index in chunk[:-1]) <= portion.characters
        came += chunk
    assert came == list(reversed(range(len(lengths))))
    assert backlog.characters == sum(lengths)


@given(st.lists(st.integers(0, 2 * CHUNK.characters), min_size=1, max_size=8))
def test_a_chunk_has_the_messages_that_fit(lengths: list[int]) -> None:
    """Above and below, in their order from the page. None fits if the next one is too long: it is written in parts."""
    backlog = PendingMessages(len(lengths), lengths[::-1].__getitem__)
    turned = PendingMessages(len(lengths), lengths.__getitem__)
    turned.jump(0)
    above = backlog.fitting(Side.ABOVE)
    assert above == turned.fitting(Side.BELOW)
    assert above <= CHUNK.messages
    assert sum(lengths[:above]) <= CHUNK.characters
    assert above in {CHUNK.messages, len(lengths)} or sum(lengths[: above + 1]) > CHUNK.characters


def test_a_part_has_a_line_at_least() -> None:
    """A line is never divided. Short lines and cells count more than their letters."""
    text = [Line(LineKind.TEXT, (Span("x" * 100_000),))] * 3
    empty = [Line(LineKind.CODE)] * 1_000
    row = Line(LineKind.TABLE, rows=(((Span("a"),),) * 10,))
    assert part_size(text) == 1
    assert part_size(text[:0]) == 0
    assert 50 < part_size(empty) < 200
    assert part_size([row] * 1_000) * 9 < part_size(empty)


def test_a_very_long_history_stops_loading() -> None:
    """Loading stops at the limit of characters."""
    backlog = PendingMessages(1000, lambda _: 1000)
    while backlog.loads_more:
        backlog.take(Side.ABOVE)
    assert HISTORY_CHARACTERS <= backlog.characters < HISTORY_CHARACTERS + 2 * CHUNK.characters
    assert backlog.first > 0


def test_the_first_loaded_index_follows_changes_above() -> None:
    """Messages inserted above it shift the index."""
    backlog = PendingMessages(10, lambda _: 1)
    backlog.prepend(5)
    assert backlog.first == 15
