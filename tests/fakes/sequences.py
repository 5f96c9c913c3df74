"""Sequences of any phase, with prompts of meaningless tokens."""

from __future__ import annotations

from engine.prompt.chat_template import Rendered
from engine.prompt.tokenization import PromptTokens
from engine.protocol.messages import Generate, Phase
from engine.schedule.sequence import Sequence


def sequence_in(
    phase: Phase, command: Generate, prompt_tokens: int, *, position: int = 0, granted: int = 0
) -> Sequence:
    """A sequence that has reached `phase`. Its caches cover `position` tokens."""
    made = Sequence(command, granted=granted)
    if phase != "queued":
        made.start_restoring(prompt_of(range(prompt_tokens)), [], [])
    if phase not in ("queued", "restoring"):
        made.start_prefill(position)
    if phase == "decode":
        made.start_decoding()
    return made


def prompt_of(ids: range | tuple[int, ...]) -> PromptTokens:
    """A prompt of these tokens, without any text."""
    return PromptTokens(Rendered("", 0, 0, 0), tuple(ids), (), 0, 0, len(ids), diverged="")
