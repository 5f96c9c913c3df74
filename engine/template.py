"""The chat template: messages to text, and where in that text the turns end. Owns every call of the model's template.

What the text becomes as tokens is left to `engine.prompt`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import jinja2

from engine.errors import NoChatTemplate, PromptRefused
from engine.prompt import Rendered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.protocol import ChatMessage


class Tokenizer(Protocol):
    """The part of a Hugging Face tokenizer that is needed to render."""

    chat_template: Any

    def apply_chat_template(self, conversation: list[dict[str, str]], **options: Any) -> str:
        """The conversation as text."""


class ChatTemplate:
    """The template of one loaded model. Raises NoChatTemplate if the model brings none."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        if not getattr(tokenizer, "chat_template", None):
            raise NoChatTemplate("This model brings no chat template, so it cannot hold a conversation.")
        self._tokenizer = tokenizer
        self._shared = lru_cache(maxsize=64)(self._measure_shared)

    def render(self, messages: Sequence[ChatMessage]) -> Rendered:
        """The prompt that asks for the next reply, or for the rest of the last one.

        Raises PromptRefused where the template does not take these messages.
        """
        said = [{"role": m.role, "content": m.content} for m in messages]
        partial = said.pop()["content"] if said and said[-1]["role"] == "assistant" else ""
        if not said or said[-1]["role"] != "user":
            raise PromptRefused("There is no message to answer.")
        header = self._apply(said, asking=True)
        turn = _common(header, self._apply(said, asking=False))
        system = said[0]["content"] if said[0]["role"] == "system" else None
        shared = self._shared(system)
        return Rendered(
            text=header + partial,
            system_chars=shared if shared < turn else 0,
            turn_chars=turn,
            start_chars=len(header),
        )

    def render_history(self, messages: Sequence[ChatMessage]) -> Rendered:
        """A conversation as it stands, the last reply complete: what the next prompt will begin with."""
        said = [{"role": m.role, "content": m.content} for m in messages]
        text = self._apply(said, asking=False)
        system = said[0]["content"] if said and said[0]["role"] == "system" else None
        return Rendered(text, min(self._shared(system), len(text)), len(text), len(text))

    def _measure_shared(self, system: str | None) -> int:
        """The characters that all first prompts under `system` have in common: two that differ from the user's first
        letter on show it, for any template.
        """
        before = [{"role": "system", "content": system}] if system is not None else []
        first, second = (self._apply([*before, {"role": "user", "content": c}], asking=False) for c in "AZ")
        return _common(first, second)

    def _apply(self, messages: list[dict[str, str]], *, asking: bool) -> str:
        try:
            return self._tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=asking, enable_thinking=False
            )
        except (jinja2.TemplateError, ValueError, TypeError, KeyError) as error:
            raise PromptRefused(f"The model's chat template refuses this conversation: {error}") from error


def _common(a: str, b: str) -> int:
    """The length of the common prefix."""
    if b.startswith(a) or a.startswith(b):
        return min(len(a), len(b))
    return next(i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
