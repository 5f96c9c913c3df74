"""Reasoning inside a reply's own text."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ui.markdown.thinking import SplitReply, Splitter, split


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<think>a</think>b", ("a", "b")),
        ("\n <think>\na\n</think>\n\nb", ("\na\n", "\n\nb")),
        ("<think>a", ("a", "")),
        ("<think>a</thi", ("a</thi", "")),
        ("a <think>b</think>", ("", "a <think>b</think>")),
        ("<thin", ("", "<thin")),
        ("", ("", "")),
    ],
)
def test_reasoning_stands_at_the_beginning(text: str, parts: tuple[str, str]) -> None:
    """Only there is it reasoning and not part of the answer."""
    assert split(text) == SplitReply(*parts)


PIECES = st.sampled_from(["<think>", "</think>", "<th", "ink>", "</", "a", " ", "\n", "<"])


@given(st.lists(PIECES, max_size=12))
def test_the_parts_do_not_depend_on_the_deltas(pieces: list[str]) -> None:
    """A streamed reply shows the same as a loaded one."""
    splitter = Splitter()
    parts = [part for piece in pieces for part in splitter.feed(piece)] + list(splitter.rest())
    joined = ["".join(text for part, text in parts if part == which) for which in ("reasoning", "answer")]
    assert SplitReply(*joined) == split("".join(pieces))
