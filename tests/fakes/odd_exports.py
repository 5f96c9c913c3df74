"""Exports of chats as other programs or damage leave them, for property tests. Each message holds a unique word."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

NUMBERS = st.sampled_from(
    (0, -1, 1, 1.5, -5e9, 1e12, 1e18, 1e300, 1e308, 10**30, int("9" * 4000), float("nan"), float("inf"), float("-inf"))
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    NUMBERS,
    st.text(max_size=4),
    st.just("\ud83d"),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=1),
)


@dataclass
class Export:
    """`content` is the JSON. `words` are those in readable messages. `chats` is the number of chats."""

    content: Any
    words: list[str] = field(default_factory=list)
    chats: int = 0


@st.composite
def chatgpt(draw: st.DrawFn) -> Export:
    """Up to three chats, with links in circles, to themselves and to missing messages, and odd values everywhere."""
    made = Export([])
    for number in range(draw(st.integers(1, 3))):
        made.content.append(_chat(draw, made, f"c{number}"))
    return made


def _chat(draw: st.DrawFn, made: Export, chat: str) -> object:
    made.chats += 1
    if draw(st.integers(0, 9)) == 0:
        return draw(ODD)
    ids = [f"{chat}n{place}" for place in range(draw(st.integers(0, 8)))]
    fields = {"title": draw(ODD), "create_time": draw(ODD), "update_time": draw(ODD)}
    mapping = {one: _node(draw, made, one, ids) for one in ids}
    return {**fields, "mapping": mapping, "current_node": draw(st.sampled_from([*ids, None, "gone"]))}


def _node(draw: st.DrawFn, made: Export, one: str, ids: list[str]) -> object:
    links = {"parent": draw(st.sampled_from([*ids, one, None, "gone", 5]))}
    if draw(st.booleans()):
        links["children"] = draw(st.lists(st.sampled_from([*ids, "gone", 5]), max_size=3))  # type: ignore[assignment]  # odd on purpose
    return links | {"message": _message(draw, made, one)}


def _message(draw: st.DrawFn, made: Export, one: str) -> object:
    if draw(st.integers(0, 4)) == 0:
        return draw(ODD)
    word = f"word{one}."
    made.words.append(word)
    return {
        "author": {"role": draw(st.sampled_from(("user", "assistant", "tool", "critic")))},
        "create_time": draw(ODD),
        "content": draw(
            st.sampled_from(
                (
                    {"content_type": "text", "parts": [word]},
                    {"content_type": "multimodal_text", "parts": [5, {"content_type": "image"}, {"text": word}]},
                    {"content_type": "code", "language": 5, "text": word},
                    {"content_type": "execution_output", "text": word},
                    {"content_type": "tether_quote", "title": [], "text": word},
                    {"content_type": "thoughts", "thoughts": [5, {"summary": word}]},
                    {"parts": [None, word]},
                    {"content_type": "of tomorrow", "text": word},
                )
            )
        ),
        "metadata": draw(st.one_of(st.none(), st.just({"model_slug": 5, "attachments": [{"name": 5}, 7]}))),
    }
