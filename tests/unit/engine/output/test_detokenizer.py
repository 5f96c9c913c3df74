"""A row's text is what mlx-lm's decoder makes of its tokens, as soon as it is readable."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.output.parser import RowDetokenizer
from tests.fakes.replies import MOST_BYTES, REPLIES, Speaker

TEXT = "Ein Gruß 🔥 aus  Zürich.\n"
MODEL = Speaker(REPLIES["plain"])


@given(st.lists(st.integers(1, MOST_BYTES)))
def test_text_comes_whole_and_in_order(lengths: list[int]) -> None:
    """Every text is emitted once, wherever tokens divide it, and no part ends inside a character."""
    row = RowDetokenizer(MODEL.wrapper)
    pieces = [row.add(token) for token in MODEL.encode(REPLIES["plain"].raw, lengths)]
    assert "\ufffd" not in "".join(pieces)
    assert "".join(pieces) + row.finish() == row.text == REPLIES["plain"].raw


def test_an_incomplete_character_is_emitted_at_the_end() -> None:
    """Bytes that wait for others are emitted when nothing follows."""
    row = RowDetokenizer(MODEL.wrapper)
    for token in MODEL.encode("ü")[:1]:
        assert row.add(token) == ""
    assert row.finish() == row.text == "\ufffd"


@given(st.integers(0, 40))
def test_a_text_continues_where_it_was_shown(cut: int) -> None:
    """After skip_shown, only new text is emitted: no space twice, and split characters whole."""
    tokens = MODEL.encode(TEXT)
    before, row = RowDetokenizer(MODEL.wrapper), RowDetokenizer(MODEL.wrapper)
    for token in tokens[:cut]:
        before.add(token)
        row.add(token)
    before.finish()
    row.skip_shown()
    rest = "".join(row.add(token) for token in tokens[cut:]) + row.finish()
    assert before.text.rstrip("\ufffd") + rest == TEXT
    assert row.text == rest
