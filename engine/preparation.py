"""Preparation: from the messages of a conversation to a prompt and its chain of segments. Owns the order of the steps.

Rendering is the template's, tokens and bounds are the prompt's, keys are the cache's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cache.planner import MissCause, RestorePlan, judge
from engine.cache.segment import Segment, cut
from engine.errors import ContextFull, PromptRefused
from engine.prompt import Prompt, Rendered, lay_out, unpack

if TYPE_CHECKING:
    from collections.abc import Sequence as Many

    from engine.loader import LoadedModel
    from engine.protocol import ChatMessage

_LEAST_TOKENS = 2
"""One to prefill and one to feed: a row whose caches are empty cannot join others."""


def prepare(model: LoadedModel, messages: Many[ChatMessage]) -> tuple[Prompt, list[Segment]]:
    """The prompt that asks for the next reply. Raises PromptRefused or ContextFull."""
    prompt = _laid_out(model, model.template.render(messages), messages)
    if len(prompt.ids) < _LEAST_TOKENS:
        raise PromptRefused("The model's chat template makes nothing of this message.")
    if model.context_limit and len(prompt.ids) >= model.context_limit:
        raise ContextFull(
            f"The conversation takes {len(prompt.ids):,} tokens; this model reads {model.context_limit:,} at most."
        )
    return prompt, _chain(model, prompt)


def prepare_history(model: LoadedModel, messages: Many[ChatMessage]) -> tuple[Prompt, list[Segment]]:
    """The conversation as the next prompt will begin. Raises PromptRefused."""
    prompt = _laid_out(model, model.template.render_history(messages), messages)
    return prompt, _chain(model, prompt)


def cause(model: LoadedModel, messages: Many[ChatMessage], prompt: Prompt, found: RestorePlan) -> MissCause:
    """Why less than all that earlier turns have computed was found."""
    replies = [reply for m in messages if (reply := unpack(m.ledger))]
    if found.length < prompt.reusable or not prompt.reusable:
        if any(reply.vocabulary != model.identity.vocabulary for reply in replies):
            return MissCause.OTHER_MODEL
        if not replies and any(m.role == "assistant" for m in messages):
            return MissCause.ABSENT
    return judge(found, prompt.reusable, diverged=prompt.diverged)


def _laid_out(model: LoadedModel, rendered: Rendered, messages: Many[ChatMessage]) -> Prompt:
    own = [reply for m in messages if (reply := unpack(m.ledger)) and reply.vocabulary == model.identity.vocabulary]
    return lay_out(rendered, own, model.encode)


def _chain(model: LoadedModel, prompt: Prompt) -> list[Segment]:
    return list(cut(model.identity.model, prompt.ids, prompt.bounds, prompt.replies))
