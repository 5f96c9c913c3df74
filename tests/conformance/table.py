"""The table of families in the docs: its words and its format.

A row is the same on every machine, except for the error, which is rounded up to a power of ten.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.conformance.families import NOT_LOADED, NOT_RUN, PATCHES, REASONS
from tests.conformance.scenario import Outcome

PATH: Final = Path(__file__).resolve().parents[2] / "docs" / "families.md"

EXACT, ALONE, REFUSED, UNLOADED, WRONG = "exact", "alone only", "refused", "not loaded", "WRONG"

VERDICTS: Final = (EXACT, ALONE, REFUSED, UNLOADED, WRONG)

_HEAD: Final = "| family | caches, one a layer | verdict | shares steps | error / sensitivity | reason |"
_RULE: Final = "|---|---|---|---|---|---|"

_WORDS: Final = """# Model families

`make conformance` makes this page. It writes a tiny random model of every family that mlx-lm offers into a folder,
loads it as Hearth loads any model, and takes it through the engine: three turns with a restart before each; an answer
that is stopped twice and goes on after a restart each time; earlier turns answered again, edited and branched; and rows
of unequal length in one batch, fresh and restored, which join, leave, are cancelled and continued. It compares
every step with the bare model's output for the same tokens, prefilled at once, and every token with the most probable
one there.

- **exact**: alone, batched and restored from disk, the results differ only by the rounding of 32-bit numbers.
- **alone only**: exact, but its rows cannot share steps.
- **refused**: its answers are exact, but its state cannot be stored: each one prefills the whole conversation, alone.
- **not loaded**: mlx-lm has a model for it but cannot load its folder, so Hearth cannot either.

*Shares steps*: *together*, any rows share a step, each with its own keys and values; *merged*, rows of similar
length are padded to the longest; *alone*, one after another. *Error* is the largest difference of any log-probability.
*Sensitivity* is the effect of one changed token of the history on the log-probabilities, as a wrong state would have.
"""


@dataclass(frozen=True, order=True)
class Row:
    """The line of one family."""

    family: str
    caches: str
    verdict: str
    batching: str
    error: str
    reason: str

    def __str__(self) -> str:
        cells = (self.family, self.caches, self.verdict, self.batching, self.error, self.reason)
        return f"| {' | '.join(cells)} |"


@dataclass(frozen=True)
class Checked:
    """The line of one family, and the processor time that its check took."""

    row: Row
    seconds: float


def row(outcome: Outcome) -> Row:
    """The line of a family that finished its scenario."""
    findings = outcome.findings
    verdict = WRONG if findings.wrong else _verdict(outcome)
    reason = findings.wrong[0] if findings.wrong else {**REASONS, **PATCHES}.get(outcome.family, "")
    error = _rounded(findings.error / findings.sensitivity)
    return Row(outcome.family, outcome.caches, verdict, outcome.batching, error, reason)


def crashed(family: str, last_words: str) -> Row:
    """The line of a family that crashed."""
    return Row(family, "", WRONG, "", "", last_words.replace("|", "/"))


def unloaded(family: str) -> Row:
    """The line of a family whose folder is known not to load."""
    return Row(family, "", UNLOADED, "", "", NOT_LOADED[family])


def _verdict(outcome: Outcome) -> str:
    if not outcome.kept:
        return REFUSED
    return ALONE if outcome.batching == "alone" else EXACT


def _rounded(error: float) -> str:
    return "0" if error == 0 else f"< 1e{math.floor(math.log10(error)) + 1}"


def written(rows: Sequence[Row]) -> str:
    """The whole page."""
    counts = {verdict: sum(r.verdict == verdict for r in rows) for verdict in VERDICTS}
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    left_out = [f"- `{family}`: {reason}." for family, reason in sorted(NOT_RUN.items())]
    lines = [_WORDS, f"{len(rows)} families: {said}.", "", _HEAD, _RULE, *map(str, sorted(rows))]
    return "\n".join(
        [*lines, "", "Not run, because no tiny float32 model of them can be made on a CPU:", "", *left_out, ""]
    )


def read(page: str) -> dict[str, Row]:
    """The lines of a page, by family."""
    lines = page.split(f"{_HEAD}\n{_RULE}\n")[1].split("\n\n", maxsplit=1)[0].splitlines()
    rows = [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in lines]
    return {row.family: row for row in rows}


def differences(rows: Sequence[Row], committed: dict[str, Row]) -> list[str]:
    """The families for which a run and the committed page differ."""
    seen = {row.family: row for row in rows}
    names = sorted(seen.keys() | committed.keys())
    return [
        f"{n}: {_said(seen.get(n))}, the page says {_said(committed.get(n))}"
        for n in names
        if not _same(seen.get(n), committed.get(n))
    ]


def _same(seen: Row | None, committed: Row | None) -> bool:
    return _said(seen) == _said(committed)


def _said(line: Row | None) -> str:
    return "nothing" if line is None else f"{line.verdict} / {line.batching} / {line.caches} / {line.reason}"
