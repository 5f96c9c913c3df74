"""Intents about the prompts that the user saved."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SavePrompt:
    """Replace a prompt, given by its id, or add one if the id is ""."""

    prompt: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class DeletePrompt:
    """Delete a prompt."""

    prompt: str


@dataclass(frozen=True, slots=True)
class ImportPrompts:
    """Add the prompts in the file at `path`."""

    path: str


@dataclass(frozen=True, slots=True)
class ExportPrompts:
    """Write all prompts to the file at `path`."""

    path: str


PromptIntent = SavePrompt | DeletePrompt | ImportPrompts | ExportPrompts
