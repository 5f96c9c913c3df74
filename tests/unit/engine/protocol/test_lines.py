"""The lines of a pipe are whole, however the pipe splits them, and never too long."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.protocol.framing import Lines

LIMIT = 5


def fed(lines: Lines, pieces: list[bytes]) -> list[bytes | None]:
    return [line for piece in pieces for line in lines.feed(piece)]


@given(st.lists(st.lists(st.sampled_from([b"a", b"b", b"\n", b"cc", b"\n\n"]), max_size=8).map(b"".join), max_size=8))
def test_the_pieces_of_a_pipe_make_no_difference(pieces: list[bytes]) -> None:
    """Each ended line comes once, and a line that is too long is reported in its place."""
    *ended, rest = b"".join(pieces).split(b"\n")
    expected = [line if len(line) <= LIMIT else None for line in ended]
    assert fed(Lines(LIMIT), pieces) == expected + [None] * (len(rest) > LIMIT)


def test_no_more_than_a_line_is_buffered() -> None:
    """A line that is too long is dropped as soon as it exceeds the limit, and the next line is whole."""
    lines = Lines(LIMIT)
    assert fed(lines, [b"x" * LIMIT, b"x"]) == [None]
    assert fed(lines, [b"x" * 1000] * 100) == []
    assert not lines._held
    assert fed(lines, [b"x\nnext\n"]) == [b"next"]
