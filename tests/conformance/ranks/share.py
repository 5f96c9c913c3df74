"""One process's share of a tiny model, which answers together with the other processes of its group.

The whole model tells the truth: every process has it too. Only the passes of the share are collective, and what the
processes agree on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import mlx.core as mx
from mlx.utils import tree_map

from engine.decode.last_logits import is_narrow
from engine.memory.machine import Machine
from engine.model import loader
from engine.model.split import split
from engine.protocol.errors import ModelUnsupported
from engine.protocol.inspection import Split
from tests.conformance.subject import Call, Logprobs, Subject, loaded, record

Group = mx.distributed.Group

WRONG_BY: Final = 1.05
"""The factor of the weights of a wrong share."""


@dataclass
class ShareSubject(Subject):
    """`trace` holds every call of the share, oldest first. `whole` is the whole model, `group` the processes."""

    whole: Subject = field(kw_only=True)
    group: Group = field(kw_only=True)
    trace: list[Call] = field(default_factory=list)

    @property
    def wide(self) -> bool:
        """As the loader left it: the check of the whole model covers that."""
        return not is_narrow(self.model)

    def agreed(self, _name: str, own: int) -> int:
        """The least of a figure in all processes."""
        return least(self.group, own)

    def read(self, ids: list[int], caches: list[Any] | None = None) -> Logprobs:
        """What the whole model says after `ids`; with `caches`, what the share says."""
        return self.whole.read(ids) if caches is None else super().read(ids, caches)


def least(group: Group, own: int) -> int:
    """The least of a figure in all processes of `group`."""
    return int(min(_all(mx.array([own], mx.int64), group)))


def most(group: Group, own: float) -> float:
    """The largest of a figure in all processes of `group`."""
    return float(max(_all(mx.array([own]), group)))


def _all(own: mx.array, group: Group) -> list[Any]:
    """The one figure of each process, by rank."""
    figures: Any = mx.distributed.all_gather(own, group=group).tolist()
    return list(figures)


def share(family: str, path: Path, whole: Subject, group: Group, how: Split) -> ShareSubject:
    """This process's share. Raises ModelUnsupported, in all processes if in one."""
    return _share(family, path, whole, group, lambda model: _split(model, group, how))


def wrong_share(family: str, path: Path, whole: Subject, group: Group, how: Split) -> ShareSubject:
    """As `share`, but the last process has slightly other weights."""
    wrong = share(family, path, whole, group, how)
    if group.rank() == group.size() - 1:
        wrong.model.update(tree_map(lambda weight: weight * WRONG_BY, wrong.model.parameters()))
    return wrong


def unsplit(family: str, path: Path, whole: Subject, group: Group) -> ShareSubject:
    """The whole model as a share, which computes all tokens of a pass as a pipeline does."""
    with patch.object(loader, "narrow_if_equal", lambda *_: None):
        return _share(family, path, whole, group, lambda _: None)


def _share(family: str, path: Path, whole: Subject, group: Group, reduce: Callable[[Any], object]) -> ShareSubject:
    def reduced(model: Any) -> Any:
        reduce(model)
        return model

    machine = Machine(count=group.size(), agree=lambda _name, figure: least(group, figure), reduce=reduced)
    own = loaded(path, machine)
    subject = ShareSubject(family, own, whole=whole, group=group)
    record(subject.model, subject.calls)
    record(subject.model, subject.trace)
    return subject


def _split(model: Any, group: Group, how: Split) -> None:
    failed: ModelUnsupported | None = None
    try:
        split(model, group, how)
    except ModelUnsupported as error:
        failed = error
    if not least(group, int(failed is None)):
        raise failed or ModelUnsupported("another process cannot have its share")
