"""Preparation: from the messages of a conversation to a prompt and its chain of segments. Owns the order of the steps.

Rendering is the template's, tokens and bounds are the prompt's, keys are the cache's; where a conversation can be
returned to without a ledger is told by `engine.prompt.boundaries`.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import msgspec

from engine.cache.planner import MissCause, RestorePlan, judge
from engine.cache.segment import Segment, cut
from engine.output.parser import Speech, reasoning_opened
from engine.prompt.boundaries import settled_chars, today, turn_ends
from engine.prompt.layout import Prompt, Rendered, conversation_digests, lay_out, stands, unpack
from engine.protocol.errors import ContextFull, PromptRefused

if TYPE_CHECKING:
    from collections.abc import Sequence as Many

    from engine.model.loader import LoadedModel
    from engine.prompt.chat_template import Asked, ChatTemplate
    from engine.prompt.layout import Encode, Reply
    from engine.protocol.messages import ChatMessage
    from engine.schedule.sequence import Sequence

_SHORT_CHARS = 2_000
_KNOWN_TEXTS = 4_096
"""Texts of at most this many characters are remembered with their tokens, and so many of them."""


def prepare(model: LoadedModel, asked: Asked) -> tuple[Prompt, list[Segment]]:
    """The prompt that asks for the next reply: `asked` is a Generate. Raises PromptRefused or ContextFull."""
    _refuse_broken_text(asked)
    ledger = _Ledger(model, asked.messages)
    digests = conversation_digests(asked.messages, asked.tools)
    partial = bool(asked.messages) and asked.messages[-1].role == "assistant"
    begun = next((r.raw for r in ledger.own.values() if partial and r.said == digests[-1]), "")
    rendered = model.template.render(asked, ledger.day, begun)
    rendered = replace(rendered, said=digests, asked=digests[-2] if partial else digests[-1])
    prompt = _laid_out(model, asked, rendered, ledger)
    if not prompt.ids:
        raise PromptRefused("The model's chat template makes nothing of this message.")
    if model.context_limit and len(prompt.ids) >= model.context_limit:
        raise ContextFull(
            f"The conversation takes {len(prompt.ids):,} tokens; this model reads {model.context_limit:,} at most."
        )
    return prompt, _chain(model, prompt)


def speech(model: LoadedModel, sequence: Sequence) -> Speech:
    """The parser of a reply to the prompt of `sequence`, which has read what is there of a reply to be continued."""
    prompt, rendered = sequence.prompt, sequence.prompt.rendered
    header = rendered.text[rendered.turn_chars : rendered.start_chars]
    return Speech(
        model.tokenizer,
        prompt.ids[prompt.reply_start :],
        reasoning=reasoning_opened(model.tokenizer, header),
        stop=sequence.command.sampling.stop,
        tools=sequence.command.tools,
    )


def prepare_history(model: LoadedModel, asked: Asked) -> tuple[Prompt, list[Segment]]:
    """The conversation as it stands, its last reply complete, as the next prompt will begin. Raises PromptRefused."""
    if form := history_form(model, asked):
        return form
    ledger = _Ledger(model, asked.messages)
    rendered = model.template.render_history(asked, ledger.day)
    rendered = replace(rendered, said=conversation_digests(asked.messages, asked.tools))
    prompt = _laid_out(model, asked, rendered, ledger)
    return prompt, _chain(model, prompt)


def history_form(model: LoadedModel, asked: Asked) -> tuple[Prompt, list[Segment]] | None:
    """What every prompt begins with in which a user has gone on after the last message, a reply, whatever is typed;
    None where that reply stands as it was said, and where something else than a user comes next.

    The chain ends with the last of the prompt's tokens: once all of them are read, its end is worth keeping. Raises
    PromptRefused.
    """
    _refuse_broken_text(asked)
    messages = asked.messages
    if not messages or messages[-1].role != "assistant" or messages[-1].tool_calls:
        return None
    ledger = _Ledger(model, messages)
    common, end = model.template.settled(asked, messages, ledger.day)
    last = ledger.own.get(len(messages) - 1)
    if not end or (last and stands(common, last)):
        return None
    rendered = model.template.render_settled(asked, common[:end], ledger.day)
    rendered = replace(rendered, said=conversation_digests(messages, asked.tools))
    prompt = _laid_out(model, asked, rendered, ledger)
    return prompt, _chain(model, prompt)


def cause(model: LoadedModel, messages: Many[ChatMessage], prompt: Prompt, found: RestorePlan) -> MissCause:
    """Why less than all that earlier turns have computed was found.

    If reading failed, that is the cause: the other causes say what was found, and nothing was looked at.
    """
    if found.cause is MissCause.UNREADABLE and found.length < prompt.reusable:
        return MissCause.UNREADABLE
    replies = [reply for m in messages if (reply := unpack(m.ledger))]
    if found.length < prompt.reusable or not prompt.reusable:
        if any(reply.vocabulary != model.identity.vocabulary for reply in replies):
            return MissCause.OTHER_MODEL
        if not replies and any(m.role == "assistant" for m in messages):
            return found.cause if found.cause is MissCause.UNREADABLE else MissCause.ABSENT
    if prompt.diverged == "stripped" and prompt.computed <= found.length < prompt.reusable:
        return MissCause.STRIPPED
    return judge(found, prompt.reusable, diverged=prompt.diverged == "edited")


def _refuse_broken_text(asked: Asked) -> None:
    """Tokenizers take no lone surrogates, nor can a reply to them be told: no text of a command may have one."""
    try:
        msgspec.json.encode(asked)
    except UnicodeEncodeError as error:
        raise PromptRefused("The conversation or its settings hold half a character (a lone surrogate).") from error


_known: WeakKeyDictionary[ChatTemplate, OrderedDict[str, list[int]]] = WeakKeyDictionary()
"""Tokens by text, the text used last at the end; nothing in it may lead to the model, which would never be let go."""


def _encoder(model: LoadedModel) -> Encode:
    """The model's encoding, which remembers short texts: a long chat's turns are in each of its prompts."""
    known = _known.setdefault(model.template, OrderedDict())

    def encode(text: str) -> list[int]:
        if len(text) > _SHORT_CHARS:
            return model.encode(text)
        if text not in known:
            known[text] = model.encode(text)
        known.move_to_end(text)
        if len(known) > _KNOWN_TEXTS:
            known.popitem(last=False)
        return list(known[text])

    return encode


class _Ledger:
    """The ledger's entries of a conversation: `own` are those in this model's tokens, by the index of their message.
    `day`: the one on which the conversation began, as far as is known.
    """

    def __init__(self, model: LoadedModel, messages: Many[ChatMessage]) -> None:
        entries = {i: reply for i, m in enumerate(messages) if (reply := unpack(m.ledger))}
        self.own = {i: r for i, r in entries.items() if _readable(model, r)}
        self.day = next((r.day for r in entries.values() if r.day), "") or today()


def _readable(model: LoadedModel, reply: Reply) -> bool:
    """Whether the model has all tokens of an entry: MLX reads beyond the embeddings for others."""
    return reply.vocabulary == model.identity.vocabulary and max(reply.ids, default=0) < model.vocabulary_size


def _laid_out(model: LoadedModel, asked: Asked, rendered: Rendered, ledger: _Ledger) -> Prompt:
    settled = rendered.settled_chars or settled_chars(model.template, asked, rendered.text, ledger.own, ledger.day)
    turns = turn_ends(model.template, rendered.text, asked.messages, ledger.own)
    placed = replace(rendered, settled_chars=settled, turns=tuple(p for p in turns if p < rendered.turn_chars))
    return lay_out(placed, list(ledger.own.values()), _encoder(model), model.roots.longest(rendered.text))


def _chain(model: LoadedModel, prompt: Prompt) -> list[Segment]:
    return list(cut(model.identity.model, prompt.ids, prompt.bounds, prompt.replies))
