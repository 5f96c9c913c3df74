"""A model that is unloaded, woken, loaded anyway, or whose load is cancelled, as the connection handles it."""

from __future__ import annotations

import pytest

from app.engine_client.connection import MODEL_KEY
from engine.protocol.messages import (
    CancelLoad,
    LoadModel,
    LoadProgress,
    ModelFailed,
    ModelUnloaded,
    Ready,
    UnloadModel,
)
from tests.fakes.engine_desk import Desk
from ui.state.engine import EngineState

TOO_LARGE = "model_too_large"
CANCELLED = "load_cancelled"


@pytest.fixture
def desk() -> Desk:
    """A connection whose model m1 has loaded."""
    desk = Desk()
    desk.line.engine_event(Ready(1))
    desk.load()
    desk.sent.clear()
    desk.ear.heard.clear()
    return desk


def rest(desk: Desk) -> None:
    desk.line.unload()
    desk.line.engine_event(ModelUnloaded("m1", "", ""))


def test_an_unloaded_model_rests_until_a_request_wakes_it(desk: Desk) -> None:
    """No notice is shown: the user asked for it. The state says what the next message does."""
    desk.line.unload()
    desk.line.unload()
    assert (desk.sent, desk.line.ready) == ([UnloadModel()], False)
    desk.line.engine_event(ModelUnloaded("m1", "", ""))
    assert desk.window.engine[-1].text == "m1 is not in memory · the next message loads it"
    assert (desk.state, desk.line.ready, desk.refusal) == (EngineState.UNLOADED, False, "")
    assert desk.line.context_limit == 4096, "the limit is still known"
    assert desk.ear.heard == ["lost"]
    desk.line.wake()
    desk.line.wake()
    assert desk.sent == [UnloadModel(), LoadModel("m1")]
    desk.load()
    assert (desk.state, desk.line.ready, desk.ear.heard) == (EngineState.READY, True, ["lost", "ready"])
    assert desk.window.notices == {}


def test_a_request_during_an_unload_wakes_the_model(desk: Desk) -> None:
    """The engine unloads the model and loads it again; the request is not lost."""
    desk.line.unload()
    desk.line.wake()
    desk.line.engine_event(ModelUnloaded("m1", "", ""))
    assert desk.state is EngineState.LOADING
    desk.load()
    assert desk.line.ready


def test_an_engine_that_crashes_without_a_model_loads_none(desk: Desk) -> None:
    """The model keeps resting, and a request wakes it also before the engine is back."""
    rest(desk)
    desk.line.engine_lost()
    desk.line.engine_event(Ready(1))
    assert (desk.sent, desk.state) == ([UnloadModel()], EngineState.UNLOADED)
    desk.line.engine_lost()
    desk.line.wake()
    desk.line.engine_event(Ready(1))
    assert desk.sent == [UnloadModel(), LoadModel("m1")]


def test_a_model_that_does_not_wake_is_tried_again_by_the_next_request(desk: Desk) -> None:
    """There is one notice, the words are given back, and nothing is refused for good: memory may be free later."""
    rest(desk)
    desk.line.wake()
    desk.line.engine_event(ModelFailed("m1", TOO_LARGE, "It needs 40 GB."))
    assert desk.window.notices[MODEL_KEY].text.startswith("m1 cannot be loaded. It needs 40 GB. Close other apps")
    assert desk.ear.heard[-1].startswith("refused: m1 cannot be loaded.")
    assert (desk.refusal, desk.state) == ("", EngineState.UNLOADED)
    desk.line.wake()
    desk.load()
    assert (desk.line.ready, desk.window.notices) == (True, {})


@pytest.mark.parametrize("crashes", [False, True])
def test_a_model_that_fails_at_a_start_is_tried_again_by_the_next_request(*, crashes: bool) -> None:
    """Its folder may be back, or memory free. The engine's start may be the first one or follow a crash."""
    desk = Desk()
    desk.line.engine_event(Ready(1))
    if crashes:
        desk.load()
        desk.line.engine_lost()
        desk.line.engine_event(Ready(1))
    desk.sent.clear()
    desk.line.engine_event(ModelFailed("m1", "model_missing", "There is no model folder."))
    assert desk.window.engine[-1].text == "m1 could not be loaded · the next message tries it again"
    assert desk.ear.heard[-1].startswith("refused: m1 cannot be loaded. There is no model folder.")
    assert desk.window.notices[MODEL_KEY].text.startswith("m1 cannot be loaded. There is no model folder.")
    desk.line.wake()
    assert desk.sent == [LoadModel("m1")]
    desk.load()
    assert (desk.line.ready, desk.window.notices) == (True, {})


def test_a_model_that_did_not_come_back_is_tried_again_by_the_next_request(desk: Desk) -> None:
    """It left the memory for a pick that failed, and could not be loaded again."""
    desk.line.use("m2")
    desk.line.engine_event(ModelFailed("m2", "model_unreadable", "It is broken."))
    desk.line.engine_event(ModelUnloaded("m1", TOO_LARGE, "It needs 40 GB."))
    assert desk.window.engine[-1].text == "m1 could not be loaded · the next message tries it again"
    assert desk.window.notices[MODEL_KEY].text.startswith("m1 cannot be loaded. It needs 40 GB.")
    assert desk.ear.heard[-1].startswith("refused: m1 cannot be loaded.")
    desk.line.wake()
    assert desk.sent[-1] == LoadModel("m1")
    desk.load()
    assert (desk.line.ready, desk.window.notices) == (True, {})


def test_the_state_says_that_a_model_did_not_wake(desk: Desk) -> None:
    """Until it is tried again, also in a window that is built anew and after a crash. A cancelled load did not fail."""
    failed = "m1 could not be loaded · the next message tries it again"
    rest(desk)
    desk.line.wake()
    desk.line.engine_event(ModelFailed("m1", TOO_LARGE, "It needs 40 GB."))
    assert desk.window.engine[-1].text == failed
    desk.line.show_again()
    desk.line.engine_lost()
    desk.line.engine_event(Ready(1))
    assert [view.text for view in desk.window.engine[-3:]].count(failed) == 2
    desk.line.wake()
    desk.line.engine_event(ModelFailed("m1", CANCELLED, "Cancelled."))
    assert desk.window.engine[-1].text == "m1 is not in memory · the next message loads it"
    desk.line.use("m2")
    desk.line.engine_event(ModelFailed("m2", "model_unreadable", "It is broken."))
    assert desk.window.engine[-1].text == "m1 is not in memory · the next message loads it"


def test_a_pick_that_fails_leaves_a_resting_model(desk: Desk) -> None:
    """The former model is not loaded before a request needs it."""
    rest(desk)
    desk.line.use("m2")
    desk.line.engine_event(ModelFailed("m2", "model_unreadable", "It is broken."))
    assert (desk.line.model, desk.state) == ("m1", EngineState.UNLOADED)
    assert desk.sent == [UnloadModel(), LoadModel("m2")]
    desk.line.wake()
    assert desk.sent[-1] == LoadModel("m1")


def test_picking_a_resting_model_loads_it(desk: Desk) -> None:
    """The pick is a request for the model, though it has not changed."""
    rest(desk)
    desk.line.use("m1")
    assert desk.sent[-1] == LoadModel("m1")


def test_new_settings_of_a_resting_model_wait_for_the_next_request(desk: Desk) -> None:
    """They do not load what the user unloaded."""
    rest(desk)
    desk.line.reload()
    assert desk.sent == [UnloadModel()]


def test_a_model_that_does_not_fit_can_be_loaded_anyway(desk: Desk) -> None:
    """The notice offers it for that reason alone, and a second refusal is final."""
    desk.line.use("m2")
    desk.line.engine_event(ModelFailed("m2", TOO_LARGE, "It needs 40 GB."))
    assert desk.window.notices[MODEL_KEY].action == "Load anyway"
    desk.line.load_anyway()
    assert desk.sent[-1] == LoadModel("m2", anyway=True)
    desk.line.engine_event(ModelFailed("m2", "model_beyond_machine", "It needs 40 GB."))
    assert (desk.line.model, desk.window.notices[MODEL_KEY].action) == ("m1", "")
    desk.sent.clear()
    desk.line.load_anyway()
    assert desk.sent == [], "nothing is left to load anyway"


def test_what_was_loaded_anyway_returns_after_a_crash(desk: Desk) -> None:
    """The user has decided; the next engine does not ask again. Another pick is checked as usual."""
    desk.line.use("m2")
    desk.line.engine_event(ModelFailed("m2", TOO_LARGE, "It needs 40 GB."))
    desk.line.load_anyway()
    desk.load("m2")
    assert MODEL_KEY not in desk.window.notices
    desk.line.engine_lost()
    desk.line.engine_event(Ready(1))
    assert desk.sent[-1] == LoadModel("m2", anyway=True)
    desk.load("m2")
    desk.line.use("m3")
    assert desk.sent[-1] == LoadModel("m3")


def test_a_load_against_the_advice_that_crashes_the_engine_is_not_repeated(desk: Desk) -> None:
    """The next engine checks the memory again, and the notice offers the choice again."""
    desk.line.use("m2")
    desk.line.engine_event(ModelFailed("m2", TOO_LARGE, "It needs 40 GB."))
    desk.line.load_anyway()
    desk.line.engine_lost()
    desk.line.engine_event(Ready(1))
    assert desk.sent[-1] == LoadModel("m2")
    desk.line.engine_event(ModelFailed("m2", TOO_LARGE, "It needs 40 GB."))
    assert desk.window.notices[MODEL_KEY].action == "Load anyway"


def test_a_pick_after_a_cancel_can_be_cancelled_too(desk: Desk) -> None:
    """The answer to the first cancel belongs to the first load. The second load shows its progress."""
    desk.line.use("m2")
    desk.line.cancel_load()
    desk.line.use("m3")
    desk.line.engine_event(ModelFailed("m2", CANCELLED, "Its load was cancelled."))
    desk.line.engine_event(LoadProgress("m3", "building"))
    assert desk.window.engine[-1].text == "Loading m3 · building it"
    desk.line.cancel_load()
    assert desk.sent == [LoadModel("m2"), CancelLoad(), LoadModel("m3"), CancelLoad()]
    desk.line.engine_event(ModelFailed("m3", CANCELLED, "Its load was cancelled."))
    assert (desk.line.model, desk.line.ready) == ("m1", True)


def test_the_same_model_can_be_picked_while_its_load_is_being_cancelled(desk: Desk) -> None:
    """The last word of the user holds: the answer to the cancel belongs to the first load."""
    desk.line.use("m2")
    desk.line.cancel_load()
    desk.line.use("m2")
    assert desk.sent == [LoadModel("m2"), CancelLoad(), LoadModel("m2")]
    desk.line.engine_event(ModelFailed("m2", CANCELLED, "Its load was cancelled."))
    desk.load("m2")
    assert (desk.line.model, desk.line.ready) == ("m2", True)


def test_a_cancelled_load_returns_to_the_former_model(desk: Desk) -> None:
    """The words are given back. The user knows why, so there is no notice. A second cancel changes nothing."""
    desk.line.use("m2")
    desk.line.cancel_load()
    desk.line.cancel_load()
    assert desk.sent == [LoadModel("m2"), CancelLoad()]
    desk.line.engine_event(ModelFailed("m2", CANCELLED, "Its load was cancelled."))
    assert (desk.line.model, desk.line.ready, desk.state) == ("m1", True, EngineState.READY)
    assert desk.ear.heard == ["refused: Loading m2 was cancelled.", "ready"]
    assert desk.window.notices == {}
    desk.line.cancel_load()
    assert desk.sent[-1] != CancelLoad(), "nothing is loaded any more"


def test_a_load_that_ends_before_its_cancel_counts(desk: Desk) -> None:
    """The engine was faster: the model answers, and the next load can be cancelled."""
    desk.line.use("m2")
    desk.line.cancel_load()
    desk.load("m2")
    assert (desk.line.model, desk.line.ready) == ("m2", True)
    desk.line.use("m3")
    desk.line.cancel_load()
    assert desk.sent[-1] == CancelLoad()


def test_a_cancelled_first_load_rests() -> None:
    """There is no former model, so the next message loads the same one."""
    first = Desk()
    first.line.engine_event(Ready(1))
    first.line.cancel_load()
    first.line.engine_event(ModelFailed("m1", CANCELLED, "Its load was cancelled."))
    assert (first.state, first.refusal) == (EngineState.UNLOADED, "")
    first.line.wake()
    assert first.sent == [LoadModel("m1"), CancelLoad(), LoadModel("m1")]


def test_a_cancel_that_ends_the_engine_returns_to_the_former_model(desk: Desk) -> None:
    """A load that does not react is ended with its process. The next engine loads the former model."""
    desk.line.use("m2")
    desk.line.engine_event(LoadProgress("m2", "building"))
    desk.line.cancel_load()
    desk.line.engine_replaced()
    assert desk.ear.heard == ["refused: Loading m2 was cancelled.", "lost"]
    desk.line.engine_event(Ready(1))
    assert desk.sent[-1] == LoadModel("m1")
    desk.load("m1")
    assert desk.line.ready


def test_a_refusal_is_shown_again_to_who_asks(desk: Desk) -> None:
    """A message that cannot be answered says why, also if the notice was closed."""
    desk.line.engine_event(ModelUnloaded("m1", "model_unstable", "It failed twice."))
    desk.window.notices.clear()
    desk.line.wake()
    assert desk.window.notices[MODEL_KEY].text.startswith("It failed twice.")


def test_a_state_that_lasts_names_its_model(desk: Desk) -> None:
    """A chat with another model shows what its own messages do instead. A process that ended concerns every chat."""
    assert desk.window.engine[-1].model == "m1", "it is ready"
    rest(desk)
    assert desk.window.engine[-1].model == "m1", "it rests"
    desk.line.wake()
    desk.load()
    desk.line.engine_event(ModelUnloaded("m1", "model_unstable", "It failed twice."))
    assert (desk.state, desk.window.engine[-1].model) == (EngineState.FAILED, "m1")
    desk.line.engine_failed("The engine keeps stopping.")
    desk.line.show_again()
    assert [view.model for view in desk.window.engine[-2:]] == ["", ""]


def test_only_the_user_loads_a_model_against_the_advice(desk: Desk) -> None:
    """A message to a resting model, the next engine and another pick let the engine check the memory again."""
    rest(desk)
    desk.line.wake()
    desk.line.engine_event(ModelFailed("m1", TOO_LARGE, "It needs 40 GB."))
    desk.line.wake()
    assert desk.sent[-1] == LoadModel("m1")
    desk.line.engine_event(ModelFailed("m1", TOO_LARGE, "It needs 40 GB."))
    desk.line.use("m1")
    assert desk.sent[-1] == LoadModel("m1")


def test_a_pick_without_an_engine_waits_for_its_restart(desk: Desk) -> None:
    """A message is given back with the reason until then."""
    desk.line.engine_failed("The engine keeps stopping.")
    desk.line.use("m2")
    desk.line.wake()
    assert desk.refusal == "The engine keeps stopping."
    desk.line.starting()
    desk.line.engine_event(Ready(1))
    assert desk.sent == [LoadModel("m2")]
