"""The page of counts in this folder: its words, its format, and how a run differs from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.gate.journey import FAMILIES, Counts
from tests.gate.seams import COUNTS

PATH: Final = Path(__file__).with_name("counts.md")

WRITE: Final = "python -m tests.gate --write"

ADVICE: Final = f"""
tests/gate/counts.md must be exact. If your change makes a count worse, mend the change, or accept the count on purpose
and say why in the commit. If it makes a count better, record that. If both sides of a merge changed the page, make it
anew. In each case the command is

    {WRITE}
"""

_WORDS: Final = f"""# Counts of a journey

`{WRITE}` makes this page, and `make test` compares it with a new run. A fixed chat goes
through the engine in one process, with a tiny random model on the CPU. A stage ends when everything is written to disk.
The numbers are exact: the same in each run, on each machine and with each version of SQLite. Fewer are better. A change
that makes one worse fails; a change that makes one better must record it.

The chat has a system prompt, a long first question and three more turns. Then its last question is asked again, the
last question is edited, and the one two turns before it is edited. After a restart the chat continues, four other chats
begin at once, and the first chat is forgotten. Each answer has 12 tokens.
"""


def written(journeys: Mapping[str, Counts]) -> str:
    """The whole page."""
    meanings = [f"- **{name}**: {meaning}" for name, meaning in COUNTS.items()]
    tables = [line for family, counts in journeys.items() for line in _table(family, counts)]
    return "\n".join([_WORDS, *meanings, *tables, ""])


def _table(family: str, counts: Counts) -> Iterator[str]:
    yield from ("", f"## {family}: {FAMILIES[family]}", "")
    yield _line("stage", *COUNTS)
    yield "|---|" + "---:|" * len(COUNTS)
    yield from (_line(stage, *(f"{found[name]:,}" for name in COUNTS)) for stage, found in counts.items())


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def read(page: str) -> dict[str, Counts]:
    """The journeys on a page."""
    return {part.partition(":")[0]: _read(part) for part in page.split("\n## ")[1:]}


def _read(part: str) -> Counts:
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line[:1] == "|"]
    (_, *names), _, *rows = lines
    return {stage: Counter(_numbers(names, cells)) for stage, *cells in rows}


def _numbers(names: list[str], cells: list[str]) -> dict[str, int]:
    return {name: int(cell.replace(",", "")) for name, cell in zip(names, cells, strict=True)}


def differences(found: Mapping[str, Counts], recorded: Mapping[str, Counts]) -> list[str]:
    """One line for each count that is not as recorded."""
    places = {(f, s) for journeys in (found, recorded) for f, counts in journeys.items() for s in counts}
    return [
        f"{family}, {stage}: {name} {_change(before, now)}"
        for family, stage in sorted(places)
        for name in COUNTS
        if (before := _count(recorded, family, stage, name)) != (now := _count(found, family, stage, name))
    ]


def _count(journeys: Mapping[str, Counts], family: str, stage: str, name: str) -> int | None:
    counts = journeys.get(family, {}).get(stage)
    return None if counts is None else counts[name]


def _change(before: int | None, now: int | None) -> str:
    if before is None or now is None:
        return f"{_said(before)} before, {_said(now)} now"
    return f"{before:,} before, {now:,} now: {'worse' if now > before else 'better'}"


def _said(count: int | None) -> str:
    return "not counted" if count is None else f"{count:,}"
