"""The settings of one chat, from the inspector to the engine."""

from __future__ import annotations

import pytest

from app.base.own_values import OwnValues
from app.base.settings import ModelSettings, Settings
from app.conversations.conversations import Conversations
from engine.protocol.messages import ChatMessage, Warm
from engine.protocol.sampling_settings import OwnSampling, Sampling
from storage.errors import EnvironmentProblem, Problem
from storage.library.rows import Conversation
from tests.unit.app.conftest import Scene
from ui.state.preferences import Preferences

_MODEL = Sampling(temperature=0.7, top_p=0.9, max_tokens=4096)


def sampling(chat: Conversation) -> Sampling:
    preset = Sampling(temperature=0.0, max_tokens=4096) if chat.preset == "precise" else _MODEL
    return OwnValues.of(chat.sampling).over(preset)


@pytest.fixture
def chats(scene: Scene) -> Conversations:
    return scene.conversations(sampling=sampling, model_settings=lambda: ModelSettings(system="Be brief."))


@pytest.fixture
def chat(scene: Scene, chats: Conversations) -> str:
    chats.creation.new()
    return scene.window.opened[-1].id


def test_a_tab_opens_with_its_settings(scene: Scene, chats: Conversations, chat: str) -> None:
    """The window gets them behind the chat, with the model's own values beside."""
    view = scene.window.chat_settings[-1]
    assert (view.conversation, view.preset_words, view.system, view.model_system) == (chat, "Balanced", "", "Be brief.")
    assert (view.values.top_p, view.suggested.top_p, view.own) == (0.9, 0.9, frozenset())
    chats.settings.set_preset(chat, "precise")
    view = scene.window.chat_settings[-1]
    assert (view.values.temperature, view.suggested.temperature, view.preset_words) == (0.0, 0.7, "Precise")


def test_instructions_hold_from_the_next_turn_on(scene: Scene, chats: Conversations, chat: str) -> None:
    """They replace the model's instructions, and the part of the cache before them is restored. If they are removed,
    the model's apply again.
    """
    scene.converse(chats, chat, "One", "Two")
    chats.settings.set_system(chat, "  Be kind. ")
    assert isinstance(scene.engine.sent[-1], Warm)
    assert scene.engine.sent[-1].messages[0] == ChatMessage("system", "Be kind.")
    assert scene.window.chat_settings[-1].system == "Be kind."
    scene.converse(chats, chat, "Three", "Four")
    assert scene.engine.requests[-1].messages[0] == ChatMessage("system", "Be kind.")
    chats.settings.set_system(chat, "")
    scene.converse(chats, chat, "Five", "Six")
    assert scene.engine.requests[-1].messages[0] == ChatMessage("system", "Be brief.")


def test_values_of_the_chat_reach_the_engine(scene: Scene, chats: Conversations, chat: str) -> None:
    """Each value that was set, and the model's for the others; a fork has the same."""
    for name, text in (("temperature", "0.3"), ("seed", "7"), ("stop", "END")):
        chats.settings.set_value(chat, name, text)
    view = scene.window.chat_settings[-1]
    assert view.preset_words == "Balanced, changed"
    assert view.own == {"temperature", "seed", "stop"}
    scene.converse(chats, chat, "One", "Two")
    wanted = Sampling(temperature=0.3, top_p=0.9, max_tokens=4096, seed=7, stop=("END",))
    assert scene.engine.requests[-1].sampling == wanted
    chats.creation.fork(chat, scene.library.messages.branch(chat)[-1].id)
    scene.converse(chats, scene.window.opened[-1].id, "Three", "Four")
    assert scene.engine.requests[-1].sampling == wanted
    chats.settings.set_value(chat, "temperature", "")
    assert scene.window.chat_settings[-1].values.temperature == 0.7


def test_an_impossible_value_changes_nothing(scene: Scene, chats: Conversations, chat: str) -> None:
    """The sentence is shown at the value."""
    chats.settings.set_value(chat, "top_p", "0.5")
    chats.settings.set_value(chat, "top_p", "many")
    view = scene.window.chat_settings[-1]
    assert view.refused == ("top_p", "Top-p must be a number. “many” is not one.")
    assert view.values.top_p == 0.5


def test_a_preset_of_the_user_is_copied_into_the_chat(scene: Scene, chats: Conversations, chat: str) -> None:
    """A chat saves its values as a preset, and another one takes it. Both keep the values when it is gone."""
    chats.settings.set_preset(chat, "precise")
    chats.settings.set_value(chat, "seed", "7")
    chats.settings.save_preset(chat, "Same again")
    view = scene.window.chat_settings[-1]
    assert (view.preset_words, view.values.temperature, view.values.seed) == ("Same again", 0.0, 7)
    chats.creation.new()
    other = scene.window.opened[-1].id
    chats.settings.set_preset(other, view.preset)
    chats.settings.presets.delete(view.preset)
    view = scene.window.chat_settings[-1]
    assert (view.conversation, view.preset_words) == (other, "Custom")
    assert (view.values.temperature, view.values.seed) == (0.0, 7)
    chats.settings.set_preset(other, "balanced")
    view = scene.window.chat_settings[-1]
    assert (view.preset_words, view.values, view.own) == ("Balanced", view.suggested, frozenset())


@pytest.mark.parametrize("is_private", [False, True])
def test_open_chats_follow_a_preset_that_is_renamed_or_deleted(scene: Scene, is_private: bool) -> None:  # noqa: FBT001 - pytest passes it
    """Each of them shows the new name at once. A chat whose preset is gone says that its values are its own."""
    chats = scene.conversations(sampling=sampling)
    for _ in range(2):
        chats.creation.new_private() if is_private else chats.creation.new()
    one, other = (view.id for view in scene.window.opened)
    chats.settings.set_value(one, "seed", "7")
    chats.settings.save_preset(one, "Mine")
    preset = scene.window.chat_settings[-1].preset
    chats.settings.set_preset(other, preset)
    chats.settings.presets.rename(preset, "Yours")
    assert _styles(scene) == {one: "Yours", other: "Yours"}
    chats.settings.presets.delete(preset)
    assert _styles(scene) == {one: "Custom", other: "Custom"}


def _styles(scene: Scene) -> dict[str, str]:
    """What each chat shows now."""
    return {view.conversation: view.preset_words for view in scene.window.chat_settings}


def test_saving_a_preset_keeps_every_value_of_the_chat(scene: Scene) -> None:
    """Also those that are the model's: the chat samples as before, and so does a chat of another model that takes the
    preset. A random seed stays random.
    """
    maker = OwnSampling(temperature=0.6, top_p=0.9, top_k=20)
    chats = scene.conversations(
        sampling=lambda chat: OwnValues.of(chat.sampling).over(Settings().sampling_of(chat.preset, "/m", maker))
    )
    chats.creation.new()
    chat = scene.window.opened[-1].id
    chats.settings.set_value(chat, "max_tokens", "512")
    before = scene.window.chat_settings[-1]
    chats.settings.save_preset(chat, "Short")
    after = scene.window.chat_settings[-1]
    assert (after.preset_words, after.values) == ("Short", before.values)
    maker = OwnSampling(temperature=1.0)
    chats.settings.show(chat)
    assert scene.window.chat_settings[-1].values == before.values
    assert scene.presets[after.preset].sampling.over(Sampling()) == Sampling(0.6, 0.9, 20, max_tokens=512)


def test_the_pane_follows_the_model_that_is_loaded(scene: Scene) -> None:
    """The window opens before the model is ready. Until then it does not know what the model suggests, and says no
    figure that would change. A preset that is saved meanwhile leaves these values to the model.
    """
    maker: OwnSampling | None = None
    chats = scene.conversations(
        sampling=lambda chat: Settings().sampling_of(chat.preset, "/m", maker or OwnSampling()),
        unknown=lambda chat: Settings().left_to_maker(chat.preset, "/m") if maker is None else frozenset(),
    )
    chats.creation.new()
    chat = scene.window.opened[-1].id
    chats.inspect(chat)
    view = scene.window.chat_settings[-1]
    assert (view.values.top_p, view.suggested.top_p, view.values.max_tokens) == (None, None, 4096)
    chats.settings.save_preset(chat, "Mine")
    assert scene.presets[scene.window.chat_settings[-1].preset].sampling.names.isdisjoint(("top_p", "temperature"))
    maker = OwnSampling(top_p=0.9)
    chats.sessions.engine_ready()
    view = scene.window.chat_settings[-1]
    assert (view.values.top_p, view.suggested.top_p) == (0.9, 0.9)


def test_new_chats_begin_as_the_user_prefers(scene: Scene) -> None:
    """With a style and with instructions; older chats keep theirs."""
    prefers: list[Preferences] = []
    chats = scene.conversations(sampling=sampling, preferences=lambda: prefers[-1])
    prefers.append(Preferences())
    chats.creation.new()
    key = chats.settings.presets.save("Mine", OwnValues(seed=7))
    prefers.append(Preferences(preset=key, system="Be kind."))
    chats.creation.new()
    old, new = (scene.library.conversations.get(view.id) for view in scene.window.opened)
    assert (old.system, old.preset, old.sampling) == ("", "balanced", "")
    assert (new.system, new.preset, OwnValues.of(new.sampling)) == ("Be kind.", key, OwnValues(seed=7))


def test_instructions_that_were_refused_stay_and_are_saved_once_the_disk_takes_them(
    scene: Scene, chats: Conversations, chat: str
) -> None:
    """Whatever shows the settings of the chat meanwhile. The error is shown once."""
    for later in (chats.tick, chats.settle):
        scene.tasks.broken = EnvironmentProblem(Problem.READ_ONLY)
        chats.settings.set_system(chat, "Answer like a pirate.")
        assert scene.window.notices.pop("refused")
        chats.settings.systems.retry()
        assert scene.window.notices == {}
        scene.tasks.broken = None
        chats.settings.show(chat)
        assert scene.window.chat_settings[-1].system == "Answer like a pirate."
        later()
        assert scene.library.conversations.get(chat).system == "Answer like a pirate."
        chats.settings.set_system(chat, "")


def test_a_slow_library_shows_no_older_instructions(scene: Scene, chats: Conversations, chat: str) -> None:
    """They would take the place of the newer ones in the field."""
    scene.tasks.held = True
    for text in ("Answer", "Answer like a pirate."):
        chats.settings.set_system(chat, text)
    before = len(scene.window.chat_settings)
    scene.tasks.let_go()
    assert {view.system for view in scene.window.chat_settings[before:]} == {"Answer like a pirate."}


def test_a_slow_library_gets_every_change(scene: Scene, chats: Conversations, chat: str) -> None:
    """A value takes its place among those that hold when it is saved, not when it was typed."""
    scene.tasks.held = True
    chats.settings.set_value(chat, "temperature", "0.3")
    chats.settings.set_preset(chat, "precise")
    chats.settings.set_value(chat, "seed", "7")
    chats.settings.set_value(chat, "stop", "END")
    scene.tasks.let_go()
    stored = scene.library.conversations.get(chat)
    assert (stored.preset, OwnValues.of(stored.sampling)) == ("precise", OwnValues(seed=7, stop=("END",)))


def test_refused_instructions_of_a_chat_that_was_deleted_meanwhile_are_saved(
    scene: Scene, chats: Conversations, chat: str
) -> None:
    """The chat may come back from Recently Deleted."""
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    chats.settings.set_system(chat, "Be brief.")
    scene.tasks.broken = None
    chats.delete(chat)
    chats.tick()
    scene.library.trash.restore(chat)
    assert scene.library.conversations.get(chat).system == "Be brief."
