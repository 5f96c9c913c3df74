"""The connection to the engine: which model is loaded, which commands are sent when, and what the window shows."""

from __future__ import annotations

import pytest

from app.engine_client.connection import RESTART_KEY, EngineConnection, EnginePorts
from engine.protocol.cache_messages import CacheSizes, Forget, Memory, StoreReport
from engine.protocol.messages import (
    Deltas,
    Focus,
    Generate,
    KvBits,
    LoadModel,
    LoadProgress,
    ModelFailed,
    ModelLoaded,
    ModelUnloaded,
    Ready,
    Rejected,
)
from resources.language import catalogue, text
from resources.language.formats import FORMATS
from tests.fakes.engine_desk import Desk
from ui.state.engine import EngineState, EngineView, ModelCapabilities


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_greeting_model_ready(desk: Desk) -> None:
    """The wanted model is loaded as soon as the engine is there. Then requests may be sent."""
    desk.line.starting()
    assert desk.state is EngineState.STARTING
    desk.line.engine_event(Ready(1))
    assert desk.sent == [LoadModel("m1")]
    assert (desk.state, desk.line.ready) == (EngineState.LOADING, False)
    desk.load()
    assert (desk.state, desk.line.ready, desk.line.context_limit) == (EngineState.READY, True, 4096)
    assert desk.ear.heard == ["ready"]


def test_only_lasting_commands_wait_for_an_absent_engine(desk: Desk) -> None:
    """While the engine is away, only Forget and the newest Focus are kept."""
    desk.line.send(Generate("r", "c", ()))
    desk.line.send(Forget("c1"))
    desk.line.send(Focus("c1"))
    desk.line.send(Focus("c2"))
    assert desk.sent == []
    desk.line.engine_event(Ready(1))
    desk.load()
    assert desk.sent == [Forget("c1"), LoadModel("m1"), Focus("c2")]


def test_other_model_makes_requests_wait(desk: Desk) -> None:
    """Between two models no request is sent, and a late event about the first model does not count."""
    desk.line.engine_event(Ready(1))
    desk.line.use("m2")
    desk.load("m1")
    assert not desk.line.ready
    desk.load("m2")
    assert desk.line.ready


def test_model_that_fails_leaves_the_one_before(desk: Desk) -> None:
    """The notice names the model, says why it failed, and names the model that answers now. Chats continue with that
    one.
    """
    desk.line.engine_event(Ready(1))
    desk.load()
    desk.line.use("m2")
    assert desk.window.store.models.now.current == "m2"
    desk.line.engine_event(ModelFailed("m2", "model_too_large", "It needs 40 GB."))
    assert (desk.line.model, desk.line.ready, desk.window.store.models.now.current) == (
        "m1",
        True,
        "m1",
    )
    assert desk.window.notices["engine:model"].text.startswith("m2 cannot be loaded. It needs 40 GB. ")
    assert desk.window.notices["engine:model"].text.endswith(" Meanwhile m1 answers.")
    assert desk.ear.heard[-2].startswith("refused: m2 cannot be loaded."), "what was asked of m2 is not asked of m1"
    assert desk.ear.heard[-1] == "ready"


def test_crash_and_return(desk: Desk) -> None:
    """After a crash the same model is loaded again automatically."""
    desk.line.engine_event(Ready(1))
    desk.load()
    desk.line.engine_lost()
    assert (desk.state, desk.line.ready) == (EngineState.RESTARTING, False)
    desk.line.engine_event(Ready(1))
    desk.load()
    assert desk.ear.heard == ["ready", "lost", "ready"]
    assert desk.sent.count(LoadModel("m1")) == 2


def test_failed_engine_offers_a_restart(desk: Desk) -> None:
    """The notice has the action, and waiting turns get the reason."""
    desk.line.engine_failed("It keeps stopping.")
    assert desk.window.notices[RESTART_KEY].action
    assert desk.ear.heard == ["lost", "refused: It keeps stopping."]
    desk.line.starting()
    assert RESTART_KEY not in desk.window.notices


def test_a_model_that_cannot_be_cached_is_reported(desk: Desk) -> None:
    """A notice says once that a model's chats cannot be kept warm, and disappears when another model is loaded."""
    desk.line.engine_event(Ready(1))
    desk.load(uncached="Its layers cannot be kept.")
    assert desk.window.notices["engine:uncached"].text == "Its layers cannot be kept."
    desk.line.use("m2")
    desk.load("m2")
    assert "engine:uncached" not in desk.window.notices


def test_other_events_find_their_place(desk: Desk) -> None:
    """Memory is shown in the sidebar, rejections in a notice, and the rest goes to the conversations."""
    desk.line.engine_event(Memory(10, 5, 2))
    assert desk.window.store.memory.now is not None
    assert (desk.window.store.memory.now.used_bytes, desk.window.store.memory.now.warm_chats) == (10, 2)
    desk.line.engine_event(Rejected("bad_command", "Not a command."))
    assert "engine:bad_command" in desk.window.notices
    desk.line.engine_event(Deltas(()))
    assert desk.ear.heard == ["Deltas"]


def test_what_the_model_can_do_is_said_in_the_language_of_now(desk: Desk) -> None:
    """The engine tells it once, when the model loads."""
    desk.line.engine_event(Ready(1))
    desk.line.engine_event(ModelLoaded("m1", 4096, head="unfit"))
    (line,) = desk.window.store.capabilities.now.lines
    text.install(text.Language("de", catalogue.read("de"), FORMATS["de"]))
    desk.line.show_again()
    shown = desk.window.store.capabilities.now
    assert shown.lines == (text.tr(line),) != (line,)


def test_an_unloaded_model_is_reported_and_no_request_is_sent(desk: Desk) -> None:
    """A model that the engine unloaded counts as refused; picking it again loads it again."""
    desk.line.engine_event(Ready(1))
    desk.load()
    desk.line.engine_event(ModelUnloaded("m1", "model_unstable", "It failed twice."))
    assert (desk.state, desk.line.ready) == (EngineState.FAILED, False)
    assert desk.window.notices["engine:model"].text.startswith("It failed twice. ")
    assert desk.refusal == desk.ear.heard[-1].removeprefix("refused: ")
    assert desk.window.store.capabilities.now == ModelCapabilities()
    desk.line.use("m1")
    desk.load()
    assert (desk.line.ready, desk.refusal) == (True, "")


def test_unloading_the_one_before_changes_no_hope(desk: Desk) -> None:
    """While another model is being loaded, turns keep waiting for it."""
    desk.line.engine_event(Ready(1))
    desk.load()
    desk.line.use("m2")
    desk.line.engine_event(ModelUnloaded("m1", "model_unstable", "It failed twice."))
    assert desk.refusal == ""
    desk.load("m2")
    assert desk.line.ready


def test_traits_are_shown_with_the_model(desk: Desk) -> None:
    """The window knows whether the model thinks."""
    desk.line.engine_event(Ready(1))
    desk.line.engine_event(ModelLoaded("m1", 4096, thinks=True))
    assert desk.window.store.capabilities.now is not None
    assert desk.window.store.capabilities.now.thinks


def test_precision_goes_with_the_model_and_a_change_loads_it_anew(desk: Desk) -> None:
    """No request is sent until the newest load is answered, though the same model is still loaded."""
    bits: list[KvBits] = [8]
    ports = EnginePorts(lambda model: LoadModel(model, bits[0]))
    line = EngineConnection("m1", desk.window, desk.sent.append, ports)
    line.serve(desk.ear.as_sessions)
    line.engine_event(Ready(1))
    loaded = ModelLoaded("m1", 4096, kv_bits=8)
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


def test_the_share_of_a_load_is_shown(desk: Desk) -> None:
    """The stage is shown in words, counted bytes as a percentage and a share. The load of an unwanted model shows
    nothing.
    """
    desk.line.engine_event(Ready(1))
    desk.line.engine_event(LoadProgress("m1", "building"))
    desk.line.engine_event(LoadProgress("m1", "reading", 1, 4))
    desk.line.engine_event(LoadProgress("m2", "reading", 2, 4))
    assert desk.window.engine[-2:] == [
        EngineView(EngineState.LOADING, "Loading m1 · building it", None, can_cancel=True),
        EngineView(EngineState.LOADING, "Loading m1 · reading its weights · 25%", 0.25, can_cancel=True),
    ]


def test_a_model_that_comes_back_unasked_is_ready(desk: Desk) -> None:
    """If two models do not fit, the engine unloads the first and loads it again when the second fails."""
    desk.line.engine_event(Ready(1))
    desk.load()
    desk.line.use("m2")
    desk.line.engine_event(ModelFailed("m2", "model_unreadable", "It is broken."))
    desk.load("m1")
    assert desk.line.ready
    desk.line.use("m3")
    readiness = [desk.line.ready]
    desk.load("m3")
    assert [*readiness, desk.line.ready] == [False, True]


def test_stuck_load_leads_back_to_the_model_before(desk: Desk) -> None:
    """The next engine loads the former model. Waiting turns are given back. The notice stays until the next pick."""
    desk.line.engine_event(Ready(1))
    desk.load()
    desk.line.use("m2")
    desk.ear.heard.clear()
    desk.line.engine_event(ModelFailed("m2", "model_stuck", "It made no progress."))
    (given_back,) = desk.ear.heard
    assert given_back.startswith("refused: m2 cannot be loaded."), "nothing is asked of an engine that is about to end"
    desk.ear.heard.clear()
    desk.line.engine_lost()
    desk.line.engine_event(Ready(1))
    assert desk.sent[-1] == LoadModel("m1")
    desk.load()
    assert (desk.line.model, desk.line.ready, desk.ear.heard) == ("m1", True, ["lost", "ready"])
    told = desk.window.notices["engine:model"].text
    assert told.startswith("m2 cannot be loaded. It made no progress. ")
    assert told.endswith(" Meanwhile m1 answers.")
    desk.line.use("m3")
    desk.load("m3")
    assert "engine:model" not in desk.window.notices


def test_stuck_first_load_is_not_tried_again_by_itself(desk: Desk) -> None:
    """Without a former model the next engine loads nothing. Waiting turns get the reason. The next request and another
    pick are served.
    """
    desk.line.engine_event(Ready(1))
    desk.line.engine_event(ModelFailed("m1", "model_stuck", "It made no progress."))
    desk.line.engine_lost()
    desk.line.engine_event(Ready(1))
    assert desk.sent == [LoadModel("m1")]
    assert desk.state is EngineState.UNLOADED
    assert any(word.startswith("refused: m1 cannot be loaded.") for word in desk.ear.heard)
    desk.line.wake()
    assert desk.sent[1:] == [LoadModel("m1")]
    desk.load()
    desk.line.use("m2")
    assert desk.sent[-1] == LoadModel("m2")
    desk.load("m2")
    assert desk.line.ready


def test_an_engine_that_the_app_replaces_is_no_crash(desk: Desk) -> None:
    """If another pick ends a stuck load, the window shows the new load and no crash."""
    desk.line.engine_event(Ready(1))
    desk.line.use("m2")
    desk.line.engine_replaced()
    assert desk.state is EngineState.STARTING
    assert desk.window.engine[-1].text == "Loading m2…"
    assert "lost" in desk.ear.heard


def test_a_pick_is_remembered_once_it_has_loaded(desk: Desk) -> None:
    """A model that fails is not saved, nor one that another pick overtakes, nor the one of the start."""
    line = desk.line
    line.engine_event(Ready(1))
    line.engine_event(ModelLoaded("m1", 4096))
    line.use("m2")
    line.engine_event(ModelFailed("m2", "model_unreadable", "It is broken."))
    line.use("m3")
    line.use("m4")
    assert desk.remembered == []
    for model in ("m3", "m4"):
        line.engine_event(ModelLoaded(model, 4096))
    line.engine_lost()
    line.engine_event(Ready(1))
    line.engine_event(ModelLoaded("m4", 4096))
    assert desk.remembered == ["m4"]


def test_picking_the_loaded_model_remembers_it(desk: Desk) -> None:
    """It may have replaced a missing model at the start; picking it makes it the user's choice."""
    line = desk.line
    line.engine_event(Ready(1))
    line.engine_event(ModelLoaded("m1", 4096))
    line.use("m1")
    assert desk.remembered == ["m1"]


class Keeper:
    """Stands for the cache monitor."""

    def __init__(self, desk: Desk) -> None:
        self.heard: list[object] = []
        self._desk = desk

    def connected(self) -> None:
        self.heard.append(len(self._desk.sent))

    def engine_event(self, event: object) -> None:
        self.heard.append(event)


def test_the_caches_are_looked_after_from_the_first_moment(desk: Desk) -> None:
    """The cache monitor hears of every engine before it loads a model, and gets its reports."""
    report = StoreReport(1, 2, 3, 4)
    desk.line.engine_event(report)
    keeper = Keeper(desk)
    desk.line.serve(desk.ear.as_sessions, keeper.engine_event, keeper.connected)
    desk.line.engine_event(Ready(1))
    desk.line.engine_event(report)
    listed = CacheSizes("")
    desk.line.engine_event(listed)
    assert [heard for heard in keeper.heard if not isinstance(heard, Ready)] == [0, report, listed]
    assert desk.sent == [LoadModel("m1")]
