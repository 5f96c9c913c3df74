"""The check of one family in one process of a group. All processes take the same steps.

The share of this process goes through the whole scenario: alone, restored from its own records, and in a batch. A later
group of new processes continues the talk. Every logit is compared with the whole model's, and so are the caches, layer
by layer. A pipeline must give the bits of the whole model in every call. As a control, a share of slightly wrong
weights must fail.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import mlx.core as mx
import msgspec
import numpy as np

from engine.cache.codec.codec import take
from engine.protocol.errors import ModelUnsupported
from engine.protocol.inspection import Split
from tests.conformance import folder
from tests.conformance.driver import Talk
from tests.conformance.ranks.families import configuration
from tests.conformance.ranks.share import Group, ShareSubject, least, most, share, unsplit, wrong_share
from tests.conformance.scenario import Script, check, check_later, check_restart
from tests.conformance.subject import Subject, loaded, record
from tests.conformance.truth import Findings

_TOKENS: Final = 40
_ROUNDING: Final = 1e-4
"""The allowed error of a cached number, as a share of the largest of its array."""

BITS, ROUNDING, REFUSED, WRONG = "same bits", "within rounding", "refused", "WRONG"


@dataclass(frozen=True, order=True)
class Result:
    """The outcome of one split of one family. `batching`: how its rows share steps. `error`, and `control`, that of
    wrong weights, are relative to the sensitivity.
    """

    family: str
    how: Split
    ranks: int
    verdict: str
    batching: str = ""
    error: float = 0.0
    control: float = 0.0
    reason: str = ""


@dataclass(frozen=True)
class Place:
    """One split of one family in one process, whose files lie in `path`."""

    family: str
    how: Split
    group: Group
    path: Path

    def whole(self) -> Subject:
        """The whole model, built by the first check."""
        if not (self.path / "model").exists():
            folder.build(self.family, self.path / "model", configuration(self.family))
        subject = Subject(self.family, loaded(self.path / "model"))
        record(subject.model, subject.calls)
        return subject

    def share(self, whole: Subject) -> ShareSubject:
        """This process's share. Raises ModelUnsupported, in all processes if in one."""
        return share(self.family, self.path / "model", whole, self.group, self.how)

    def result(self, findings: Findings, verdict: str = ROUNDING, batching: str = "", control: float = 0.0) -> Result:
        """What all processes have found: `verdict` if nothing is wrong."""
        wrong = next(iter(findings.wrong), "")
        if not least(self.group, int(not wrong)) and not wrong:
            wrong = "another process found an error"
        error = most(self.group, findings.error / findings.sensitivity)
        said = WRONG if wrong else verdict
        return Result(self.family, self.how, self.group.size(), said, batching, error, control, wrong)


def checked(place: Place) -> Result:
    """Everything but the continuation by new processes."""
    whole = place.whole()
    try:
        own = place.share(whole)
    except ModelUnsupported as error:
        return Result(place.family, place.how, place.group.size(), REFUSED, reason=str(error))
    outcome = check(own, place.path / "segments")
    (place.path / "talk").write_bytes(msgspec.json.encode(outcome.talk))
    findings = outcome.findings
    verdict = BITS if place.how == "pipeline" else ROUNDING
    if verdict == BITS:
        findings.expect("its bits are not the whole model's", holds=_same_bits(own, place))
    findings.expect("its caches are another model's", holds=_same_caches(own, place.how))
    return place.result(findings, verdict, outcome.batching, _control(place, whole, findings))


def continued(place: Place) -> Result:
    """The continuation, by new processes, of the talk that `checked` has stored."""
    own = place.share(place.whole())
    talk = msgspec.json.decode((place.path / "talk").read_bytes(), type=Talk)
    return place.result(check_later(own, place.path / "segments", talk))


def checked_briefly(place: Place) -> Result:
    """A restart, and the control."""
    whole = place.whole()
    outcome = check_restart(place.share(whole), place.path / "segments")
    return place.result(outcome.findings, control=_control(place, whole, outcome.findings))


PARTS: Final = {part.__name__: part for part in (checked, continued, checked_briefly)}


def united(first: Result, later: Result) -> Result:
    """The result of a check and a later part of it."""
    worse = later if later.verdict == WRONG else first
    return replace(first, verdict=worse.verdict, reason=worse.reason, error=max(first.error, later.error))


def _control(place: Place, whole: Subject, findings: Findings) -> float:
    """The error of a share of slightly wrong weights. It must be found."""
    wrong = wrong_share(place.family, place.path / "model", whole, place.group, place.how)
    control = check_restart(wrong, place.path / "control").findings
    findings.expect("a wrong share goes unnoticed", holds=bool(control.wrong))
    return most(place.group, control.error / control.sensitivity)


def _same_bits(own: ShareSubject, place: Place) -> bool:
    """Whether the share computed the same bits as the whole model in each call of the same scenario."""
    other = unsplit(place.family, place.path / "model", own.whole, place.group)
    calls = list(own.trace)
    other.trace.clear()
    check(other, place.path / "unsplit", own.loaded.batching)
    return len(calls) == len(other.trace) and all(
        bool(mx.array_equal(one.logits[:, -1], two.logits[:, -1])) for one, two in zip(calls, other.trace, strict=True)
    )


def _same_caches(own: ShareSubject, how: Split) -> bool:
    """Whether the caches of the share are its part of the whole model's after the same tokens."""
    ids = mx.array([Script(own).tokens(_TOKENS)])
    mine, theirs = own.fresh(), own.whole.fresh()
    mx.eval(own.model(ids, cache=mine), own.whole.model(ids, cache=theirs))
    if how == "tensor":
        return all(_is_part(*pair) for pair in zip(_arrays(mine), _arrays(theirs), strict=True))
    start = _layers_before(own.group, len(mine))
    pairs = zip(_arrays(mine), _arrays(theirs[start : start + len(mine)]), strict=True)
    return all(bool(mx.array_equal(one, two)) for one, two in pairs)


def _layers_before(group: Group, own: int) -> int:
    """The layers of the higher ranks, which have the first ones."""
    counts: Any = mx.distributed.all_gather(mx.array([own]), group=group).tolist()
    return sum(counts[group.rank() + 1 :])


def _arrays(caches: list[Any]) -> list[mx.array]:
    records = take(caches, 0, _TOKENS)
    return [array for _, arrays in sorted(records.items()) for _, array in sorted(arrays.items())]


def _is_part(own: mx.array, whole: mx.array) -> bool:
    """Whether each slice of `own`, a head or a channel, is one of `whole`, but for rounding."""
    [mine, theirs] = [np.array(array.astype(mx.float32)) for array in (own, whole)]
    split = [axis for axis in range(mine.ndim) if mine.shape[axis] != theirs.shape[axis]] or [0]
    limit = _ROUNDING * float(np.abs(theirs).max(initial=0.0))
    [mine, theirs] = [np.moveaxis(array, split[0], 0) for array in (mine, theirs)]
    return len(split) == 1 and all(
        min(float(np.abs(part - one).max(initial=0.0)) for one in theirs) <= limit for part in mine
    )
