"""Intents about the prompts that the user saved."""

from __future__ import annotations

from msgspec import Struct


class SavePrompt(Struct, frozen=True):
    """Replace a prompt, given by its id, or add one if the id is ""."""

    prompt: str
    name: str
    text: str


class DeletePrompt(Struct, frozen=True):
    """Delete a prompt."""

    prompt: str


class ImportPrompts(Struct, frozen=True):
    """Add the prompts in the file at `path`."""

    path: str


class ExportPrompts(Struct, frozen=True):
    """Write all prompts to the file at `path`."""

    path: str


PromptIntent = SavePrompt | DeletePrompt | ImportPrompts | ExportPrompts
