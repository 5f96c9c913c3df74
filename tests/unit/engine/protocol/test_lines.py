"""The lines of a pipe: whole whatever the pieces, never longer than allowed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.protocol.framing import Lines

LIMIT = 5


def fed(lines: Lines, pieces: list[bytes]) -> list[bytes | None]:
    return [line for piece in pieces for line in lines.feed(piece)]


@given(st.lists(st.lists(st.sampled_from([b"a", b"b", b"\n", b"cc", b"\n\n"]), max_size=8).map(b"".join), max_size=8))
def test_pieces_make_no_difference(pieces: list[bytes]) -> None:
    """However a pipe cuts the bytes: each ended line comes once, and one that is too long is reported in its place."""
    *ended, rest = b"".join(pieces).split(b"\n")
    expected = [line if len(line) <= LIMIT else None for line in ended]
    assert fed(Lines(LIMIT), pieces) == expected + [None] * (len(rest) > LIMIT)


def test_no_more_than_a_line_is_held() -> None:
    """What is too long is dropped as soon as that is known, however much of it follows; the next line is whole."""
    lines = Lines(LIMIT)
    assert fed(lines, [b"x" * LIMIT, b"x"]) == [None]
    assert fed(lines, [b"x" * 1000] * 100) == []
    assert not lines._held
    assert fed(lines, [b"x\nnext\n"]) == [b"next"]
