"""The ranks try their data addresses before MLX does, and say which one cannot be reached. What comes through the ring
must come from the ranks.
"""

from __future__ import annotations

import faulthandler
import json
import socket
import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest

from engine.ranks import data_paths
from engine.ranks.lockstep import GroupLost
from tests.fakes.lockstep_rig import Group
from tests.fakes.lone_rank import lone_rank

HOST = "127.0.0.1"


def free(number: int) -> list[str]:
    """So many addresses of this machine."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind((HOST, 0))
        return [f"{HOST}:{one.getsockname()[1]}" for one in sockets]


def checked(folder: Path, *leaders: str, followers: Sequence[str] = ()) -> tuple[Group, list[str]]:
    """A group in which each rank has checked these addresses. `followers`: those that the followers use."""
    for name, addresses in (("leader", leaders), ("followers", followers or leaders)):
        (folder / name).write_text(json.dumps([[one] for one in addresses]))
    group, said = Group(followers=len(leaders) - 1), list[str]()
    group.leader.names = {1: "Studio"}
    group.leader.last_words = lambda _rank, _reason, detail: said.append(detail)
    group.run(lambda rank, follower: data_paths.check_addresses(follower, rank, folder / "followers"))
    with suppress(GroupLost):
        data_paths.check_addresses(group.leader, 0, folder / "leader")
        said.append("all is well")
    group.join()
    return group, said


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks that give up soon."""
    monkeypatch.setattr(data_paths, "TRYING_SECONDS", 0.3)


@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_that_reach_each_other_go_on(tmp_path: Path, ranks: int) -> None:
    """And the ports are free again for MLX."""
    addresses = free(ranks)
    group, said = checked(tmp_path, *addresses)
    assert said == ["all is well"]
    assert not any(group.ends.values())
    for address in addresses:
        host, _, port = address.rpartition(":")
        socket.create_server((host, int(port))).close()


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("follower", [False, True])
def test_an_address_that_cannot_be_reached_is_named(tmp_path: Path, *, follower: bool) -> None:
    """A firewall would drop connections; in this test nothing listens. Both ranks end. If a follower reaches nobody,
    the message names the follower, because the leader's own firewall may be the cause.
    """
    own, other, elsewhere = free(3)
    group, said = checked(tmp_path, own, other, followers=[elsewhere, other] if follower else [own, elsewhere])
    missed = f"Studio: Nothing answers at {elsewhere}" if follower else f"Nothing answers at {other}"
    assert said == [f"{missed}. A firewall may keep Hearth from accepting connections."]
    assert isinstance(group.ends[1], GroupLost)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("odd", ["1..2.3:1", "999.1.1.1:1"])
def test_an_address_that_no_machine_can_have_is_named(tmp_path: Path, odd: str) -> None:
    """Another machine has told it, and the leader goes on to the end of the group."""
    own, other = free(2)
    _, said = checked(tmp_path, own, odd, followers=[own, other])
    assert said == [f"Nothing answers at {odd}. A firewall may keep Hearth from accepting connections."]


@pytest.mark.usefixtures("_impatient")
def test_an_address_that_is_taken_is_named(tmp_path: Path) -> None:
    """Another program was faster."""
    own, other = free(2)
    host, _, port = own.rpartition(":")
    with socket.create_server((host, int(port))):
        _, said = checked(tmp_path, own, other)
    assert said[0].startswith(f"The address {own} cannot be used: ")


@pytest.mark.usefixtures("_impatient")
def test_a_leader_does_not_choose_what_a_follower_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other program could be any that the follower reaches, such as one on its own machine."""
    monkeypatch.setattr("secrets.token_hex", lambda _: "DELETE /everything")
    own, other = free(2)
    with socket.create_server((HOST, 0)) as program:
        said: list[bytes] = []

        def listen() -> None:
            connection, _ = program.accept()
            with connection:
                said.append(connection.recv(100))

        listening = threading.Thread(target=listen)
        listening.start()
        checked(tmp_path, own, other, followers=[f"{HOST}:{program.getsockname()[1]}", other])
        listening.join()
    assert b"DELETE" not in said[0]
    assert len(said[0]) == 64


def test_strangers_are_ignored(tmp_path: Path) -> None:
    """One that says nothing, one that says something else, and one that leaves."""
    addresses, ended = free(2), threading.Event()
    host, _, port = addresses[0].rpartition(":")
    strangers: list[socket.socket] = []

    def disturb() -> None:
        while len(strangers) < 3 and not ended.is_set():
            with suppress(OSError):
                strangers.append(socket.create_connection((host, int(port)), 1.0))
                [lambda: None, lambda: strangers[1].sendall(b"x" * 99), strangers[-1].close][len(strangers) - 1]()

    disturbing = threading.Thread(target=disturb)
    disturbing.start()
    _, said = checked(tmp_path, *addresses)
    ended.set()
    disturbing.join()
    for one in strangers:
        one.close()
    assert said == ["all is well"]


SIZE = 3


@pytest.fixture
def guard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is done to the guard that would end the process."""
    done: list[str] = []
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda *_, **__: done.append("set"))
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: done.append("cancelled"))
    return done


def run(monkeypatch: pytest.MonkeyPatch, gather: Any) -> Group:
    """The leader checks, with what `gather` makes of its own values; the followers only hear the secret."""
    group = Group(followers=SIZE - 1)
    monkeypatch.setattr(mx.distributed, "all_gather", gather)
    group.run(lambda _, follower: follower.leaders(""))
    try:
        data_paths.check_ring(group.leader, lone_rank(0, SIZE))
    finally:
        group.join()
    return group


def sent(secret: str) -> Any:
    """A ring in which every rank sends what belongs to `secret`."""

    def gather(_own: mx.array, group: mx.distributed.Group) -> mx.array:
        return mx.array([one for rank in range(group.size()) for one in data_paths._numbers(secret, rank)], mx.uint32)

    return gather


def test_the_ranks_alone_are_let_through(monkeypatch: pytest.MonkeyPatch, guard: list[str]) -> None:
    """And the guard is off while the group runs."""
    monkeypatch.setattr("secrets.token_hex", lambda _: "5")
    group = run(monkeypatch, sent("5"))
    assert [str(group.ends[rank]) for rank in (1, 2)] == ["5", "5"]
    assert guard == ["set", "cancelled"]


def broken(*_: object, **__: object) -> None:
    """A stranger that closes its connection."""
    raise RuntimeError("[ring] connection to a peer was lost")


@pytest.mark.usefixtures("guard")
@pytest.mark.parametrize("gather", [sent("6"), broken])
def test_a_stranger_in_the_ring_ends_the_group(monkeypatch: pytest.MonkeyPatch, gather: Any) -> None:
    """It cannot know what to send, not even from an earlier group. If it closes its connection, that is no error of the
    load that would come later.
    """
    monkeypatch.setattr("secrets.token_hex", lambda _: "5")
    with pytest.raises(GroupLost):
        run(monkeypatch, gather)


def test_every_rank_sends_something_else() -> None:
    """In every group."""
    values = {tuple(data_paths._numbers(secret, rank)) for secret in ("a", "b") for rank in range(SIZE)}
    assert len(values) == 2 * SIZE
