"""Alternatives: several answers to one prompt, which is prefilled once.

On the MLX thread.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from engine.turn.reply_parser import reply_parser

if TYPE_CHECKING:
    from engine.model.loader import LoadedModel
    from engine.schedule.sequence import Sequence


def fork_all(model: LoadedModel, leader: Sequence) -> None:
    """Fork a prefilled sequence to each of its siblings. MLX copies the caches when their contents part."""
    for sibling in leader.siblings:
        leader.fork(sibling, deepcopy(leader.caches))
        sibling.parser = reply_parser(model, sibling)


def hand_over(model: LoadedModel, ended: Sequence, heir: Sequence) -> None:
    """Let `heir` continue the prefill of `ended`, on its caches."""
    ended.fork(heir, ended.caches)
    heir.parser = reply_parser(model, heir)
