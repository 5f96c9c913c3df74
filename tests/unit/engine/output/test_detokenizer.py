"""A row's text is what mlx-lm's decoder makes of its tokens, as soon as it is readable."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.output.detokenizer import RowDetokenizer
from tests.fakes.replies import MOST_BYTES, REPLIES, Speaker

TEXT = "Ein Gruß 🔥 aus  Zürich.\n"
MODEL = Speaker(REPLIES["plain"])


@given(st.lists(st.integers(1, MOST_BYTES)))
def test_text_comes_whole_and_in_order(lengths: list[int]) -> None:
    """Wherever tokens divide it, a text is told once, and no piece ends inside a character."""
    row = RowDetokenizer(MODEL.wrapper)
    pieces = [row.add(token) for token in MODEL.encode(REPLIES["plain"].raw, lengths)]
    assert "\ufffd" not in "".join(pieces)
    assert "".join(pieces) + row.finish() == row.text == REPLIES["plain"].raw


def test_a_character_that_never_completes_is_told_at_the_end() -> None:
    """Bytes that wait for others are not lost where nothing follows."""
    row = RowDetokenizer(MODEL.wrapper)
    for token in MODEL.encode("ü")[:1]:
        assert row.add(token) == ""
    assert row.finish() == row.text == "\ufffd"


@given(st.integers(0, 40))
def test_a_text_goes_on_where_it_was_read(cut: int) -> None:
    """Settled, a row tells only what is new: a space that was told is not told again, a split character is whole."""
    tokens = MODEL.encode(TEXT)
    before, row = RowDetokenizer(MODEL.wrapper), RowDetokenizer(MODEL.wrapper)
    for token in tokens[:cut]:
        before.add(token)
        row.add(token)
    before.finish()
    row.skip_shown()
    told = "".join(row.add(token) for token in tokens[cut:]) + row.finish()
    assert before.text.rstrip("\ufffd") + told == TEXT
    assert row.text == told
