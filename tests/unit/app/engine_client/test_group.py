"""A model that runs on several machines: where its engine runs, and what the window says if one of them is lost."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import get_args

import pytest

from app.base.program import Program
from app.engine_client.connection import EnginePorts
from app.engine_client.hosting import GROUP_KEY, Hosting, MacGroup, group_notice, mac_of
from engine.protocol.group import GroupEnded, GroupReason
from engine.protocol.messages import Command, Focus, LoadModel, ModelFailed, Ready
from tests.fakes.engine_desk import Desk
from ui.state.engine import EngineState

TWO = MacGroup(("studio",), ("--ranks", "2"))


@pytest.fixture
def desk() -> Desk:
    """A connection whose model m1 has loaded, on this machine and another one."""
    desk = Desk(EnginePorts(mac_of=partial(mac_of, TWO)))
    desk.start()
    desk.ear.heard.clear()
    return desk


def test_a_lost_machine_is_named_while_the_group_starts_again(desk: Desk) -> None:
    """Requests are given back to the chats, which keep their text. The model is loaded as soon as the group is back."""
    desk.line.group_ended(GroupEnded(1, "lost"), again=True)
    assert desk.state is EngineState.RESTARTING
    assert desk.window.engine[-1].text == "The connection to studio was lost. The model is being started again."
    assert (desk.ear.heard, desk.line.ready, desk.refusal) == (["lost"], False, "")
    assert desk.seen[-1] == GroupEnded(1, "lost"), "a command without a window names it, too"
    desk.line.engine_event(Ready(1))
    assert desk.sent == [LoadModel("m1")]


def test_a_group_that_is_lost_again_lets_the_user_decide(desk: Desk) -> None:
    """The engine of this machine alone starts, and loads nothing before the user says what."""
    desk.line.group_ended(GroupEnded(1, "not_started"), again=False)
    notice = desk.window.notices[GROUP_KEY]
    assert notice.text == "studio does not answer. The chats and all their text are safe."
    assert (notice.action, notice.other) == ("Try again", "Continue on this Mac")
    assert desk.ear.heard == ["lost", f"refused: {notice.text}"]
    desk.line.engine_event(Ready(1))
    assert (desk.sent, desk.state) == ([], EngineState.FAILED)
    desk.line.use("m1")
    assert desk.sent == [LoadModel("m1")]
    assert GROUP_KEY not in desk.window.notices
    desk.load()
    assert desk.state is EngineState.READY


def test_another_model_can_be_picked_after_a_loss(desk: Desk) -> None:
    """The engine is there, although the group is not."""
    desk.line.group_ended(GroupEnded(1), again=False)
    desk.line.engine_event(Ready(1))
    desk.line.use("m2")
    desk.load("m2")
    assert (desk.state, desk.line.model, desk.window.notices) == (EngineState.READY, "m2", {})


def test_this_mac_is_not_offered_for_a_model_that_it_cannot_hold() -> None:
    """Only another try is."""
    desk = Desk(EnginePorts(fits_here=lambda _model: False))
    desk.start()
    desk.line.group_ended(GroupEnded(1), again=False)
    assert desk.window.notices[GROUP_KEY].other == ""


@pytest.mark.parametrize("reason", get_args(GroupReason))
def test_every_reason_names_the_machine(reason: GroupReason) -> None:
    """In a sentence of its own."""
    texts = {group_notice(GroupEnded(1, one), "studio", fits_here=True).text for one in get_args(GroupReason)}
    assert len(texts) == len(get_args(GroupReason))
    assert "studio" in group_notice(GroupEnded(1, reason), mac_of(TWO, 1), fits_here=True).text


@pytest.mark.parametrize("rank", [0, 2])
def test_a_machine_without_a_name_is_another_mac(rank: int) -> None:
    """If the engine could not say which one it was."""
    assert mac_of(TWO, rank) == mac_of(None, 1) == "Another Mac"


def test_a_model_that_fails_on_a_group_returns_the_former_one(desk: Desk) -> None:
    """The former engine is gone, so that model rests until the next message."""
    desk.line.use("m2")
    desk.line.engine_replaced()
    desk.line.engine_event(Ready(1))
    desk.line.engine_event(ModelFailed("m2", "model_missing", "There is no model in this folder."))
    assert (desk.line.model, desk.state) == ("m1", EngineState.UNLOADED)
    desk.line.wake()
    assert desk.sent[-1] == LoadModel("m1")


class Process:
    """Records what an engine's process gets."""

    def __init__(self) -> None:
        self.program = program_of(None)
        self.sent: list[Command] = []

    def move(self, program: Program) -> None:
        """Become the engine that runs `program`."""
        self.program = program

    def send(self, command: Command) -> None:
        """Keep a command."""
        self.sent.append(command)


def program_of(group: MacGroup | None) -> Program:
    """An engine whose arguments are those of a group."""
    return Program("engine", group.arguments if group is not None else (), Path("/"))


@pytest.fixture
def hosting() -> tuple[Hosting, Process]:
    """Models whose name begins with g run on two machines."""
    process = Process()
    groups = lambda model: TWO if model.startswith("g") else None  # noqa: E731 - a rule in one line
    return Hosting(process, program_of, groups), process  # type: ignore[arg-type] # it stands for the process


def test_a_model_of_a_group_replaces_the_engine_first(hosting: tuple[Hosting, Process]) -> None:
    """The load is sent to the engine that can carry it out, and so is that of a model of this machine afterwards."""
    host, process = hosting
    host.send(LoadModel("g1"))
    assert (process.program, process.sent) == (program_of(TWO), [])
    assert host.mac_of(1) == "studio"
    host.send(LoadModel("g1"))
    host.send(LoadModel("g2"))
    host.send(Focus("chat"))
    assert process.sent == [LoadModel("g1"), LoadModel("g2"), Focus("chat")]
    host.send(LoadModel("m1"))
    assert process.program == program_of(None)


def test_a_model_may_be_kept_on_this_machine_for_now(hosting: tuple[Hosting, Process]) -> None:
    """Until the user asks for the others again."""
    host, process = hosting
    host.alone.add("g1")
    host.send(LoadModel("g1"))
    assert (process.program, process.sent) == (program_of(None), [LoadModel("g1")])
    host.follow("g1")
    host.send(LoadModel("g1"))
    assert process.program == program_of(TWO)


def test_a_group_that_was_given_up_is_missed_until_the_user_decides(hosting: tuple[Hosting, Process]) -> None:
    """The engine of this machine alone has taken its place. Another model, or the same one kept here, lacks nothing."""
    host, process = hosting
    host.send(LoadModel("g1"))
    lacking = [host.lacks_group]
    process.program = program_of(None)
    lacking.append(host.lacks_group)
    host.send(LoadModel("m1"))
    lacking.append(host.lacks_group)
    host.prepare("g1")
    process.program = program_of(None)
    host.alone.add("g1")
    host.send(LoadModel("g1"))
    assert [*lacking, host.lacks_group] == [False, True, False, False]


def test_the_first_engine_may_lead_a_group(hosting: tuple[Hosting, Process]) -> None:
    """No engine of this machine alone is started before it."""
    host, process = hosting
    host.prepare("g1")
    assert process.program == program_of(TWO)


def test_a_group_is_left_at_once(hosting: tuple[Hosting, Process]) -> None:
    """If one of its machines is not paired any more. One that was given up is not started again for that."""
    host, process = hosting
    host.leave_group("g1")
    assert process.program == program_of(None)
    host.send(LoadModel("g1"))
    host.alone.add("g1")
    host.leave_group("g1")
    assert process.program == program_of(None)
