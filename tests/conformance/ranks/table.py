"""The table of split families in the docs: its words and its format.

A row is the same on every machine, except for its error and its control, which are rounded up to a power of ten.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

from tests.conformance.ranks.check import BITS, REFUSED, ROUNDING, WRONG, Result
from tests.conformance.ranks.families import NOT_RUN

PATH: Final = Path(__file__).resolve().parents[3] / "docs" / "families-ranks.md"

VERDICTS: Final = (BITS, ROUNDING, REFUSED, WRONG)

_HEAD: Final = "| family | split | machines | verdict | shares steps | error | control | reason |"
_RULE: Final = "|---|---|---|---|---|---|---|---|"

_WORDS: Final = """# Model families on several machines

`make conformance-ranks` makes this page. It splits a tiny random model of every family that mlx-lm can split over two
and three processes, which MLX's ring connects on this machine. Each split model goes through the scenario of
[all families](families.md): turns with a restart before each; earlier turns answered again, edited and branched; rows
of unequal length in one batch. Then the processes end, and new ones continue the chat from what each had stored. Every
process compares every step with the output of the whole model, and its caches with the whole model's.

- **same bits**: a pipeline computes exactly the whole model's numbers, in every pass, alone, batched and restored.
- **within rounding**: a tensor split adds partial sums in another order, so the last bits of its numbers differ.
- **refused**: Hearth says in one sentence, before it loads the model, that it cannot run it like this.

*Shares steps*: as in [all families](families.md). *Error* is the largest difference of any log-probability from the
whole model prefilled at once, as a share of what one changed token of the history does. *Control* is the same error if
the weights of one process are wrong by 5 %: it must be found.
"""


@dataclass(frozen=True, order=True)
class Row:
    """The line of one split of one family over so many machines."""

    family: str
    how: str
    ranks: str
    verdict: str
    batching: str
    error: str
    control: str
    reason: str

    def __str__(self) -> str:
        return f"| {' | '.join(astuple(self))} |"

    @property
    def name(self) -> tuple[str, str, str]:
        """What the line is about."""
        return self.family, self.how, self.ranks


def row(result: Result) -> Row:
    """The line of a result."""
    said = (result.family, result.how, str(result.ranks), result.verdict)
    if result.verdict == REFUSED:
        return Row(*said, "", "", "", result.reason)
    return Row(*said, result.batching, _rounded(result.error), _rounded(result.control), result.reason)


def _rounded(error: float) -> str:
    return "0" if error == 0 else f"< 1e{math.floor(math.log10(error)) + 1}"


def written(rows: Sequence[Row]) -> str:
    """The whole page."""
    counts = {verdict: sum(r.verdict == verdict for r in rows) for verdict in VERDICTS}
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    families = len({r.family for r in rows})
    left_out = [f"- `{family}`: {reason}." for family, reason in sorted(NOT_RUN.items())]
    lines = [_WORDS, f"{families} families in {len(rows)} splits: {said}.", "", _HEAD, _RULE, *map(str, sorted(rows))]
    return "\n".join([*lines, "", "mlx-lm can split these too, but they are not run:", "", *left_out, ""])


def read(page: str) -> dict[tuple[str, str, str], Row]:
    """The lines of a page."""
    lines = page.split(f"{_HEAD}\n{_RULE}\n")[1].split("\n\n", maxsplit=1)[0].splitlines()
    rows = [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in lines]
    return {row.name: row for row in rows}


def differences(rows: Sequence[Row], committed: dict[tuple[str, str, str], Row]) -> list[str]:
    """The splits for which a run and the committed page differ."""
    seen = {row.name: row for row in rows}
    names = sorted(seen.keys() | committed.keys())
    return [
        f"{' '.join(name)}: {_said(seen.get(name))}, the page says {_said(committed.get(name))}"
        for name in names
        if _said(seen.get(name)) != _said(committed.get(name))
    ]


def _said(line: Row | None) -> str:
    return "nothing" if line is None else f"{line.verdict} / {line.batching} / {line.reason}"
