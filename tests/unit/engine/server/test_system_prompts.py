"""Another system prompt makes a cold start, and never a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.protocol.messages import ChatMessage
from tests.fakes.engine_life import Chat, Engine

if TYPE_CHECKING:
    from pathlib import Path

    from engine.protocol.messages import Generate


def under(prompt: str) -> Generate:
    """The second question of one and the same chat, under this system prompt. Empty: under none."""
    chat = Chat("a", [ChatMessage("system", prompt)] if prompt else [])
    chat.messages += [ChatMessage("user", "What is a tide?"), ChatMessage("assistant", "The sea that rises.")]
    return chat.ask("And why?")


def test_a_changed_system_prompt_starts_cold_and_stays_right(tmp_path: Path, model_folder: Path) -> None:
    """From one prompt to another, to none, and back. Each reply is that of a cold engine. Only the prompt that was
    there before is restored; the others restore what stands before the first difference at most.
    """
    prompts = ("Be brief.", "Be very kind, and never brief.", "", "Be brief.")
    used = []
    for number, prompt in enumerate(prompts):
        asked = under(prompt)
        warm = Engine(tmp_path / "disk", model_folder).live(asked)
        cold = Engine(tmp_path / f"cold{number}", model_folder).live(asked)
        assert warm.text(asked.request) == cold.text(asked.request)
        used.append(warm.finished(asked.request).usage)
    shared = len("<system\nBe ")
    assert [usage.cached_tokens <= shared for usage in used] == [True, True, True, False]
