"""View state of the prompts that the user saved."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PromptView:
    """A saved prompt. Its text may have variables: {{name}}."""

    id: str
    name: str
    text: str
