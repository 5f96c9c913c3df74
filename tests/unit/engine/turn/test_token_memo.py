"""The memo of tokens: each text is encoded once while it is remembered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, cast

from engine.turn import token_memo
from engine.turn.token_memo import TokenMemo, remembering

if TYPE_CHECKING:
    import pytest

    from engine.model.loader import LoadedModel


class _Template:
    """Only the key of a memo."""


class _Letters:
    """A model that encodes letters, and counts the texts."""

    def __init__(self) -> None:
        self.template = _Template()
        self.encoded: list[str] = []

    def encode(self, text: str) -> list[int]:
        self.encoded.append(text)
        return [ord(letter) for letter in text]


def test_a_text_is_encoded_once_however_long_it_is() -> None:
    """The caller may change its list: the memo gives a new one."""
    letters = _Letters()
    encode = remembering(cast("LoadedModel", letters))
    for text in ("short", "long " * 10_000):
        first = encode(text)
        first.append(0)
        assert encode(text) == [ord(letter) for letter in text]
    assert len(letters.encoded) == 2


def test_the_texts_that_were_used_least_recently_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """All texts together have a limit. One that alone exceeds it is not remembered."""
    monkeypatch.setattr(token_memo, "_MOST_CHARS", 3 * (token_memo._TEXT_CHARS + 2))
    memo = TokenMemo()
    for text in ("aa", "bb", "cc"):
        memo.put(text, [1, 2])
    assert memo.get("aa") == [1, 2]
    memo.put("dd", [3])
    assert [memo.get(text) for text in ("aa", "bb", "cc", "dd")] == [[1, 2], None, [1, 2], [3]]
    memo.put("e" * 1000, [5])
    assert [memo.get(text) for text in ("aa", "cc", "dd", "e" * 1000)] == [None] * 4
    memo.put("ff", [6])
    assert memo.get("ff") == [6]


def test_several_threads_may_use_a_memo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they forget meanwhile, every text has its own tokens."""
    monkeypatch.setattr(token_memo, "_MOST_CHARS", 10 * token_memo._TEXT_CHARS)
    encode = remembering(cast("LoadedModel", _Letters()))
    texts = [f"text {number % 17}" for number in range(400)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(encode, texts)) == [[ord(letter) for letter in text] for text in texts]
