"""Chats that move between one engine and a group: caches of several ranks with real stores, over links in memory."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest
from msgspec import structs

from engine.cache.disk import disk_tier, dtypes
from engine.cache.disk.disk_tier import open_store
from engine.cache.lookup import LookupRequest, LookupResult
from engine.cache.manager import Checkpoint
from engine.ranks import exchange
from engine.ranks.inputs import Fetch, FetchRest, Portion
from storage.segments.store import SegmentStore
from tests.fakes.lockstep_rig import inputs
from tests.fakes.rank_caches import QUOTA, RankCaches
from tests.fakes.shares import IDENTITY, NEEDS, chain_of, division, is_whole, part, share, shares_to_write, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from engine.cache.segment import Segment

    Place = tuple[int, str, str]

TURNS = 2
WHOLE = chain_of(TURNS)
END = WHOLE[-1].end
FAR = 1 << 20


class Ranks(RankCaches):
    """The caches of a group. Every rank has its part of the same model."""

    def __init__(self, folder: Path, ranks: int) -> None:
        super().__init__(folder, ranks, lambda rank: division(rank, ranks))
        self.ranks = ranks

    def chain(self, rank: int) -> list[Segment]:
        """The chat, with the keys of a rank."""
        return chain_of(TURNS, part(rank, self.ranks))

    def found(self) -> list[tuple[int, dict[Place, bytes]]]:
        """The length that each rank restores, and the bytes of the arrays."""

        def work(rank: int, manager: Any, then: Callable[[Any], None]) -> None:
            request = LookupRequest("chat", self.chain(rank), NEEDS, FAR, FAR)
            manager.look_up(request, lambda result: then((result.plan.length, contents(result))))

        return self.on_each(work)

    def commit(self) -> None:
        """Each rank stores its share of the chat, as after one long turn."""

        def work(rank: int, manager: Any, then: Callable[[Any], None]) -> None:
            chain = self.chain(rank)
            fresh = [Checkpoint(one, share(one, rank, self.ranks), durable=one is chain[-1]) for one in chain]
            identity = f"{IDENTITY}-{part(rank, self.ranks).name}"
            manager.commit("chat", identity, fresh, chain, then)

        self.on_each(work)

    def restored(self) -> int:
        """The length that all ranks restore. The arrays of each are its part of the whole."""
        results = self.found()
        [length] = {length for length, _ in results}
        for rank, (_, found) in enumerate(results):
            own = {
                (one.end, kind, name): bytes(tensor.data)
                for one in WHOLE
                for kind, record in whole(one).items()
                for name, tensor in part(rank, self.ranks).cut(kind, record).items()
            }
            assert found.items() <= own.items()
            assert {end for end, kind, _ in found if kind == "kv"} == {one.end for one in WHOLE if one.end <= length}
        return length

    def failures(self) -> list[dict[str, int]]:
        """The failures that each rank has counted."""
        reports = self.on_each(lambda _, manager, then: manager.report(then))
        return [report.failures for report in reports]


def contents(result: LookupResult) -> dict[Place, bytes]:
    """The bytes of what is restored, by segment. Read on the thread of the rank."""
    found: dict[Place, bytes] = {}
    for piece in result.pieces:
        for kind, name, array in ((k, n, a) for k, arrays in piece.records.items() for n, a in arrays.items()):
            for one in (one for one in WHOLE if piece.start <= one.start and one.end <= piece.end):
                own = array[..., one.start - piece.start : one.end - piece.start, :] if kind == "kv" else array
                if kind == "kv" or one.end == piece.end:
                    found[one.end, str(kind), name] = bytes(memoryview(mx.contiguous(own)))  # type: ignore[arg-type] # a buffer
    return found


def store_whole(folder: Path, *durable: Segment) -> None:
    """Store the chat as an engine by itself does, with states at the end of some segments."""
    with closing(open_store(folder / "0", QUOTA)) as store:
        for one in WHOLE:
            kinds = {
                kind: dtypes.to_arrays(tensors)
                for kind, tensors in whole(one).items()
                if kind == "kv" or one in durable
            }
            store.commit("chat", [disk_tier.new_segment(one, IDENTITY, kinds)])


def lead_until(ranks: Ranks, done: Callable[[], bool]) -> None:
    """Execute what the leader takes until this is so."""
    while not done():
        taken = ranks.group.leader.get(block=True)
        if callable(taken):
            taken()


@pytest.fixture(params=[2, 3])
def ranks(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ranks]:
    """Two ranks, and three."""
    made = Ranks(tmp_path, request.param)
    yield made
    made.close()


def test_a_chat_of_one_engine_is_restored_by_all_ranks(ranks: Ranks, tmp_path: Path) -> None:
    """The leader cuts its slices from its own disk. The others, which have nothing, fetch theirs once."""
    store_whole(tmp_path, WHOLE[-1])
    assert ranks.restored() == END
    fetched = len(inputs(ranks.group.told[1].sent, Portion))
    assert fetched == len(WHOLE) + 1
    assert ranks.restored() == END
    assert len(inputs(ranks.group.told[1].sent, Portion)) == fetched
    assert not any(ranks.failures())


def test_what_a_group_stored_is_restored_by_one_engine(ranks: Ranks, tmp_path: Path) -> None:
    """Byte for byte what it would have stored by itself. All is gathered before the engine ends."""
    ranks.commit()
    ranks.group.leader.before_end()
    with closing(SegmentStore.open(tmp_path / "copy", QUOTA)):
        pass
    assert not any(ranks.failures())
    job: list[bool] = []
    ranks.managers[0].ask(1, lambda store: is_whole(store, WHOLE, (WHOLE[-1],)), job.append)
    lead_until(ranks, lambda: bool(job))
    assert job == [True]


def test_ranks_settle_where_the_leader_has_a_state(ranks: Ranks, tmp_path: Path) -> None:
    """Keys and values alone do not do. That the leader has no more is no failure."""
    store_whole(tmp_path, WHOLE[1])
    assert ranks.restored() == WHOLE[1].end
    assert not any(ranks.failures())


def test_a_rank_fetches_only_what_it_lacks(tmp_path: Path) -> None:
    """It has the first half of its share, from earlier turns."""
    store_whole(tmp_path, WHOLE[-1])
    own = chain_of(TURNS, part(1, 2))
    with closing(open_store(tmp_path / "1", QUOTA)) as store:
        store.commit("chat", shares_to_write(own[:3], 1, 2, own[:3]))
    ranks = Ranks(tmp_path, 2)
    assert ranks.restored() == END
    assert len(inputs(ranks.group.told[1].sent, Portion)) == len(WHOLE) - 3 + 1
    ranks.close()


def test_a_damaged_whole_record_is_a_miss_for_all(ranks: Ranks, tmp_path: Path) -> None:
    """What lies before it is restored."""
    store_whole(tmp_path, WHOLE[1], WHOLE[-1])
    [file] = tmp_path.glob(f"0/??/{WHOLE[3].key}.kv.safetensors")
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    assert ranks.restored() == WHOLE[1].end


def test_a_rank_prefills_if_that_is_faster_than_fetching(ranks: Ranks, tmp_path: Path) -> None:
    """By the measured rates of the connection and of the prompt."""
    store_whole(tmp_path, WHOLE[-1])
    ranks.managers[0]._exchange.bytes_per_second = 1.0
    ranks.group.leader.pace.tokens_per_second = 1e6
    assert ranks.restored() == 0
    assert not inputs(ranks.group.told[1].sent, Portion, FetchRest)
    ranks.managers[0]._exchange.bytes_per_second = 1e9
    assert ranks.restored() == END


def test_what_stays_in_memory_is_not_moved(ranks: Ranks, tmp_path: Path) -> None:
    """Each rank keeps its share of a private chat in memory. One whose share was evicted in part makes all restore what
    it has: nothing is fetched, gathered or written, not even if the same words are on the leader's disk.
    """
    store_whole(tmp_path, WHOLE[-1])
    chains = [chain_of(TURNS, part(rank, ranks.ranks), on_disk=False) for rank in range(ranks.ranks)]
    before = sorted(tmp_path.glob("?/??/*"))

    def commit(rank: int, manager: Any, then: Callable[[Any], None]) -> None:
        chain = chains[rank]
        fresh = [Checkpoint(one, share(one, rank, ranks.ranks), durable=True) for one in chain]
        manager.commit("private", IDENTITY, fresh, chain, lambda _: None)
        then(manager.hot.drop([chain[-1].key]) if rank == 1 else None)

    def look_up(rank: int, manager: Any, then: Callable[[Any], None]) -> None:
        request = LookupRequest("private", chains[rank], NEEDS, FAR, FAR)
        manager.look_up(request, lambda result: then((result.plan.length, result.source)))

    ranks.on_each(commit)
    assert ranks.on_each(look_up) == [(chains[0][-2].end, "hot")] * ranks.ranks
    ranks.group.leader.before_end()
    assert not inputs(ranks.group.told[1].sent, Portion, FetchRest, Fetch)
    assert not any(ranks.failures())
    assert sorted(tmp_path.glob("?/??/*")) == before


FALSE: dict[str, Callable[[Portion], Portion | None]] = {
    "short": lambda one: structs.replace(one, size=one.size - 1),
    "other arrays": lambda one: structs.replace(one, forms=(structs.replace(one.forms[0], name="a"), *one.forms[1:])),
    "no answer": lambda _: None,
}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("false", FALSE)
@pytest.mark.parametrize("number", [1, 2, len(WHOLE) + 1])
def test_garbage_is_a_miss_for_all(
    ranks: Ranks, false: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever portion it is: the ranks restore what each has by then, and the next lookup works."""
    store_whole(tmp_path, WHOLE[-1])
    wire = ranks.group.told[1]
    send, count = wire.send, [0]

    def falsified(message: Any) -> None:
        count[0] += isinstance(message, Portion)
        changed = FALSE[false](message) if isinstance(message, Portion) and count[0] == number else message
        if changed is not None:
            send(changed)

    monkeypatch.setattr(wire, "send", falsified)
    with monkeypatch.context() as impatient:
        impatient.setattr(exchange, "ANSWER_SECONDS", 0.2)
        assert ranks.restored() == 0
    assert [one.get("not_fetched", 0) for one in ranks.failures()][1] == 1
    assert ranks.restored() == END


def test_a_chat_that_is_forgotten_while_a_rank_fetches_gets_its_answer(ranks: Ranks, tmp_path: Path) -> None:
    """The lookup of a request is always answered, and what was fetched is not stored."""
    store_whole(tmp_path, WHOLE[-1])

    def look_up_and_forget(rank: int, manager: Any, then: Callable[[Any], None]) -> None:
        request = LookupRequest("chat", ranks.chain(rank), NEEDS, FAR, FAR, requests=("request",))
        manager.look_up(request, then)
        manager.forget("chat", lambda _: None)

    results: Sequence[LookupResult] = ranks.on_each(look_up_and_forget)
    assert len({one.plan.length for one in results}) == 1
    assert ranks.restored() == 0
    assert not inputs(ranks.group.told[1].sent[-1:], Fetch)
