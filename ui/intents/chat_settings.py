"""Intents about the settings of one conversation: its instructions, and how its answers are sampled.

And about the user's own presets, which any conversation can use.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShowChatSettings:
    """Show the conversation's settings and what is kept of it: the inspector shows it."""


@dataclass(frozen=True, slots=True)
class HideChatSettings:
    """The inspector closed: nothing of the conversation needs to be shown."""


@dataclass(frozen=True, slots=True)
class ClearMemory:
    """Drop what the model has read of the conversation. It is read again with the next message."""


@dataclass(frozen=True, slots=True)
class SetSystem:
    """Give the conversation its own instructions; "" leaves them to the model."""

    text: str


@dataclass(frozen=True, slots=True)
class SetThinking:
    """Let the model think before it answers, or not."""

    thinking: bool


@dataclass(frozen=True, slots=True)
class SetPreset:
    """Sample the answers with this preset, and drop the values that the conversation sets itself."""

    preset: str


@dataclass(frozen=True, slots=True)
class SetValue:
    """Set one sampling value, given by its name, to what the user typed; "" leaves it to the model."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SavePreset:
    """Save the conversation's sampling values as a preset of this name."""

    name: str


ChatSettingsIntent = (
    ShowChatSettings | HideChatSettings | ClearMemory | SetSystem | SetThinking | SetPreset | SetValue | SavePreset
)


@dataclass(frozen=True, slots=True)
class RenamePreset:
    """Rename one of the user's presets, given by its id."""

    preset: str
    name: str


@dataclass(frozen=True, slots=True)
class DeletePreset:
    """Delete one of the user's presets, given by its id. Chats keep the values that they took from it."""

    preset: str


@dataclass(frozen=True, slots=True)
class ExportPreset:
    """Write a preset, given by its id, to the file at `path`."""

    preset: str
    path: str


@dataclass(frozen=True, slots=True)
class ImportPreset:
    """Add the preset in the file at `path`."""

    path: str


PresetIntent = RenamePreset | DeletePreset | ExportPreset | ImportPreset
