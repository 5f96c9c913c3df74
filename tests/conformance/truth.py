"""The truth: the bare model's output for the same tokens, prefilled at once on fresh caches. Compares with it, and
controls that the comparison can fail.

A row is compared at every step, with the tokens that it really emitted. So a choice between two logits that differ only
by rounding is no difference, and the comparison continues after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from engine.schedule.sequence import Sequence
from tests.conformance.driver import Step
from tests.conformance.subject import Call, Logprobs, Subject, logprobs

ROUNDING = 1e-3
"""The allowed error of a log-probability. It is multiplied by the sensitivity if that is larger than 1."""

LEAST_SENSITIVITY = 0.02
"""A model with a smaller sensitivity to a changed token could not show a wrong state."""

PROBE = (7, 5)
"""Tokens that are fed to the caches of a row that has left, to reveal its state."""


@dataclass
class Findings:
    """The outcome of a family's checks. `wrong` describes the failures. `error` is the largest difference, in
    log-probability. `ties` counts tokens that were chosen between equals.
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
        """Record a difference from the truth."""
        self.compared += 1
        self.error = max(self.error, by) if np.isfinite(by) else float("inf")
        if not by <= self.limit:
            self.wrong.append(f"{where}: off by {by:.2g}")

    def expect(self, where: str, *, holds: bool) -> None:
        """Record a condition that must hold."""
        if not holds:
            self.wrong.append(where)


def sensitivity(subject: Subject, ids: list[int]) -> float:
    """The change of the last log-probabilities if an early or a late token is replaced: the larger of the two."""
    told = subject.read(ids)[-1]
    return max(float(np.abs(subject.read(_changed(ids, place))[-1] - told).max()) for place in (1, len(ids) - 2))


def _changed(ids: list[int], place: int) -> list[int]:
    return [*ids[:place], ids[place] % 90 + 1, *ids[place + 1 :]]


def told(subject: Subject, row: Sequence) -> Logprobs:
    """The bare model's output after each token of `row` and of PROBE behind them, prefilled at once."""
    return subject.read([*row.prompt.ids, *row.emitted, *PROBE])


def prompt(row: Sequence, calls: list[Call], told: Logprobs, findings: Findings, where: str) -> None:
    """Compare the logits of a row's prefill, which must begin after its cached tokens and end with its prompt."""
    end = row.cached_tokens
    for call in calls:
        seen = logprobs(call.logits[0])
        end += call.tokens
        findings.differs(where, float(np.abs(seen - told[end - len(seen) : end]).max()))
    findings.expect(f"{where}: prefilled up to token {end}", holds=end == len(row.prompt.ids))


def compare(steps: Iterable[Step], told: Mapping[Sequence, Logprobs], findings: Findings, where: str) -> None:
    """Compare all logits of `steps`, and every token drawn from them, with `told` of their rows."""
    fed = [(row, position, logprobs(step.logits)) for step in steps for row, position in step.fed]
    for row in dict.fromkeys(row for row, _, _ in fed):
        name = f"{where}, {row.request}"
        for position, seen in [(position, seen) for other, position, seen in fed if other is row]:
            findings.differs(f"{name}, token {position}", _nearest(seen, told[row][position]))
        _tokens(told[row], row, findings, name)


def _nearest(seen: Logprobs, told: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """The distance of the nearest row. Its tokens and its state show that it is the right one."""
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
    """Compare the output for PROBE on `caches`, those of a row that left. Uses the caches up."""
    seen = subject.read([*PROBE], caches)
    findings.expect(f"{where}, {row.request}: position", holds=row.position == len(row.prompt.ids) + len(row.emitted))
    findings.differs(f"{where}, {row.request}: its state", float(np.abs(seen - told[-len(PROBE) :]).max()))
