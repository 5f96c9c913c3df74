"""Records that ranks fetch from each other: whole, in bounded portions, or an error that says why not."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ranks import exchange
from engine.ranks.exchange import Contents, Exchange, FetchError
from engine.ranks.inputs import Fetch, Form, Portion, decode_input, encode
from engine.ranks.part import PartMismatchError
from storage.segments.records import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.ranks.inputs import Carried

RECORD = {
    "0.keys": Tensor("F16", (1, 2, 3, 4), memoryview(bytes(range(48)))),
    "1.1": Tensor("U8", (0,), memoryview(b"")),
    "0.values": Tensor("U32", (5,), memoryview(bytes(range(100, 120)))),
}


class Pair:
    """Two ranks: what one sends, the other hears at once, as it would be decoded. `change` may falsify a message."""

    def __init__(self, found: Contents | None, change: Callable[[Carried], Carried | None] = lambda one: one) -> None:
        self.sent: list[Carried] = []
        self._change = change
        self.leader = Exchange(lambda _, message: self._pass(self.other, message), lambda *_: None)
        self.other = Exchange(
            lambda _, message: self._pass(self.leader, message), lambda _rank, _wanted, then: then(found)
        )

    def _pass(self, to: Exchange, message: Carried) -> None:
        changed = self._change(message)
        if changed is not None:
            told: Any = decode_input(encode(changed).strip())
            self.sent.append(told)
            to.hear(1, told)

    def fetch(self) -> Contents:
        return self.leader.fetch(1, "key", "kv")


@given(st.integers(1, 80))
def test_a_record_arrives_as_it_was_in_bounded_portions(portion: int) -> None:
    """Whatever the size of a portion; and never more than one is on its way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exchange, "PORTION_BYTES", portion)
        pair = Pair(Contents.of(RECORD))
        found = pair.fetch().tensors()
    assert {name: (one.dtype, one.shape, bytes(one.data)) for name, one in found.items()} == {
        name: (one.dtype, one.shape, bytes(one.data)) for name, one in RECORD.items()
    }
    assert all(len(one.data) <= portion for one in pair.sent if isinstance(one, Portion))
    assert [type(one) for one in pair.sent] == [Fetch, Portion] * (len(pair.sent) // 2)


def test_each_portion_may_have_to_wait() -> None:
    """The caller decides when the next one is fetched."""
    waits: list[int] = []
    pair = Pair(Contents.of(RECORD))
    pair.leader.fetch(1, "key", "kv", lambda: waits.append(len(pair.sent)))
    assert waits == [0]


def test_a_record_that_is_not_there_is_an_error() -> None:
    """At once, and the next fetch works as before."""
    with pytest.raises(FetchError, match="does not have"):
        Pair(None).fetch()


def _falsified(**changes: Any) -> Callable[[Carried], Carried]:
    from msgspec import structs

    return lambda one: structs.replace(one, **changes) if isinstance(one, Portion) else one


@pytest.mark.parametrize(
    "changes",
    [
        {"size": 1 << 40},
        {"size": 1000},
        {"forms": ()},
        {"forms": (Form("a", "F32", (17,)), Form("a", "F32", (0,)))},
        {"forms": (Form("a", "F32", (1 << 40,)),)},
        {"forms": (Form("a", "F32", (-17, -1)),)},
        {"forms": (Form("a", "none", (17,)),)},
        {"data": b"short"},
    ],
)
def test_garbage_is_an_error(changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """No garbage becomes an array, and none makes a fetch endless."""
    monkeypatch.setattr(exchange, "ANSWER_SECONDS", 0.05)
    with pytest.raises((FetchError, PartMismatchError)):
        Pair(Contents.of(RECORD), _falsified(**changes)).fetch().tensors()


def test_a_rank_that_does_not_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while. Its later answer is dropped."""
    monkeypatch.setattr(exchange, "ANSWER_SECONDS", 0.01)
    pair = Pair(Contents.of(RECORD), lambda one: None if isinstance(one, Portion) else one)
    with pytest.raises(FetchError, match="sent no portion"):
        pair.fetch()
    pair.leader.hear(1, Portion(0, 0, 3, b"abc"))


def test_a_portion_of_a_record_that_is_not_being_sent_is_empty() -> None:
    """A rank that was started anew is asked for the rest of something: it has nothing of it."""
    sent: list[Carried] = []
    own = Exchange(lambda _, message: sent.append(message), lambda *_: None)
    own.hear(1, Fetch(7, "key", "kv", at=10))
    assert sent == [Portion(7)]


def test_threads_fetch_one_after_another() -> None:
    """Each gets its own record."""
    pair = Pair(Contents.of(RECORD))
    found: list[Contents] = []
    threads = [threading.Thread(target=lambda: found.append(pair.fetch())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(found) == 3
