"""Rendering: the first step of preparing a prompt, from messages and their ledger to text.

On the main thread, where template limits work. Each function raises PromptRefused if the template refuses the messages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.prompt.chat_template import ChatTemplate, PromptRequest
    from engine.prompt.ledger import Ledger
    from engine.protocol.messages import ChatMessage


def render_question(template: ChatTemplate, request: PromptRequest, ledger: Ledger) -> Rendered:
    """The prompt that asks for the next reply, or for the rest of the last one."""
    continued = bool(request.messages) and request.messages[-1].role == "assistant"
    rendered = template.render(request, ledger.day, ledger.begun if continued else "")
    return _with_history_form(template, request, ledger, rendered)


def render_history(template: ChatTemplate, request: PromptRequest, ledger: Ledger) -> Rendered:
    """The conversation as it stands, its last reply complete."""
    return _with_history_form(template, request, ledger, template.render_history(request, ledger.day))


def render_history_form(template: ChatTemplate, request: PromptRequest, ledger: Ledger) -> Rendered | None:
    """The text that every prompt begins with after the user has answered the last message, a reply, whatever the user
    writes. None if that reply stands as it was written, and if something else than a user's message comes next.
    """
    messages = request.messages
    if not messages or messages[-1].role != "assistant" or messages[-1].tool_calls:
        return None
    beginning, end = template.common_beginning(request, messages, ledger.day)
    entry = ledger.entries.get(len(messages) - 1)
    if not end or (entry and entry.stands_in(beginning)):
        return None
    return template.render_beginning(request, beginning[:end], ledger.day)


def _with_history_form(template: ChatTemplate, request: PromptRequest, ledger: Ledger, rendered: Rendered) -> Rendered:
    """`rendered` with the end of the history form of the last finished reply, unless that stands as it was written."""
    count = _finished(request.messages)
    entry = ledger.entries.get(count - 1)
    if not count or (entry and entry.stands_in(rendered.text)):
        return rendered
    beginning, end = template.common_beginning(request, request.messages[:count], ledger.day)
    return replace(rendered, history_form_chars=end) if rendered.text.startswith(beginning[:end]) else rendered


def _finished(messages: Sequence[ChatMessage]) -> int:
    """The number of messages up to the last reply that a user has answered (0: none)."""
    return max(
        (i for i, (a, b) in enumerate(pairwise(messages), 1) if (a.role, b.role) == ("assistant", "user")), default=0
    )


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt as text. Positions are lengths of its prefixes in characters.

    - `system_chars` ends what every conversation with this system prompt has in common (0: nothing).
    - `turn_chars` ends the last user turn, before the assistant's header.
    - `start_chars` starts the reply. Behind it stands the text of a reply that is being continued.
    - `history_form_chars` ends the history form of the last finished reply: all later prompts have the text up to there
      in common. 0: the reply stands as it was generated, or no reply is finished.
    - `day` is the date that the template was given.
    """

    text: str
    system_chars: int
    turn_chars: int
    start_chars: int
    history_form_chars: int = 0
    day: str = ""
