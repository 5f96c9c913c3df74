"""A group that was given up returns by itself, but only if a Mac that was away is back."""

from __future__ import annotations

import pytest

from app.macs.macs import LOOK_SECONDS, GroupReturn
from app.macs.reach import MacState

HERE = MacState(memory_bytes=64)
AWAY = MacState(problem="studio does not answer: it takes too long.")
BUSY = MacState(memory_bytes=64, leader="another Mac")


class Desk:
    """A model that runs on one or two other Macs, whose answers the test gives. It stands for what the return needs."""

    model = "/m"

    def __init__(self, *answers: MacState | None) -> None:
        self.answers = answers
        self.lacks_group = False
        self.looks = self.starts = 0
        self.presenter = self
        self._return = GroupReturn(self, self, self)  # type: ignore[arg-type] # as its docstring says

    def states_of(self, _model: str) -> tuple[MacState | None, ...]:
        return self.answers

    def look_around(self) -> None:
        self.looks += 1

    def use(self, _model: str) -> None:
        self.starts += 1
        self.lacks_group = False

    def tick(self, *answers: MacState | None) -> None:
        """A second goes by, in which the Macs have answered."""
        self.answers = answers or self.answers
        self._return.tick()

    def gives_up(self) -> None:
        """The group was lost twice."""
        self.lacks_group = True
        self.tick()


@pytest.mark.parametrize("trouble", [AWAY, BUSY])
def test_a_group_returns_when_its_mac_is_back(trouble: MacState) -> None:
    """The lid of the other Mac was closed, or another Mac used it. The user need not be at this Mac."""
    desk = Desk(HERE)
    desk.gives_up()
    desk.tick(trouble)
    assert desk.starts == 0
    desk.tick(MacState(memory_bytes=64))
    assert desk.starts == 1


def test_all_macs_of_a_group_must_be_back() -> None:
    """With one of two it would be given up again."""
    desk = Desk(HERE, HERE)
    desk.gives_up()
    desk.tick(AWAY, AWAY)
    desk.tick(MacState(), AWAY)
    desk.tick(MacState(), BUSY)
    assert desk.starts == 0
    desk.tick(MacState(), MacState())
    assert desk.starts == 1


def test_a_group_whose_macs_were_never_away_waits_for_the_user() -> None:
    """Something else ends it each time: what starts by itself would load the model again and again."""
    desk = Desk(HERE)
    desk.gives_up()
    for _ in range(3 * LOOK_SECONDS):
        desk.tick(MacState(memory_bytes=64))
    assert desk.starts == 0


def test_the_end_of_the_own_group_is_no_absence() -> None:
    """The other Mac still works for this one for a moment after the group was lost. It may know it by another name."""
    desk = Desk(HERE)
    desk.gives_up()
    desk.tick(MacState(leader="the name that this Mac had", is_own_group=True))
    desk.tick(MacState())
    assert desk.starts == 0


def test_an_answer_from_before_the_loss_says_nothing() -> None:
    """The Mac was away some time ago, and answers now. It may still be unknown, too."""
    desk = Desk(AWAY)
    desk.gives_up()
    desk.tick(MacState())
    assert desk.starts == 0
    desk.tick(AWAY, None)
    desk.tick(MacState(), None)
    assert desk.starts == 0


def test_the_macs_are_asked_now_and_then_only_while_the_group_is_missing() -> None:
    """At once, and then every few seconds. A user who continues on this Mac, or picks another model, ends that."""
    desk = Desk(HERE)
    desk.tick()
    assert desk.looks == 0
    desk.gives_up()
    assert desk.looks == 1
    for _ in range(LOOK_SECONDS):
        desk.tick(AWAY)
    assert desk.looks == 2
    desk.lacks_group = False
    desk.tick()
    desk.gives_up()
    desk.tick(MacState())
    assert desk.starts == 0, "the absence before does not count"
