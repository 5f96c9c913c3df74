"""The truth: what the bare model says about the same tokens, read in one go on fresh caches. Owns the comparison with
it, and the control that it can fail.

A row is compared at every step, given the tokens that it really emitted: a choice between two logits that are equal but
for rounding is then no difference, and the comparison goes on behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tests.conformance.subject import logprobs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import mlx.core as mx

    from engine.schedule.sequence import Sequence
    from tests.conformance.driver import Step
    from tests.conformance.subject import Logprobs, Subject

ROUNDING = 1e-3
"""How far a log-probability may be off, times the sensitivity where that is larger than 1."""

LEAST_SENSITIVITY = 0.02
"""A model that a changed token moves by less than this could not show a wrong state."""

PROBE = (7, 5)
"""Tokens that are fed to the caches of a row that has left, to see its state."""


@dataclass
class Findings:
    """The outcome of a family's checks. `wrong` tells what failed; `error` is the largest difference seen anywhere, in
    log-probability; `ties` counts tokens that were chosen between equals.
    """

    sensitivity: float
    error: float = 0.0
    ties: int = 0
    compared: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def limit(self) -> float:
        """The largest difference that may be rounding."""
        return ROUNDING * max(1.0, self.sensitivity)

    def differs(self, where: str, by: float) -> None:
        """Note a difference from the truth."""
        self.compared += 1
        self.error = max(self.error, by) if np.isfinite(by) else float("inf")
        if not by <= self.limit:
            self.wrong.append(f"{where}: off by {by:.2g}")

    def expect(self, where: str, *, holds: bool) -> None:
        """Note something that must be so."""
        if not holds:
            self.wrong.append(where)


def sensitivity(subject: Subject, ids: list[int]) -> float:
    """How far the last log-probabilities move when an early or a late token is another one: the larger of the two."""
    told = subject.read(ids)[-1]
    return max(float(np.abs(subject.read(_changed(ids, place))[-1] - told).max()) for place in (1, len(ids) - 2))


def _changed(ids: list[int], place: int) -> list[int]:
    return [*ids[:place], ids[place] % 90 + 1, *ids[place + 1 :]]


def told(subject: Subject, row: Sequence) -> Logprobs:
    """What the bare model says after each token of `row` and of PROBE behind them, read in one go."""
    return subject.read([*row.prompt.ids, *row.emitted, *PROBE])


def prompt(row: Sequence, logits: list[mx.array], told: Logprobs, findings: Findings, where: str) -> None:
    """Compare the `logits` of a row's prefill, which began after its cached tokens and must end with its prompt."""
    start = row.cached_tokens
    for call in logits:
        seen = logprobs(call[0])
        findings.differs(where, float(np.abs(seen - told[start : start + len(seen)]).max()))
        start += len(seen)
    findings.expect(f"{where}: prefilled up to token {start}", holds=start == len(row.prompt.ids))


def compare(steps: Iterable[Step], told: Mapping[Sequence, Logprobs], findings: Findings, where: str) -> None:
    """Compare all that was computed in `steps`, and every token that was drawn from it, with what its row is `told`."""
    fed = [(row, position, logprobs(step.logits)) for step in steps for row, position in step.fed]
    for row in dict.fromkeys(row for row, _, _ in fed):
        name = f"{where}, {row.request}"
        for position, seen in [(position, seen) for other, position, seen in fed if other is row]:
            findings.differs(f"{name}, token {position}", _nearest(seen, told[row][position]))
        _tokens(told[row], row, findings, name)


def _nearest(seen: Logprobs, told: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """The distance of the nearest row. That it is the right one is shown by the tokens and by the row's state."""
    return float(np.abs(seen - told).max(axis=-1).min())


def _tokens(told: Logprobs, row: Sequence, findings: Findings, name: str) -> None:
    start = len(row.prompt.ids)
    for index, token in enumerate(row.emitted):
        before = told[start + index - 1]
        lost = float(before.max() - before[token])
        findings.ties += lost > 0
        findings.expect(f"{name}: token {index} is another one", holds=lost <= 2 * findings.limit)


def state(
    subject: Subject, row: Sequence, caches: list[object], told: Logprobs, findings: Findings, where: str
) -> None:
    """Compare what `caches`, those of a row that left, make of PROBE: they are used up."""
    seen = subject.read([*PROBE], caches)
    findings.expect(f"{where}, {row.request}: position", holds=row.position == len(row.prompt.ids) + len(row.emitted))
    findings.differs(f"{where}, {row.request}: its state", float(np.abs(seen - told[-len(PROBE) :]).max()))
