"""Leader and follower on two threads: the same inputs in the same order, and a logged end if they differ."""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from engine.prompt.ledger import today
from engine.protocol.cache_messages import Forget, KeepCached, SetBudget
from engine.protocol.group import GROUP_LOST
from engine.protocol.messages import ChatMessage, Command, FitPrompt, Focus, Generate, Ping, Shutdown, Warm
from engine.protocol.sampling_settings import Sampling
from engine.protocol.shared import Shared
from engine.ranks import follower, lockstep
from engine.ranks.follower import Follower
from engine.ranks.inputs import Execute, Figures, Hello, Outcome, RankTurn, decode_input, encode, needed_bytes
from engine.ranks.lockstep import LOSS_SECONDS, GroupLost
from engine.schedule.sequence import alternatives
from storage.untrusted import UntrustedDataError
from tests.fakes.lockstep_rig import Group, inputs, lost


@pytest.fixture
def group() -> Group:
    """A leader and a follower."""
    return Group()


def generate(seed: int | None = None) -> Generate:
    """A command that asks for an answer."""
    return Generate("r", "c", (ChatMessage("user", "Hi"),), sampling=Sampling(seed=seed), day="2001-02-03")


def turn(get: Callable[..., Any]) -> list[Any]:
    """What one turn of a rank takes."""
    taken = []
    while True:
        try:
            taken.append(get(block=False))
        except queue.Empty:
            return taken


def test_followers_take_the_commands_of_the_leader_in_its_order_and_turns() -> None:
    """One turn ends for all at the same message."""
    group, turns = Group(followers=2), dict[int, list[Any]]()
    group.run(lambda rank, follower: turns.update({rank: [turn(follower.get), turn(follower.get)]}))
    group.inbox.put(Ping("de"))
    group.inbox.put(generate(7))
    led = [turn(group.leader.get)]
    group.inbox.put(Ping("en"))
    led.append(turn(group.leader.get))
    group.join()
    assert led == [[Ping("de"), generate(7)], [Ping("en")]]
    assert turns == {1: led, 2: led}


def test_a_request_without_a_seed_gets_one(group: Group) -> None:
    """All ranks draw with it. A seed that the app has chosen stays."""
    group.inbox.put(generate())
    group.inbox.put(generate(3))
    drawn, chosen = group.leader.get(block=True), group.leader.get(block=True)
    assert isinstance(drawn, Generate)
    assert drawn.sampling.seed is not None
    assert chosen == generate(3)
    assert group.told[1].sent == [Execute(drawn), Execute(generate(3))]


@pytest.mark.parametrize("command", [replace(generate(3), day=""), Warm("c", ()), FitPrompt("r", "c", (), ())])
def test_a_prompt_without_a_day_gets_that_of_the_leader(group: Group, command: Generate | Warm | FitPrompt) -> None:
    """A template may write it into the prompt, and a rank in another time zone has another day."""
    group.inbox.put(command)
    dated = replace(command, day=today())
    assert group.leader.get(block=True) == dated
    assert group.told[1].sent == [Execute(dated)]


def take_calls(own: Any, count: int) -> None:
    """Execute the next calls to a rank."""
    for _ in range(count):
        own.get(block=True)()


def test_outcomes_are_taken_in_one_order_when_all_ranks_have_them() -> None:
    """A rank whose own job ends earlier keeps its outcome, and no rank waits for the job of another."""
    group, order = Group(), list[str]()

    def outcome(ticket: str, taken: list[str]) -> Shared:
        return Shared(ticket, lambda: taken.append(ticket))

    [follower] = group.followers.values()
    led = list[str]()
    group.leader.put(outcome("c", led))
    follower.put(outcome("b", order))
    for ticket in ("a", "b"):
        group.leader.put(outcome(ticket, led))
    follower.put(outcome("a", order))
    group.run(lambda _, own: take_calls(own, 3))
    take_what_is_there(group)
    assert led == ["b", "a"], "the follower has no outcome c yet"
    follower.put(outcome("c", order))
    take_what_is_there(group)
    group.join()
    assert order == led == ["b", "a", "c"]


def take_what_is_there(group: Group) -> None:
    """Execute all that the leader has."""
    while not group.inbox.empty():
        take_calls(group.leader, 1)


def test_a_rank_that_has_outcomes_without_end_ends_the_group(
    group: Group, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leader would keep all of their tickets."""
    monkeypatch.setattr(lockstep, "MOST_OUTCOMES", 2)
    for ticket in ("a", "a", "b"):
        group.leader.hear(1, Outcome(ticket))
        take_what_is_there(group)
    group.leader.hear(1, Outcome("c"))
    with pytest.raises(GroupLost):
        take_what_is_there(group)
    assert "rank 1 has the outcome c" in caplog.text


def test_a_follower_that_is_told_of_an_outcome_that_it_lacks_ends() -> None:
    """It never waits for one."""
    [follower] = Group().followers.values()
    follower.put(Shared("a", lambda: None))
    follower.hear(Outcome("b"))
    with pytest.raises(GroupLost):
        follower.get(block=True)


def test_a_follower_keeps_what_one_turn_may_tell_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """More would fill its memory while it waits in a pass that the leader does not take. What it has taken is free."""
    monkeypatch.setattr(follower, "MOST_BYTES", 1 << 13)
    [own] = Group().followers.values()
    for _ in range(100):
        own.hear(RankTurn())
        assert not turn(own.get)
    with pytest.raises(UntrustedDataError, match="more inputs"):
        deque(map(own.hear, [RankTurn()] * 100), maxlen=0)


@pytest.mark.parametrize(
    "tell",
    [
        lambda name: Generate(name, name, (ChatMessage("user", "x" * 1000),)),
        lambda name: Generate(name, name, (ChatMessage("user", "Hi"),), tools="x" * 1000),
        lambda name: FitPrompt(name, name, (), tuple(range(100))),
        lambda name: KeepCached(tuple(f"{name} {one}" for one in range(20))),
    ],
)
def test_what_an_engine_works_on_counts_until_it_ends(
    tell: Callable[[str], Command], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paired Mac, which may be another program by now, cannot fill the memory with requests that wait, or with jobs
    for the disk. What has ended is free, so a group runs for as long as its users like.
    """
    monkeypatch.setattr(follower, "MOST_BYTES", 1 << 15)
    own = Follower(None, "mac")  # type: ignore[arg-type] # nothing is sent
    for number in range(100):
        own.hear(Execute(tell(f"ended {number}")))
        own.get(block=True)
    is_open = list[Any]()

    def keep(number: int) -> None:
        own.hear(Execute(tell(f"open {number}")))
        taken: Any = own.get(block=True)
        is_generate = isinstance(taken, Generate)
        is_open.extend(alternatives(replace(taken, alternatives=("other",))) if is_generate else [taken])

    with pytest.raises(UntrustedDataError, match="more inputs"):
        deque(map(keep, range(100)), maxlen=0)
    assert is_open


@pytest.mark.parametrize("command", get_args(Command))
def test_every_command_can_be_counted(command: type[Command]) -> None:
    """Else the first one of a leader would end the group."""
    assert command.__struct_config__.weakref


@pytest.mark.parametrize("text", [b'"23",', b'"",', b'"\\\\",'])
def test_an_input_that_would_take_more_memory_than_a_follower_has_is_not_decoded(text: bytes) -> None:
    """A text of two signs takes thirteen times as much memory as it has bytes."""
    line = b'{"type":"execute","command":{"type":"set_budget","quota":0,"pinned":[' + text * 10_000_000
    with pytest.raises(UntrustedDataError, match="more texts"):
        decode_input(line)


def test_an_input_may_quote_as_much_as_it_likes() -> None:
    """A chat about JSON has many quotation marks, which are no texts of their own."""
    told = Execute(Generate("r", "c", (ChatMessage("user", '{"a": "b"}\\' * 1_000_000),)))
    assert needed_bytes(encode(told)) < 1 << 25
    assert decode_input(encode(told)) == told


def test_calls_of_a_follower_to_itself_need_no_word_of_the_leader() -> None:
    """Its disk may answer at any time, also while it waits for the clock; the inputs keep their order."""
    group, seen = Group(), list[Any]()

    def work(_: int, own: Follower) -> None:
        seen.append(own.clock())
        take_calls(own, 1)
        seen.append(own.get(block=True))

    [follower] = group.followers.values()
    follower.put(lambda: seen.append("own"))
    group.run(work)
    group.inbox.put(Ping("de"))
    assert group.leader.clock() == 1.5
    group.leader.get(block=True)
    group.join()
    assert seen == [1.5, "own", Ping("de")]


@pytest.mark.parametrize("own", [(5, 7, 9), (7, 9, 5)])
def test_all_ranks_learn_the_figures_of_all_and_decide_by_the_least(own: tuple[int, ...]) -> None:
    """Whichever rank has it. The figures are in the order of the ranks."""
    group, told = Group(followers=2), dict[int, tuple[int, tuple[int, ...]]]()

    def agree(rank: int, lockstep: Any) -> None:
        told[rank] = lockstep.least("free", own[rank]), lockstep.figures("layers", own[rank])

    group.run(agree)
    agree(0, group.leader)
    group.join()
    assert told == dict.fromkeys(range(3), (5, own))


def one_more_pass(own: Any) -> None:
    """Take one that the others do not take."""
    own.before_pass(b"1 1")


DIFFERENCES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "other tokens": (lambda own: own.before_pass(b"1 1"), lambda own: own.before_pass(b"1 2")),
    "other text": (
        lambda own: (own.note(b"a"), own.before_pass(b"1 1")),
        lambda own: (own.note(b"b"), own.before_pass(b"1 1")),
    ),
    "a figure instead of a pass": (one_more_pass, lambda own: own.least("free", 1)),
    "a pass instead of a figure": (lambda own: own.least("free", 1), one_more_pass),
    "another figure": (lambda own: own.least("free", 1), lambda own: own.least("room", 1)),
}


@pytest.mark.parametrize("case", DIFFERENCES)
def test_ranks_that_differ_end(group: Group, case: str, caplog: pytest.LogCaptureFixture) -> None:
    """In one pass, one text or one figure: the leader and the follower end with a logged reason and the exit status,
    before either computes.
    """
    leads, follows = DIFFERENCES[case]
    group.run(lambda _, own: follows(own))
    with caplog.at_level(logging.ERROR), pytest.raises(GroupLost) as end:
        leads(group.leader)
    assert end.value.code == GROUP_LOST
    assert "rank 1 differs" in caplog.text
    group.told[1].send(
        Execute(Ping("de"))
    )  # in a process, the leader's end closes the link; here an input ends the wait
    group.join()
    assert lost(group.ends[1])


def test_a_follower_that_is_told_a_pass_during_a_turn_ends(group: Group, caplog: pytest.LogCaptureFixture) -> None:
    """It tells the leader why, which logs the reason."""
    group.run(lambda _, own: own.get(block=True))
    with pytest.raises(GroupLost):
        group.leader.before_pass(b"1 1")
    group.join()
    assert lost(group.ends[1])
    assert "a message or a turn was expected" in caplog.text


def test_a_follower_that_does_not_reach_a_pass_ends_the_group(group: Group, caplog: pytest.LogCaptureFixture) -> None:
    """Its process runs, but it hangs."""
    group.leader.patience = 0.01
    with pytest.raises(GroupLost):
        group.leader.before_pass(b"1 1")
    assert "did not reach pass 1" in caplog.text


def test_a_model_that_fails_on_one_rank_ends_the_group(
    group: Group, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others may compute without it. The leader gives the link of a lost rank time to say so first."""
    slept = list[float]()
    monkeypatch.setattr("time.sleep", slept.append)
    with pytest.raises(GroupLost):
        group.leader.model_failed()
    assert slept == [LOSS_SECONDS]
    group.run(lambda _, own: own.model_failed())
    group.join()
    assert lost(group.ends[1])
    assert "goes on, but the model has failed on this rank" in caplog.text


def test_ranks_that_take_the_same_passes_go_on() -> None:
    """With all that they have emitted in between. During a load the leader waits for as long as it takes: disks differ
    in speed, and a rank that is lost ends the group by its link.
    """
    group, begin = Group(followers=2), threading.Event()
    group.leader.patience = None

    def work(_: int, own: Any) -> None:
        assert begin.wait(10)
        own.before_pass(b"1 4")
        own.note(b"a")
        own.before_pass(b"1 1")

    group.run(work)
    threading.Timer(0.05, begin.set).start()
    work(0, group.leader)
    group.join()
    assert group.ends == {1: None, 2: None}


def test_a_shutdown_expects_the_end_of_all_links() -> None:
    """A rank that ends a little earlier than the others is no loss."""
    group = Group(followers=2)
    group.serve()
    group.shut_down()
    assert [wire.ending for wire in group.told.values()] == [True, True]
    assert inputs(group.told[1].sent, Execute) == [Execute(Shutdown())]


def test_a_rank_of_another_version_is_refused(group: Group, caplog: pytest.LogCaptureFixture) -> None:
    """With both versions in the log."""
    group.run(lambda _, own: own.meet({"mlx": "2"}))
    with pytest.raises(GroupLost):
        group.leader.meet({"mlx": "1"}, 10)
    assert "rank 1 runs other versions: Hello(versions={'mlx': '2'}), not {'mlx': '1'}" in caplog.text
    group.told[1].send(Hello({"mlx": "1"}))
    group.join()
    assert lost(group.ends[1])
    assert "the leader runs other versions" in caplog.text


def test_a_rank_that_does_not_start_ends_the_meeting(caplog: pytest.LogCaptureFixture) -> None:
    """After the time that it has."""
    with pytest.raises(GroupLost):
        Group().leader.meet({}, 0.01)
    assert "rank 1 did not start" in caplog.text


@pytest.mark.parametrize(("value", "most"), [(-1, 10), (11, 10), (10**400, 10), (-1, None)])
def test_a_rank_with_a_figure_that_cannot_be_is_lost(
    group: Group, caplog: pytest.LogCaptureFixture, value: int, most: int | None
) -> None:
    """A length beyond what was looked up would be looked up again without end, and no window shows such a size. One
    below zero would be the least: a request that does not fit would begin.
    """
    group.leader.hear(1, Figures("prefix", (value,)))
    with pytest.raises(GroupLost):
        group.leader.figures("prefix", 5, most)
    assert "not its prefix" in caplog.text
    group.leader.hear(1, Figures("prefix", (10,)))
    assert group.leader.figures("prefix", 5, 10) == (5, 10)


@pytest.mark.parametrize("told", [(7, 8), (-1, -1), (3,)])
def test_a_leader_that_tells_another_figure_of_a_rank_is_left(told: tuple[int, ...]) -> None:
    """It could have a Mac take more memory than is free there, and start what that Mac refuses."""
    group = Group()
    group.run(lambda _, follower: follower.least("admission", 0))
    group.told[1].send(Figures("admission", told))
    group.join()
    assert lost(group.ends[1])


@pytest.mark.parametrize("work", ["clock", "before_pass"])
def test_ranks_that_disagree_log_no_text_of_a_chat(group: Group, caplog: pytest.LogCaptureFixture, work: str) -> None:
    """The message that came may be a command with a whole chat, also a private one, and the log is on another Mac."""
    group.run(lambda _, follower: follower.clock() if work == "clock" else follower.before_pass(b"rows"))
    group.leader.put(Generate("r", "c", (ChatMessage("user", "a secret"),)))
    group.leader.get(block=True)
    group.join()
    assert lost(group.ends[1])
    assert "Execute(Generate)" in caplog.text
    assert "a secret" not in caplog.text


@pytest.mark.parametrize(
    ("told", "taken"),
    [
        (generate(3), replace(generate(3), conversation="mac/c")),
        (Warm("c", (), day="2001-02-03"), Warm("mac/c", (), day="2001-02-03")),
        (SetBudget(7, ("a", "b")), SetBudget(7, ("mac/a", "mac/b"))),
        (KeepCached(("a",), of="other/"), KeepCached(("mac/a",), of="mac/")),
        (Forget("other/c"), Forget("mac/other/c")),
        (Focus(""), Focus("")),
        (Ping("de"), Ping("de")),
    ],
)
def test_a_follower_of_several_leaders_names_a_conversation_with_its_owner(told: Command, taken: Command) -> None:
    """Whatever a leader asks for, it is about its own conversations."""
    follower = Follower(None, "mac")  # type: ignore[arg-type] # nothing is sent
    follower.hear(Execute(told))
    assert follower.get(block=True) == taken
