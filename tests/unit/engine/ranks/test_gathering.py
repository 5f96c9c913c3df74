"""Gathering: whole records of all shares, and no share lost whatever fails on the way."""

from __future__ import annotations

import errno
import shutil
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from engine.cache.disk.io_thread import Failure
from engine.cache.keys import of_whole
from engine.ranks.disk_jobs import JobError
from engine.ranks.exchange import Contents, FetchError
from engine.ranks.gathering import Gathering, Stored
from engine.ranks.inputs import Form
from engine.ranks.part import PartMismatchError
from storage.errors import StorageError
from storage.segments.index_file import IndexFile
from storage.segments.records import NewRecord, NewSegment
from storage.segments.store import SegmentStore
from tests.fakes.disk import FailingDisk, PowerCut, cut_after, cut_before, failing_at
from tests.fakes.shares import chain_of, division, is_whole, part, shares_to_write, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection


RANKS = 2
CHAIN = chain_of(1, part(0, RANKS))
DURABLE = (CHAIN[0], CHAIN[-1])
STORED = Stored("chat", CHAIN, [segment.key for segment in DURABLE], division(0, RANKS))
QUOTA = 1 << 30


class Inline:
    """Runs jobs at once, as the I/O thread does later."""

    def __init__(self, store: SegmentStore) -> None:
        self._store = store

    def submit(self, _priority: object, job: Callable[[SegmentStore], Any], done: Callable[[Any], None]) -> None:
        try:
            result = job(self._store)
        except StorageError as error:
            result = Failure(error.code, str(error))
        done(result)


class Follower:
    """Answers for rank 1, from memory. `change` may falsify or refuse an answer, by its number."""

    def __init__(self, change: Callable[[int, Contents], Contents] = lambda _, contents: contents) -> None:
        self._change = change
        self._by_key = {of_whole(segment.key): segment for segment in CHAIN}
        self.answers = 0

    def fetch(self, rank: int, segment: str, kind: str, before_portion: Callable[[], object]) -> Contents:
        before_portion()
        contents = Contents.of(part(rank, RANKS).cut(kind, whole(self._by_key[segment])[kind]))
        self.answers += 1
        return self._change(self.answers, contents)


@contextmanager
def gathering(store: SegmentStore, follower: Follower) -> Iterator[Gathering]:
    made = Gathering(Inline(store), follower, lambda: True, set, lambda _: None)  # type: ignore[arg-type] # fakes
    yield made
    made.finish(10)


def opened(root: Path, disk: FailingDisk | None = None) -> SegmentStore:
    return SegmentStore.open(root, QUOTA, disk)


def stored(root: Path, *chats: str) -> None:
    """The leader's shares of the chat, on disk."""
    with closing(opened(root)) as store:
        for chat in chats:
            store.commit(chat, shares_to_write(CHAIN, 0, RANKS, DURABLE))


def shares_left(store: SegmentStore) -> set[tuple[str, str]]:
    return {(record.segment, record.kind) for record in store.records() if record.segment != of_whole(record.segment)}


def test_shares_become_whole_records_and_are_dropped(tmp_path: Path) -> None:
    """Exactly the records that one engine by itself would have written, for every chat that has the share."""
    stored(tmp_path, "chat", "fork")
    with closing(opened(tmp_path)) as store, gathering(store, Follower()) as made:
        made.gather(STORED)
        assert is_whole(store, CHAIN, DURABLE)
        assert not shares_left(store)
        store.forget("chat")
        assert is_whole(store, CHAIN, DURABLE)
        store.forget("fork")
        assert not store.records()


def test_what_is_whole_is_not_gathered_again(tmp_path: Path) -> None:
    """The next turn of a chat asks other ranks for its new records only."""
    stored(tmp_path, "chat")
    follower = Follower()
    with closing(opened(tmp_path)) as store, gathering(store, follower) as made:
        made.gather(STORED)
        once = follower.answers
        made.gather(STORED)
    assert follower.answers == once


def test_a_chat_that_was_forgotten_is_not_stored_again(tmp_path: Path) -> None:
    """Also if that happens while its shares are on their way."""
    stored(tmp_path, "chat")
    with closing(opened(tmp_path)) as store:

        def forget(_: int, contents: Contents) -> Contents:
            store.forget("chat")
            return contents

        with gathering(store, Follower(forget)) as made:
            made.gather(STORED)
        assert not store.records()


@contextmanager
def counted(disk: FailingDisk, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Transactions of the index are steps of `disk` too."""
    begin = IndexFile.transaction

    @contextmanager
    def transaction(self: IndexFile) -> Iterator[Connection]:
        with begin(self) as connection:
            yield connection
            disk.step("transaction")

    with patch.context() as here:
        here.setattr(IndexFile, "transaction", transaction)
        yield


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which all but the last segment is whole."""
    root = tmp_path_factory.mktemp("base") / "store"
    stored(root, "chat")
    with closing(opened(root)) as store, gathering(store, Follower()) as made:
        made.gather(replace(STORED, chain=CHAIN[:-1]))
    return root


def gather_on(root: Path, disk: FailingDisk, patch: pytest.MonkeyPatch) -> None:
    """Gather on a disk that fails at some step after the store was opened."""
    working = FailingDisk(lambda _: None, lambda _: None)
    with closing(opened(root, working)) as store, gathering(store, Follower()) as made:
        working.become(disk)
        with counted(working, patch), suppress(PowerCut, JobError):
            made.gather(STORED)
        disk.steps[:] = working.steps
        working.become(FailingDisk(lambda _: None, lambda _: None))


FAULTS: list[Callable[[int], FailingDisk]] = [cut_before, cut_after, partial(failing_at, number=errno.ENOSPC)]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("fault", range(len(FAULTS)), ids=["cut before", "cut after", "full"])
def test_no_share_is_lost_if_a_step_fails(
    base: Path, fault: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every step of disk and index: each record is there as a share or whole, and the next turn gathers the rest."""
    undisturbed = FailingDisk(lambda _: None, lambda _: None)
    gather_on(Path(shutil.copytree(base, tmp_path / "undisturbed")), undisturbed, monkeypatch)
    assert len(undisturbed.steps) > 10
    for step in range(len(undisturbed.steps)):
        root = Path(shutil.copytree(base, tmp_path / str(step)))
        gather_on(root, FAULTS[fault](step), monkeypatch)
        with closing(opened(root)) as store, gathering(store, Follower()) as made:
            assert not store.disagreements()
            places = {(of_whole(record.segment), record.kind) for record in store.records()}
            assert places == {(of_whole(s.key), k) for s in CHAIN for k in ("kv", "state") if k == "kv" or s in DURABLE}
            made.gather(STORED)
            assert is_whole(store, CHAIN, DURABLE)
            assert not shares_left(store)


def _lost(_: Contents) -> Contents:
    raise FetchError("rank 1 sent no portion")


def _other_shape(contents: Contents) -> Contents:
    forms = tuple(Form(f.name, f.dtype, (f.shape[0], f.shape[2], f.shape[1], *f.shape[3:])) for f in contents.forms)
    return Contents(forms, contents.data)


GARBAGE: dict[str, Callable[[Contents], Contents]] = {
    "lost": _lost,
    "short": lambda contents: Contents(contents.forms, contents.data[:-1]),
    "other arrays": lambda contents: Contents(contents.forms[1:], contents.data),
    "other type": lambda contents: Contents(
        tuple(Form(form.name, "U32", form.shape) for form in contents.forms), contents.data
    ),
    "other shape": _other_shape,
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_from_another_rank_is_stored_nowhere(garbage: str, tmp_path: Path) -> None:
    """Whichever answer it is. The shares stay, and a later turn gathers them."""
    answers = len(CHAIN) + len(DURABLE)
    for bad in range(1, answers + 1):
        root = tmp_path / str(bad)
        stored(root, "chat")

        def falsified(number: int, contents: Contents, bad: int = bad) -> Contents:
            return GARBAGE[garbage](contents) if number == bad else contents

        with closing(opened(root)) as store:
            with gathering(store, Follower(falsified)) as made, pytest.raises((FetchError, PartMismatchError)):
                made.gather(STORED)
            assert len(shares_left(store)) == answers - bad + 1
            with gathering(store, Follower()) as made:
                made.gather(STORED)
            assert is_whole(store, CHAIN, DURABLE)


def test_it_waits_while_rows_are_computed_unless_the_engine_ends(tmp_path: Path) -> None:
    """Nothing is fetched meanwhile. At the end of the engine all is gathered at once."""
    stored(tmp_path, "chat")
    failures: list[Failure] = []
    follower = Follower()
    with closing(opened(tmp_path)) as store:
        made = Gathering(Inline(store), follower, lambda: False, set, failures.append)  # type: ignore[arg-type] # fakes
        made.add(STORED)
        assert follower.answers == 0
        made.finish(10)
        assert is_whole(store, CHAIN, DURABLE)
    assert not failures


def test_what_an_earlier_engine_left_is_gathered(tmp_path: Path) -> None:
    """Of every chat with the model, without a new turn; and of no other model."""
    stored(tmp_path, "chat", "other")
    failures: list[Failure] = []
    with closing(opened(tmp_path)) as store:
        strange = NewSegment(
            "e-part0of2", None, "strange-part0of2", 0, 9, (NewRecord("kv", whole(CHAIN[0])["kv"], {}),)
        )
        store.commit("strange", [strange])
        made = Gathering(Inline(store), Follower(), lambda: True, set, failures.append)  # type: ignore[arg-type] # fakes
        made.add_all(STORED.division)
        made.finish(10)
        assert is_whole(store, CHAIN, DURABLE)
        assert shares_left(store) == {("e-part0of2", "kv")}
    assert not failures


def test_a_record_is_not_joined_without_memory_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Mac runs a model that is too large for it, so little may be free. The shares stay."""
    stored(tmp_path, "chat")
    failures: list[Failure] = []
    follower = Follower()
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=1000))
    with closing(opened(tmp_path)) as store:
        made = Gathering(Inline(store), follower, lambda: True, set, failures.append)  # type: ignore[arg-type] # fakes
        made.add(STORED)
        made.finish(10)
        assert len(shares_left(store)) == len(CHAIN) + len(DURABLE)
    assert follower.answers == 0
    assert [failure.code for failure in failures] == ["memory"]


def test_failures_are_counted(tmp_path: Path) -> None:
    """Each by its code, and the next chat is gathered all the same."""
    stored(tmp_path, "chat")
    failures: list[Failure] = []
    with closing(opened(tmp_path)) as store:
        follower = Follower(lambda number, contents: _lost(contents) if number == 1 else contents)
        made = Gathering(Inline(store), follower, lambda: True, set, failures.append)  # type: ignore[arg-type] # fakes
        for _ in range(2):
            made.add(STORED)
        made.finish(10)
        assert is_whole(store, CHAIN, DURABLE)
    assert [failure.code for failure in failures] == ["not_gathered"]


def test_a_share_that_another_rank_lacks_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each turn of the chat misses it again, and counts that."""
    stored(tmp_path, "chat")
    failures: list[Failure] = []
    with closing(opened(tmp_path)) as store:
        follower = Follower(lambda _, contents: _lost(contents))
        made = Gathering(Inline(store), follower, lambda: True, set, failures.append)  # type: ignore[arg-type] # fakes
        for _ in range(2):
            made.add(STORED)
        made.finish(10)
    assert {failure.code for failure in failures} == {"not_gathered"}
    assert len(failures) == 2 * len(caplog.messages) == 2 * len(set(caplog.messages)) > 0
