"""View state of a conversation's settings, and of the presets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PresetView:
    """A set of sampling values under a name. `own` is set for a preset of the user; `about` is one line about it."""

    id: str
    name: str
    own: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class SamplingView:
    """Sampling values. `seed` is None if every answer draws its own. Those that a model suggests are None until it is
    loaded.
    """

    temperature: float | None = 0.7
    top_p: float | None = 1.0
    top_k: int | None = 0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    max_tokens: int = 4096
    seed: int | None = None
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatSettingsView:
    """The settings of one conversation.

    - `system` are its own instructions, `model_system` those of the model, which hold as long as it has none.
    - `values` hold for the next answer, `suggested` are the model's, and `own` names those that the chat sets itself.
    - `preset` is an id, `preset_words` its name, or that with a word about changes.
    - `cached`: the chat is to be kept ready. `on_disk`: chats may be kept on disk at all.
    - `refused` is a value that the user typed, by name, and why it is not possible.
    """

    conversation: str
    system: str = ""
    model_system: str = ""
    preset: str = "balanced"
    preset_words: str = "Balanced"
    values: SamplingView = SamplingView()
    suggested: SamplingView = SamplingView()
    own: frozenset[str] = frozenset()
    thinking: bool = False
    folder: str = ""
    tags: tuple[str, ...] = ()
    pinned: bool = False
    cached: bool = True
    on_disk: bool = True
    private: bool = False
    refused: tuple[str, str] = ("", "")
