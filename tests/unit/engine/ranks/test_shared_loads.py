"""The load of a group: it can be cancelled until the ranks agree on their shares, and the group then loads again. The
loaded model asks before each forward pass.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest

from engine.model.identity import WeightDigests, weight_bytes
from engine.protocol.errors import LoadCancelled
from engine.protocol.messages import CancelLoad, LoadModel
from engine.ranks import lockstep, shared_loads
from engine.ranks.follower import Follower
from engine.ranks.inputs import Abandon
from engine.ranks.lockstep import Leader
from tests.fakes import tiny_models
from tests.fakes.lockstep_rig import WAIT, Group, inputs, lost


class Reading:
    """What each rank does instead of reading weights: it reports progress until the test lets it finish."""

    def __init__(self) -> None:
        self.finished = threading.Event()
        self.at_work = threading.Barrier(2, timeout=WAIT)

    def attempt(self, rank: Leader | Follower, told: list[str]) -> None:
        """A load as far as the agreement on shares."""
        attempt = shared_loads._Attempt(rank, lambda stage, _done, _total: told.append(stage))
        try:
            self.at_work.wait()
            while not self.finished.wait(0.01):
                attempt.tell("reading", 1, 2)
            attempt._agree()
        except Exception as error:
            attempt.fail(error)
            raise


@pytest.fixture
def group() -> Iterator[Group]:
    group = Group()
    yield group
    group.join()


def attempted(act: Callable[[], Any]) -> BaseException | None:
    """What a load raises."""
    try:
        act()
    except BaseException as error:  # noqa: BLE001 - the test looks at it
        return error
    return None


def test_a_cancel_ends_the_load_of_all_ranks_at_their_next_progress(group: Group) -> None:
    """The command stays in the inbox, for all to execute. It does not end the load that brings the former model back,
    but a cancel that comes after it ends the next load.
    """
    first, again, third = Reading(), Reading(), Reading()
    again.finished.set()

    def loads(rank: Leader | Follower) -> list[Any]:
        ends: list[Any] = [attempted(partial(one.attempt, rank, [])) for one in (first, again)]
        ends.append(rank.get(block=True))
        if rank is group.leader:
            group.inbox.put(CancelLoad())
        return [*ends, attempted(partial(third.attempt, rank, []))]

    group.run(lambda _, follower: loads(follower))
    group.inbox.put(CancelLoad())
    own = loads(group.leader)
    group.join()
    for ends in (own, group.ends[1]):
        [cancelled, loaded, executed, later] = ends  # type: ignore[misc] # what `loads` returned
        assert isinstance(cancelled, LoadCancelled)
        assert loaded is None
        assert executed == CancelLoad()
        assert isinstance(later, LoadCancelled)


def test_a_cancel_is_seen_while_the_leader_waits_for_the_shares_of_others(
    group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slowest machine reads for minutes after the leader has finished."""
    monkeypatch.setattr(lockstep, "LOOK_SECONDS", 0.01)
    leads, follows = Reading(), Reading()
    leads.at_work = follows.at_work
    leads.finished.set()
    group.leader.patience = None
    group.run(lambda _, follower: follows.attempt(follower, []))
    threading.Timer(0.05, group.inbox.put, (CancelLoad(),)).start()
    assert isinstance(attempted(lambda: leads.attempt(group.leader, [])), LoadCancelled)
    group.join()
    assert isinstance(group.ends[1], LoadCancelled)


def test_a_rank_that_does_not_hear_of_a_cancel_ends_the_group(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs, but it has not come to the end of its share, or to any progress, when the patience is over."""
    monkeypatch.setattr(lockstep, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(lockstep, "PATIENCE_SECONDS", 0.05)
    group.leader.patience, group.leader.abandonable = None, True
    group.inbox.put(CancelLoad())
    assert lost(attempted(lambda: group.leader.least("shares built", 1)))


def test_a_cancel_of_nothing_abandons_no_later_load(group: Group) -> None:
    """The app cancelled a moment too late: the ranks had agreed. The next load is another one."""
    group.inbox.put(CancelLoad())
    assert not group.leader.cancelled()
    assert group.leader.get(block=True) == CancelLoad()
    assert not inputs(group.told[1].sent, Abandon)


def test_each_rank_says_how_far_it_has_compared_its_files(tmp_path: Path) -> None:
    """The first time that takes a minute or more, and the app ends an engine that says nothing for so long."""
    folder = tiny_models.build(tmp_path / "model", "llama")
    told: list[tuple[str, int, int]] = []
    digests = WeightDigests(tmp_path / "weights.json")
    shared_loads._fingerprint(LoadModel(str(folder)), digests, lambda *step: told.append(step))
    size = weight_bytes(folder)
    assert (told[0], told[-1]) == (("hashing", 0, size), ("hashing", size, size))


class Model:
    """Counts its passes."""

    def __init__(self) -> None:
        self.passes = 0

    def __call__(self, tokens: mx.array, cache: Any = None) -> Any:
        """One pass."""
        self.passes += 1
        return tokens, cache


def test_each_pass_is_asked_for_first() -> None:
    """With the shape of its tokens and those of a prompt. Arguments, result and attributes are those of the model."""
    model, asked = Model(), list[tuple[bytes, int]]()
    agreed = shared_loads.InStep(model, lambda what: asked.append((what, model.passes)))
    tokens = mx.array([[1, 2, 3]])
    assert agreed(tokens, cache="caches") == (tokens, "caches")
    agreed(tokens[:, :1])
    assert asked == [(b"(1, 3)" + bytes(memoryview(tokens)), 0), (b"(1, 1)", 1)]  # type: ignore[arg-type] # a buffer
    assert agreed.passes == 2
