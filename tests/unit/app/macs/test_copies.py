"""Copies of models to Macs that lack them: offered, shown, ended and continued by notices."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.macs.copies import COPY, Copies
from app.macs.errors import CopyFailed
from app.macs.roster import Mac
from tests.unit.app.macs.test_presenter import MINI, STUDIO, Thread
from ui.intents.notice import Notice

KEY = f"{COPY}/m"


class Desk:
    """Copies with everything around them."""

    def __init__(self) -> None:
        self.thread = Thread()
        self.lacks: tuple[Mac, ...] = (MINI,)
        self.fails = False
        self.sent: list[tuple[str, str]] = []
        self.went_on: list[bool] = []
        self.notices: dict[str, Notice] = {}
        self.texts: list[str] = []
        self.arrived: list[tuple[str, str]] = []
        self.copies = Copies(
            self,  # type: ignore[arg-type] # it stands for the calls and the window
            self.thread,
            self,
            lambda model: model.removeprefix("/"),
            lambda model: f"publisher{model}",
            lambda *what: self.arrived.append(what),
        )

    def lacking(self, _model: str, macs: tuple[Mac, ...]) -> tuple[Mac, ...]:
        return tuple(mac for mac in macs if mac in self.lacks)

    def show_notice(self, notice: Notice) -> None:
        self.notices[notice.key] = notice
        self.texts.append(notice.text)

    def clear_notice(self, key: str) -> None:
        self.notices.pop(key, None)

    def copy(self, model: str, name: str, mac: Mac, progress: Callable[[int, int], bool]) -> None:
        assert name == f"publisher{model}"
        self.sent.append((model, mac.name))
        self.went_on.append(progress(3 << 30, 5 << 30))
        self.copies.tick()
        if self.fails or not self.went_on[-1]:
            raise CopyFailed("The copy was ended. It continues where it is the next time.")

    def offer(self) -> None:
        """Look which Macs lack the model."""
        self.copies.look("/m", (STUDIO, MINI))
        self.thread.finish()


@pytest.fixture
def desk() -> Desk:
    """A model that only the mini lacks, which was found out."""
    desk = Desk()
    desk.offer()
    return desk


def test_a_mac_that_has_the_model_needs_no_copy() -> None:
    """Nothing is said."""
    desk = Desk()
    desk.lacks = ()
    desk.offer()
    assert desk.notices == {}


def test_a_second_model_is_copied_after_the_first(desk: Desk) -> None:
    """The user wants both, and may change their mind about one that waits. None of them is offered again."""
    for model in ("/n", "/o"):
        desk.copies.look(model, (MINI,))
    desk.thread.finish()
    for model in ("/m", "/n", "/o", "/n"):
        desk.copies.begin(model)
    waiting = desk.notices[f"{COPY}/n"]
    assert (waiting.text, waiting.action) == ("n is copied to mini next.", "Stop")
    desk.copies.look("/m", (MINI,))
    desk.copies.look("/n", (MINI,))
    desk.copies.stop("/o")
    desk.thread.finish()
    assert [model for model, _ in desk.sent] == ["/m", "/n"]
    assert {key: notice.text for key, notice in desk.notices.items()} == {
        f"{COPY}/o": "o is not on mini yet, so it cannot run there."
    }


def test_a_model_is_copied_to_the_mac_that_lacks_it(desk: Desk) -> None:
    """The notice offers it, says how far it is, and goes when the model is there."""
    assert desk.notices[KEY].text == "m is not on mini yet, so it cannot run there."
    assert desk.notices[KEY].action == "Copy it there"
    desk.copies.begin("/m")
    desk.thread.finish()
    assert (desk.sent, desk.went_on) == ([("/m", "mini")], [True])
    assert desk.arrived == [("/m", "m is on mini now.")]
    assert desk.notices == {}
    assert "Copying m to mini: 3 of 5 GB" in desk.texts


def test_a_copy_says_how_far_it_is(desk: Desk) -> None:
    """And can be stopped there. It continues later."""
    desk.copies.begin("/m")
    assert desk.notices[KEY].action == "Stop"
    desk.copies.stop("/m")
    desk.thread.finish()
    assert desk.went_on == [False]
    assert desk.notices[KEY].text.startswith("The copy was ended.")
    assert (desk.notices[KEY].action, desk.arrived) == ("Continue", [])
    desk.copies.begin("/m")
    desk.thread.finish()
    assert len(desk.arrived) == 1


def assert_continues_after_a_failure(desk: Desk) -> None:
    """The first attempt fails. Its notice starts the second one, which ends."""
    desk.fails = True
    desk.copies.begin("/m")
    desk.thread.finish()
    assert desk.notices[KEY].action == "Continue"
    desk.fails = False
    desk.copies.begin("/m")
    desk.thread.finish()
    assert (len(desk.sent), desk.notices) == (2, {})


def test_a_copy_that_fails_can_be_continued(desk: Desk) -> None:
    """With the reason in the notice."""
    assert_continues_after_a_failure(desk)


def test_a_look_that_ends_after_a_copy_began_changes_nothing(desk: Desk) -> None:
    """The Mac may have gone to sleep meanwhile, and lacks nothing then. The copy still shows how far it is, and
    continues when it is back.
    """
    desk.copies.look("/m", (MINI,))
    desk.lacks = ()
    assert_continues_after_a_failure(desk)


def test_a_window_that_closes_ends_the_copy(desk: Desk) -> None:
    """What arrived stays at the other Mac."""
    desk.copies.begin("/m")
    desk.copies.close()
    desk.thread.finish()
    assert desk.went_on == [False]


def test_a_copy_ends_with_the_pairing_of_its_mac(desk: Desk) -> None:
    """One to another Mac goes on. No button offers to continue the ended one, which could only fail."""
    desk.copies.begin("/m")
    desk.copies.leave(STUDIO.fingerprint)
    desk.thread.finish()
    assert desk.went_on == [True]
    desk.offer()
    desk.copies.begin("/m")
    desk.copies.leave(MINI.fingerprint)
    desk.thread.finish()
    assert desk.went_on == [True, False]
    assert desk.notices == {}
