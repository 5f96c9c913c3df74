"""The output parser of one reply, in the state in which its prompt leaves it, and the forks to alternatives: several
answers to one prompt, which is prefilled once.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from engine.output.parser import OutputParser
from engine.prompt.message_format import tool_schemas

if TYPE_CHECKING:
    from engine.model.loader import LoadedModel
    from engine.schedule.sequence import Sequence


def reply_parser(model: LoadedModel, sequence: Sequence) -> OutputParser:
    """The parser of a reply to the prompt of `sequence`. If a reply is being continued, it has parsed what there is."""
    prompt, rendered = sequence.prompt, sequence.prompt.rendered
    return OutputParser(
        model.tokenizer,
        prompt.ids[prompt.reply_start :],
        header=rendered.text[rendered.turn_chars : rendered.start_chars],
        stop=sequence.command.sampling.stop,
        tools=tool_schemas(sequence.command.tools),
    )


def fork_all(model: LoadedModel, leader: Sequence) -> None:
    """Fork a prefilled sequence to each of its siblings. MLX copies the caches when their contents part."""
    for sibling in leader.siblings:
        leader.fork(sibling, deepcopy(leader.caches))
        sibling.parser = reply_parser(model, sibling)
