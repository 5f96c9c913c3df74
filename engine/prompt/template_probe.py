"""The chat template probe: how a template treats a reply once the conversation continues.

Nothing is concluded from a template's name or source. A synthetic conversation of four turns is rendered, and each
prompt is compared with the one before. Whether one real reply stands is decided by its ledger entry. Pure: the template
comes in as a function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.prompt.message_format import common
from engine.protocol.errors import PromptRefused
from engine.protocol.messages import ChatMessage, ToolCall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.protocol.messages import History

_WORDS = ("Firstword", "Secondword", "Thirdword", "Fourthword")
_THOUGHT = "Thoughtword"
_SYSTEM = ChatMessage("system", "Systemword.")
_CALL = ToolCall("toolword", '{"argumentword": 1}')
_TOOLS = '[{"name": "toolword", "description": "A tool.", "parameters": {"type": "object", "properties": {}}}]'
_WORST: tuple[History, ...] = ("kept", "stripped", "rewritten")


RenderText = Callable[..., str]
"""A template as a function: `ChatTemplate.text`."""


@dataclass(frozen=True, slots=True)
class TemplateProbe:
    """The behaviour of a template.

    - `history` is the fate of an ordinary reply: with reasoning if the model `thinks`, else without. "kept": it stands
      as it was generated. "stripped": its reasoning, or that of the header, is left out. "rewritten": something else
      changes, such as the token that ends it.
    - `plain` is the fate of a reply without reasoning.
    - `trims`: spaces and line breaks around a text are cut off, so a reply that has some does not stand.
    - `tools`: it takes tools, calls and results.
    """

    history: History = "rewritten"
    plain: History = "rewritten"
    thinks: bool = False
    trims: bool = False
    tools: bool = False

    @property
    def stands(self) -> bool:
        """Whether every reply goes into the next prompt as it was generated."""
        return self.history == self.plain == "kept" and not self.trims


def probe_template(text: RenderText, ends: Sequence[str]) -> TemplateProbe:
    """Probe the template behind `text`. `ends` are the texts of the tokens that end a reply (empty: unknown).

    A template that refuses even this conversation gets the default: every reply counts as rewritten.
    """
    try:
        thinks = _thinks(text)
        plain = _fate(text, ends, "", thinking=False)
        return TemplateProbe(
            history=_fate(text, ends, _THOUGHT, thinking=True) if thinks else plain,
            plain=plain,
            thinks=thinks,
            trims=_trims(text),
            tools=_takes_tools(text),
        )
    except PromptRefused:
        return TemplateProbe()


def _thinks(text: RenderText) -> bool:
    """Whether new reasoning is shown, or the header asks for it."""
    on, off = (text([_asked(0)], asking=True, thinking=thinking) for thinking in (True, False))
    new = text([_asked(0), _replied(0, _THOUGHT)], asking=False, thinking=True)
    return _THOUGHT in new or on != off or on.rstrip().endswith("<think>")


def _fate(text: RenderText, ends: Sequence[str], reasoning: str, *, thinking: bool) -> History:
    """The worst fate of three replies."""
    said = [_SYSTEM, _asked(0)]
    fates: list[History] = []
    for number in range(3):
        reply, following = _replied(number, reasoning), _asked(number + 1)
        header, turn = (text(said, asking=asking, thinking=thinking) for asking in (True, False))
        now = text([*said, reply], asking=False, thinking=thinking)
        later = text([*said, reply, following], asking=False, thinking=thinking)
        shared = header[: common(header, turn)]
        at_end = now.rfind(reply.content) + len(reply.content)
        closing = now[at_end:].rstrip()
        ended = not ends or closing.startswith(tuple(ends))
        if not ended or not later.startswith(shared):
            fates.append("rewritten")
        elif now.startswith(header) and reasoning in now and later.startswith(now[:at_end] + closing):
            fates.append("kept")
        else:
            fates.append("stripped" if reply.content + closing in later[len(shared) :] else "rewritten")
        said += [reply, following]
    return max(fates, key=_WORST.index)


def _trims(text: RenderText) -> bool:
    padded = f"  {_WORDS[0]} \n"
    return padded not in text([_asked(0), ChatMessage("assistant", padded), _asked(1)], asking=False)


def _takes_tools(text: RenderText) -> bool:
    called = [_asked(0), ChatMessage("assistant", "", tool_calls=(_CALL,)), ChatMessage("tool", _WORDS[1])]
    try:
        shown = text([_SYSTEM, _asked(0)], asking=True, tools=_TOOLS)
        done = text(called, asking=True, thinking=True, tools=_TOOLS)
    except PromptRefused:
        return False
    return _CALL.name in shown and "argumentword" in done and _WORDS[1] in done


def _asked(number: int) -> ChatMessage:
    return ChatMessage("user", f"{_WORDS[number]}?")


def _replied(number: int, reasoning: str) -> ChatMessage:
    return ChatMessage("assistant", f"Reply to {_WORDS[number]}.", reasoning=reasoning)
