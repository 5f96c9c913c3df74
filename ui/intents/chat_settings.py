"""Intents about the settings of one conversation: its instructions, and how its answers are sampled.

And about the user's own presets, which any conversation can use.
"""

from __future__ import annotations

from msgspec import Struct


class ShowChatSettings(Struct, frozen=True):
    """Show the conversation's settings and what is kept of it: the inspector shows it."""


class HideChatSettings(Struct, frozen=True):
    """The inspector closed: nothing of the conversation needs to be shown."""


class ClearMemory(Struct, frozen=True):
    """Drop what the model has read of the conversation, unless that is undone within seconds. It is read again with the
    next message.
    """


class UndoClearMemory(Struct, frozen=True):
    """Keep what the model has read of the conversation after all."""


class SetSystem(Struct, frozen=True):
    """Give the conversation its own instructions; "" leaves them to the model."""

    text: str


class SetSwitch(Struct, frozen=True):
    """Turn one of the conversation's switches on or off: "thinking" lets the model think before it answers, "cached"
    lets the engine cache the conversation on disk.
    """

    name: str
    is_on: bool


class SetPreset(Struct, frozen=True):
    """Sample the answers with this preset, and drop the values that the conversation sets itself."""

    preset: str


class SetValue(Struct, frozen=True):
    """Set one sampling value, given by its name, to what the user typed; "" leaves it to the model."""

    name: str
    text: str


class SavePreset(Struct, frozen=True):
    """Save the conversation's sampling values as a preset of this name."""

    name: str


ChatSettingsIntent = (
    ShowChatSettings
    | HideChatSettings
    | ClearMemory
    | UndoClearMemory
    | SetSystem
    | SetSwitch
    | SetPreset
    | SetValue
    | SavePreset
)


class RenamePreset(Struct, frozen=True):
    """Rename one of the user's presets, given by its id."""

    preset: str
    name: str


class DeletePreset(Struct, frozen=True):
    """Delete one of the user's presets, given by its id. Chats keep the values that they took from it."""

    preset: str


class ExportPreset(Struct, frozen=True):
    """Write a preset, given by its id, to the file at `path`."""

    preset: str
    path: str


class ImportPreset(Struct, frozen=True):
    """Add the preset in the file at `path`."""

    path: str


PresetIntent = RenamePreset | DeletePreset | ExportPreset | ImportPreset
