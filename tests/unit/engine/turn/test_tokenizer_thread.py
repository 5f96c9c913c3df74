"""The tokenizer thread runs jobs in order, with their outcomes posted back, and remembers the tokens of texts."""

from __future__ import annotations

import queue
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import cast

import pytest

from engine.model.loader import LoadedModel
from engine.turn import prepare
from engine.turn.prepare import TokenizerThread, remembering

Posts = queue.SimpleQueue[Callable[[], None]]


@pytest.fixture
def posts() -> Posts:
    return queue.SimpleQueue()


def test_jobs_run_in_order_on_one_other_thread(posts: Posts) -> None:
    """Each outcome is a call that only runs where the posts are taken. An error is raised where the outcome is used,
    and the thread goes on: the next job has its result.
    """
    thread, outcomes = TokenizerThread(posts.put), list[tuple[int, int, int]]()
    failed: list[Callable[[], object]] = []

    def fail() -> int:
        raise ValueError("no tokens")

    def then(outcome: Callable[[], tuple[int, int]]) -> None:
        outcomes.append((*outcome(), threading.get_ident()))

    thread.submit(fail, failed.append)
    for number in range(20):
        thread.submit(lambda number=number: (number, threading.get_ident()), then)  # type: ignore[misc] # a default binds it
    for _ in range(21):
        posts.get(timeout=20)()
    here = threading.get_ident()
    assert [number for number, _, _ in outcomes] == list(range(20))
    assert {there == here for _, there, _ in outcomes} == {False}
    assert {at for _, _, at in outcomes} == {here}
    with pytest.raises(ValueError, match="no tokens"):
        failed[0]()


def test_closing_waits_for_the_job_that_runs_and_drops_the_others(posts: Posts) -> None:
    """The call that was posted does nothing, and keeps nothing in memory."""
    found, outcomes = list[threading.Thread](), list[Callable[[], None]]()
    began, may_end = threading.Event(), threading.Event()

    def job(model: Model) -> None:
        found.append(threading.current_thread())
        began.set()
        assert may_end.wait(20), model

    thread = TokenizerThread(posts.put)

    model = Model()
    alive = weakref.ref(model)
    for _ in range(3):
        thread.submit(partial(job, model), partial(model.follow, outcomes))
    del model
    assert began.wait(20)
    closing = threading.Thread(target=thread.close)
    closing.start()
    while not thread._pool._shutdown:
        closing.join(0.001)
    with thread._pool._shutdown_lock:
        may_end.set()
    closing.join(20)
    assert [one.is_alive() for one in found] == [False], "one job ran"
    del closing
    assert alive() is None
    posts.get_nowait()()
    assert posts.empty()
    assert not outcomes


class Model:
    """What jobs and their outcomes hold."""

    def follow(self, outcomes: list[Callable[[], None]], outcome: Callable[[], None]) -> None:
        """Note the outcome of a job."""
        outcomes.append(outcome)


def test_an_outcome_that_failed_on_its_way_is_posted_once_more_with_effect(posts: Posts) -> None:
    """The loop calls an outcome again if it failed. Only a receiver that has heard of it closes it."""
    thread, outcomes, calls = TokenizerThread(posts.put), list[int](), count()

    def then(outcome: Callable[[], int]) -> None:
        if not next(calls):
            raise MemoryError
        outcomes.append(outcome())

    thread.submit(lambda: 3, then)
    post = posts.get(timeout=20)
    with pytest.raises(MemoryError):
        post()
    for _ in range(2):
        post()
    assert outcomes == [3]


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


def test_a_full_memo_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text is encoded once, unless it alone exceeds the limit of all texts together. The caller may change its list:
    the memo gives a new one.
    """
    monkeypatch.setattr(prepare, "_MOST_CHARS", 2 * (prepare._TEXT_CHARS + 2))
    letters = _Letters()
    encode = remembering(cast("LoadedModel", letters))
    for text in ("aa", "bb", "aa", "cc", "bb", "e" * 10_000, "e" * 10_000, "bb", "ff"):
        tokens = encode(text)
        assert tokens == [ord(letter) for letter in text]
        tokens.clear()
    assert letters.encoded == ["aa", "bb", "cc", "bb", "e" * 10_000, "e" * 10_000, "ff"]


def test_several_threads_may_use_a_memo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they forget meanwhile, every text has its own tokens."""
    monkeypatch.setattr(prepare, "_MOST_CHARS", 10 * prepare._TEXT_CHARS)
    encode = remembering(cast("LoadedModel", _Letters()))
    texts = [f"text {number % 17}" for number in range(400)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(encode, texts)) == [[ord(letter) for letter in text] for text in texts]
