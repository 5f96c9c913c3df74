"""A rendered prompt: text, and the positions in it that the chat template knows. Pure."""

from __future__ import annotations

from dataclasses import dataclass


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
