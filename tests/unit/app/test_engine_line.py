"""Which model is loaded, what is sent when, and what the window hears of it."""

from __future__ import annotations

import pytest

from app.engine_line import RESTART_KEY, EngineLine
from engine.protocol import (
    Command,
    Deltas,
    Event,
    Focus,
    Forget,
    Generate,
    Held,
    KvBits,
    LoadModel,
    Memory,
    ModelFailed,
    ModelLoaded,
    ModelUnloaded,
    Ready,
    Rejected,
    StoreReport,
)
from tests.fakes.window import FakeWindow
from ui.state import EngineState, ModelTraits, ModelView


class Ear:
    """Stands for the conversations."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def engine_event(self, event: Event) -> None:
        self.heard.append(type(event).__name__)

    def engine_ready(self) -> None:
        self.heard.append("ready")

    def engine_lost(self) -> None:
        self.heard.append("lost")

    def engine_refused(self, reason: str) -> None:
        self.heard.append(f"refused: {reason}")


class Desk:
    """A line with everything around it."""

    def __init__(self) -> None:
        self.window = FakeWindow()
        self.sent: list[Command] = []
        self.ear = Ear()
        self.line = EngineLine("m1", self.window, self.sent.append, 1000)
        self.line.serve(self.ear)

    def load(self, model: str = "m1", uncached: str = "") -> None:
        self.line.engine_event(ModelLoaded(model, model, "id", 4096, 10, uncached))

    @property
    def state(self) -> EngineState:
        return self.window.engine[-1].state


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_greeting_model_ready(desk: Desk) -> None:
    """The wanted model is loaded as soon as the engine is there; then requests may go."""
    desk.line.starting()
    assert desk.state is EngineState.STARTING
    desk.line.engine_event(Ready(1, 7))
    assert desk.sent == [LoadModel("m1")]
    assert (desk.state, desk.line.ready) == (EngineState.LOADING, False)
    desk.load()
    assert (desk.state, desk.line.ready, desk.line.context_limit) == (EngineState.READY, True, 4096)
    assert desk.ear.heard == ["ready"]


def test_nothing_is_sent_to_nobody(desk: Desk) -> None:
    """While the engine is away only what must not be lost is kept: Forget and the newest Focus."""
    desk.line.send(Generate("r", "c", ()))
    desk.line.send(Forget("c1"))
    desk.line.send(Focus("c1"))
    desk.line.send(Focus("c2"))
    assert desk.sent == []
    desk.line.engine_event(Ready(1, 7))
    desk.load()
    assert desk.sent == [Forget("c1"), LoadModel("m1"), Focus("c2")]


def test_other_model_makes_requests_wait(desk: Desk) -> None:
    """Between two models nothing is asked, and an outdated answer about the first does not count."""
    desk.line.engine_event(Ready(1, 7))
    desk.line.use("m2")
    desk.load("m1")
    assert not desk.line.ready
    desk.load("m2")
    assert desk.line.ready


def test_model_that_fails_leaves_the_one_before(desk: Desk) -> None:
    """The notice tells why; chats go on with the model that is loaded."""
    desk.line.offer((ModelView("m1", "One"), ModelView("m2", "Two")))
    desk.line.engine_event(Ready(1, 7))
    desk.load()
    desk.line.use("m2")
    assert desk.window.model == "m2"
    desk.line.engine_event(ModelFailed("m2", "model_too_large", "It needs 40 GB."))
    assert (desk.line.model, desk.line.ready, desk.window.model) == ("m1", True, "m1")
    assert desk.window.notices["engine:model"].text.startswith("It needs 40 GB.")
    assert not any(word.startswith("refused") for word in desk.ear.heard)


def test_no_model_at_all_is_a_refusal(desk: Desk) -> None:
    """Who waits is told why it is in vain, and another model brings hope again."""
    desk.line.engine_event(Ready(1, 7))
    desk.line.engine_event(ModelFailed("m1", "model_missing", "There is no model."))
    assert desk.state is EngineState.FAILED
    assert desk.line.refusal == desk.ear.heard[-1].removeprefix("refused: ")
    desk.line.use("m2")
    assert desk.line.refusal == ""


def test_crash_and_return(desk: Desk) -> None:
    """After a crash the same model is loaded again without anyone's doing."""
    desk.line.engine_event(Ready(1, 7))
    desk.load()
    desk.line.engine_lost()
    assert (desk.state, desk.line.ready) == (EngineState.RESTARTING, False)
    desk.line.engine_event(Ready(1, 8))
    desk.load()
    assert desk.ear.heard == ["ready", "lost", "ready"]
    assert desk.sent.count(LoadModel("m1")) == 2


def test_failed_engine_offers_a_restart(desk: Desk) -> None:
    """The notice has the action, and what waits is told."""
    desk.line.engine_failed("It keeps stopping.")
    assert desk.window.notices[RESTART_KEY].action
    assert desk.ear.heard == ["lost", "refused: It keeps stopping."]
    desk.line.starting()
    assert RESTART_KEY not in desk.window.notices


def test_model_that_stays_cold_is_told(desk: Desk) -> None:
    """A model whose chats cannot be kept warm says so once, and no longer when another is loaded."""
    desk.line.engine_event(Ready(1, 7))
    desk.load(uncached="Its layers cannot be kept.")
    assert desk.window.notices["engine:uncached"].text == "Its layers cannot be kept."
    desk.line.use("m2")
    desk.load("m2")
    assert "engine:uncached" not in desk.window.notices


def test_other_events_find_their_place(desk: Desk) -> None:
    """Memory goes to the sidebar, rejections to a notice, the rest to the conversations."""
    desk.line.engine_event(Memory(10, 5, 2))
    assert desk.window.memory is not None
    assert (desk.window.memory.used_bytes, desk.window.memory.warm_chats) == (10, 2)
    desk.line.engine_event(Rejected("bad_command", "Not a command."))
    assert "engine:bad_command" in desk.window.notices
    desk.line.engine_event(Deltas(()))
    assert desk.ear.heard == ["Deltas"]


def test_unloaded_model_is_told_and_nothing_is_asked(desk: Desk) -> None:
    """A model that the engine gave up is as one that was refused; picking it again tries it again."""
    desk.line.engine_event(Ready(1, 7))
    desk.load()
    desk.line.engine_event(ModelUnloaded("m1", "model_unstable", "It failed twice."))
    assert (desk.state, desk.line.ready) == (EngineState.FAILED, False)
    assert desk.window.notices["engine:model"].text.startswith("It failed twice. ")
    assert desk.line.refusal == desk.ear.heard[-1].removeprefix("refused: ")
    assert desk.window.traits == ModelTraits()
    desk.line.use("m1")
    desk.load()
    assert (desk.line.ready, desk.line.refusal) == (True, "")


def test_unloading_the_one_before_changes_no_hope(desk: Desk) -> None:
    """While another model is being loaded, what waits goes on waiting for it."""
    desk.line.engine_event(Ready(1, 7))
    desk.load()
    desk.line.use("m2")
    desk.line.engine_event(ModelUnloaded("m1", "model_unstable", "It failed twice."))
    assert desk.line.refusal == ""
    desk.load("m2")
    assert desk.line.ready


def test_traits_are_shown_with_the_model(desk: Desk) -> None:
    """The window knows whether the model thinks."""
    desk.line.engine_event(Ready(1, 7))
    desk.line.engine_event(ModelLoaded("m1", "m1", "id", 4096, 10, thinks=True))
    assert desk.window.traits is not None
    assert desk.window.traits.thinks


def test_precision_goes_with_the_model_and_a_change_loads_it_anew(desk: Desk) -> None:
    """Until the newest load is answered nothing is asked, though the same model is still there."""
    bits: list[KvBits] = [8]
    line = EngineLine("m1", desk.window, desk.sent.append, 1000, lambda _model: bits[0])
    line.engine_event(Ready(1, 7))
    loaded = ModelLoaded("m1", "m1", "id", 4096, 10, kv_bits=8)
    line.engine_event(loaded)
    bits[0] = 4
    line.reload()
    assert desk.sent == [LoadModel("m1", 8), Focus(""), LoadModel("m1", 4)]
    assert not line.ready
    bits[0] = 0
    line.reload()
    line.engine_event(loaded)
    assert not line.ready
    line.engine_event(ModelFailed("m1", "model_too_large", "No room."))
    assert line.ready, "the model before is still there"


class Keeper:
    """Stands for who looks after the caches on disk."""

    def __init__(self, desk: Desk) -> None:
        self.heard: list[object] = []
        self._desk = desk

    def connected(self) -> None:
        self.heard.append(len(self._desk.sent))

    def reported(self, event: StoreReport) -> None:
        self.heard.append(event)

    def held(self, conversations: tuple[str, ...]) -> None:
        self.heard.append(conversations)


def test_the_caches_are_looked_after_from_the_first_moment(desk: Desk) -> None:
    """Their keeper is told of every engine, before it loads a model, and of what it reports; the chats are not."""
    report = StoreReport(1, 2, 3, 4, 5)
    desk.line.engine_event(report)
    keeper = Keeper(desk)
    desk.line.keep(keeper)
    desk.line.engine_event(Ready(1, 7))
    desk.line.engine_event(report)
    desk.line.engine_event(Held(("chat",)))
    assert keeper.heard == [0, report, ("chat",)]
    assert desk.sent == [LoadModel("m1")]
    assert desk.ear.heard == []
